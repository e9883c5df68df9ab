import { allTasks, mapPage } from './arrivals';
import type { TaskStore } from '../../ports/system';
import { reduceTask, type Task, type TaskEvent } from '../../domain/task';

/** The task records of a host: what the store keeps, with the newest state of unfinished tasks on top. */
export interface TaskRecords {
  add(task: Task): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** See `TaskStore`. */
  page: TaskStore['page'];
  /** Nothing happens where the task is gone: a late report never brings it back. */
  apply(id: string, event: TaskEvent): Promise<void>;
  remove(id: string): Promise<void>;
  /** Whether the task is reported as queued or processing. Only for tasks that this run of the host knows. */
  isUnfinished(id: string): boolean;
  /** Number of those tasks. */
  countUnfinished(): number;
}

const isUnfinished = (task: Task): boolean => task.status === 'queued' || task.status === 'processing';

/**
 * Keeps unfinished tasks in memory as well, so that progress costs no write.
 *
 * Memory changes first and at once: of two changes made at a time, the second starts from the first.
 *
 * @param onChange called after each change of a record
 */
export const createTaskRecords = (
  store: TaskStore,
  onChange: (id: string) => void = () => undefined,
): TaskRecords => {
  const unfinished = new Map<string, Task>();
  /** Done, but not saved yet: not reported before, since a crash would lose the result. */
  const finishing = new Map<string, Task>();

  const keep = async (task: Task): Promise<void> => {
    finishing.delete(task.id);
    unfinished.set(task.id, task);
    await store.put(task);
    if (!isUnfinished(task) && unfinished.get(task.id) === task) unfinished.delete(task.id);
  };
  /** Where it cannot be put on record it can still fail. */
  const finish = async (finished: Task): Promise<void> => {
    const { id } = finished;
    const isLatest = (): boolean => finishing.get(id) === finished;
    finishing.set(id, finished);
    try {
      await store.put(finished);
      if (isLatest()) unfinished.delete(id);
    } finally {
      if (isLatest()) finishing.delete(id);
    }
  };

  const latest = (task: Task): Task => unfinished.get(task.id) ?? task;
  const page: TaskStore['page'] = async (limit, before) => mapPage(await store.page(limit, before), latest);
  const apply: TaskRecords['apply'] = async (id, event) => {
    const task = finishing.get(id) ?? unfinished.get(id);
    if (event.type === 'progressed') {
      if (task && !finishing.has(id)) unfinished.set(id, reduceTask(task, event));
    } else if (!task) await store.update(id, (stored) => reduceTask(stored, event));
    else if (event.type === 'finished') await finish(reduceTask(task, event));
    else await keep(reduceTask(task, event));
  };

  return {
    add: keep,
    get: async (id) => unfinished.get(id) ?? (await store.get(id)),
    list: () => allTasks({ page }),
    page,
    apply: async (id, event) => {
      await apply(id, event);
      onChange(id);
    },
    remove: async (id) => {
      unfinished.delete(id);
      finishing.delete(id);
      await store.remove(id);
      onChange(id);
    },
    isUnfinished: (id) => {
      const task = unfinished.get(id);
      return task !== undefined && isUnfinished(task);
    },
    countUnfinished: () => [...unfinished.values()].filter(isUnfinished).length,
  };
};
