import type { TaskStore } from '../ports/task-store';
import type { Task } from '../domain/task';

/** Task records in memory. */
export const createMemoryTaskStore = (): TaskStore => {
  const tasks = new Map<string, Task>();
  const inDoubt = new Set<string>();
  return {
    put: async (task) => void tasks.set(task.id, structuredClone(task)),
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) tasks.set(id, structuredClone(change(task)));
    },
    get: async (id) => structuredClone(tasks.get(id)),
    list: async () => [...tasks.values()].reverse().map((task) => structuredClone(task)),
    remove: async (id) => void tasks.delete(id),
    setFilesInDoubt: async (id, isInDoubt) => {
      if (isInDoubt) inDoubt.add(id);
      else inDoubt.delete(id);
    },
    listFilesInDoubt: async () => [...inDoubt],
  };
};
