import type { TaskStore } from '#shared/ports/task-store';
import type { Task } from '#shared/domain/task';
import { createArrivedTasks } from '#shared/tasks/base/arrivals';

/**
 * Holds task records while the page is open.
 *
 * @param onChange called with all records after each change; a reloaded page restores them with `put`
 */
export const createTaskStore = (onChange: (tasks: readonly Task[]) => void = () => undefined): TaskStore => {
  const tasks = createArrivedTasks();
  /** Oldest first, so that they are restored in their order. */
  const report = (): void => onChange(tasks.list().reverse());
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
