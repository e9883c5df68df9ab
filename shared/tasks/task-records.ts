import type { TaskStore } from '../ports/task-store';
import { createQueue } from './queue';
import { reduceTask, type Task, type TaskEvent } from './task';

/** The task records of a host: what the store keeps, with the newest state of unfinished tasks on top. */
export interface TaskRecords {
  add(task: Task): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** Nothing happens where the task is gone: a late report never brings it back. */
  apply(id: string, event: TaskEvent): Promise<void>;
  remove(id: string): Promise<void>;
}

const isUnfinished = (task: Task): boolean => task.status === 'queued' || task.status === 'processing';

/**
 * Keeps unfinished tasks in memory as well, so that progress costs no write, and writes one change after the
 * other, so that a slow write never lands on a newer one.
 */
export const createTaskRecords = (store: TaskStore): TaskRecords => {
  const unfinished = new Map<string, Task>();
  const writes = createQueue(1);

  const keep = async (task: Task): Promise<void> => {
    unfinished.set(task.id, task);
    await writes.run(() => store.put(task));
    if (!isUnfinished(task) && unfinished.get(task.id) === task) unfinished.delete(task.id);
  };
  const applyToStored = (id: string, event: TaskEvent): Promise<void> =>
    writes.run(async () => {
      const task = await store.get(id);
      if (task) await store.put(reduceTask(task, event));
    });

  return {
    add: keep,
    get: async (id) => unfinished.get(id) ?? (await store.get(id)),
    list: async () => (await store.list()).map((task) => unfinished.get(task.id) ?? task),
    apply: async (id, event) => {
      const task = unfinished.get(id);
      if (event.type === 'progressed') {
        if (task) unfinished.set(id, reduceTask(task, event));
      } else if (task) await keep(reduceTask(task, event));
      else await applyToStored(id, event);
    },
    remove: (id) => {
      unfinished.delete(id);
      return writes.run(() => store.remove(id));
    },
  };
};
