import type { Task } from '../../domain/task';
import type { TaskStore } from '../../ports/storage';
import { createArrivedTasks } from './arrivals';

/**
 * Holds task records while a page is open, or a run over files works on one.
 *
 * @param onChange called with all records after each change; a reloaded page restores them with `put`
 */
export const createMemoryTaskStore = (onChange?: (tasks: readonly Task[]) => void): TaskStore => {
  const tasks = createArrivedTasks();
  /** Oldest first, so that they are restored in their order. */
  const report = (): void => onChange?.(tasks.list().reverse());
  const set = (task: Task): void => {
    tasks.set(task);
    report();
  };
  return {
    put: async (task) => set(task),
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) set(change(task));
    },
    get: async (id) => tasks.get(id),
    holdsVideo: async () => tasks.holdsVideo(),
    page: async (limit, before) => tasks.page(limit, before),
    remove: async (id) => {
      tasks.delete(id);
      report();
    },
    // A reloaded page keeps only the files of its list.
    setFilesInDoubt: async () => undefined,
    listFilesInDoubt: async () => [],
  };
};
