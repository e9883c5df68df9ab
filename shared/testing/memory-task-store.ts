import { createArrivedTasks } from '../tasks/base/task-records';
import type { TaskStore } from '../ports/storage';

/** Task records in memory. */
export const createMemoryTaskStore = (): TaskStore => {
  const tasks = createArrivedTasks();
  const inDoubt = new Set<string>();
  return {
    put: async (task) => tasks.set(structuredClone(task)),
    update: async (id, change) => {
      const task = tasks.get(id);
      if (task) tasks.set(structuredClone(change(task)));
    },
    get: async (id) => structuredClone(tasks.get(id)),
    holdsVideo: async () => tasks.holdsVideo(),
    page: async (limit, before) => structuredClone(tasks.page(limit, before)),
    remove: async (id) => tasks.delete(id),
    setFilesInDoubt: async (id, isInDoubt) => {
      if (isInDoubt) inDoubt.add(id);
      else inDoubt.delete(id);
    },
    listFilesInDoubt: async () => [...inDoubt],
  };
};
