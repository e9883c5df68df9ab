import type { TaskStore } from '../ports/task-store';
import type { Task } from '../tasks/task';

/** Task records that are gone with the process. */
export const createMemoryTaskStore = (): TaskStore => {
  const tasks = new Map<string, Task>();
  return {
    put: async (task) => void tasks.set(task.id, structuredClone(task)),
    get: async (id) => structuredClone(tasks.get(id)),
    list: async () => [...tasks.values()].reverse().map((task) => structuredClone(task)),
    remove: async (id) => void tasks.delete(id),
  };
};
