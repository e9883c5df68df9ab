import type { TaskStore } from '../ports/task-store';
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
 * Keeps unfinished tasks in memory as well, so that progress costs no write.
 *
 * Memory changes first and at once: of two changes made at a time, the second starts from the first.
 */
export const createTaskRecords = (store: TaskStore): TaskRecords => {
  const unfinished = new Map<string, Task>();

  const keep = async (task: Task): Promise<void> => {
    unfinished.set(task.id, task);
    await store.put(task);
    if (!isUnfinished(task) && unfinished.get(task.id) === task) unfinished.delete(task.id);
  };
  /** What is not on record is not done: it can still fail. */
  const finish = async (task: Task, finished: Task): Promise<void> => {
    try {
      await keep(finished);
    } catch (error) {
      if (unfinished.get(task.id) === finished) unfinished.set(task.id, task);
      throw error;
    }
  };

  return {
    add: keep,
    get: async (id) => unfinished.get(id) ?? (await store.get(id)),
    list: async () => (await store.list()).map((task) => unfinished.get(task.id) ?? task),
    apply: async (id, event) => {
      const task = unfinished.get(id);
      if (event.type === 'progressed') {
        if (task) unfinished.set(id, reduceTask(task, event));
      } else if (!task) await store.update(id, (stored) => reduceTask(stored, event));
      else if (event.type === 'finished') await finish(task, reduceTask(task, event));
      else await keep(reduceTask(task, event));
    },
    remove: (id) => {
      unfinished.delete(id);
      return store.remove(id);
    },
  };
};
