import type { TaskStore } from '#shared/ports/task-store';
import type { Task } from '#shared/tasks/task';

/** Task records for as long as the page is open. */
export const createTaskStore = (): TaskStore => {
  const tasks = new Map<string, Task>();
  return {
    put: async (task) => {
      tasks.set(task.id, task);
    },
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) tasks.set(id, change(task));
    },
    get: async (id) => tasks.get(id),
    // A map keeps the order of insertion.
    list: async () => [...tasks.values()].reverse(),
    remove: async (id) => {
      tasks.delete(id);
    },
    // Files go with the page, too: no later start could find one left over.
    setFilesInDoubt: async () => undefined,
    listFilesInDoubt: async () => [],
  };
};
