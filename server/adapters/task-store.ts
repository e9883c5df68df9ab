import type { TaskStore } from '#shared/ports/task-store';
import type { Task } from '#shared/tasks/task';

/** Task records in memory: they go with the process. */
export const createTaskStore = (): TaskStore => {
  const tasks = new Map<string, Task>();
  return {
    put: async (task) => void tasks.set(task.id, task),
    get: async (id) => tasks.get(id),
    list: async () => [...tasks.values()].reverse(),
    remove: async (id) => void tasks.delete(id),
  };
};
