import type { TaskStore } from '#shared/ports/task-store';
import type { Task } from '#shared/domain/task';

/**
 * Holds task records while the page is open.
 *
 * @param onChange called with all records after each change; a reloaded page restores them with `put`
 */
export const createTaskStore = (onChange: (tasks: readonly Task[]) => void = () => undefined): TaskStore => {
  const tasks = new Map<string, Task>();
  const set = (task: Task): void => {
    tasks.set(task.id, task);
    onChange([...tasks.values()]);
  };
  return {
    put: async (task) => set(task),
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) set(change(task));
    },
    get: async (id) => tasks.get(id),
    // A map keeps the order of insertion.
    list: async () => [...tasks.values()].reverse(),
    remove: async (id) => {
      tasks.delete(id);
      onChange([...tasks.values()]);
    },
    // A reloaded page keeps only the files of its list.
    setFilesInDoubt: async () => undefined,
    listFilesInDoubt: async () => [],
  };
};
