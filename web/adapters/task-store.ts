import type { TaskStore } from '#shared/ports/task-store';
import type { Task } from '#shared/domain/task';

/**
 * Task records for as long as the page is open.
 *
 * @param onChange called with all of them after each change; who takes the page up again brings them back by `put`
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
    // A page that is taken up again keeps the files that its pictures have, and no others.
    setFilesInDoubt: async () => undefined,
    listFilesInDoubt: async () => [],
  };
};
