import type { Task } from '../domain/task';
import type { TaskChanges } from './base/task-changes';
import type { TaskService } from './service';

/** Whether nothing about a task changes any more, unless somebody edits or deletes it. */
const isSettled = ({ status, edit }: Task): boolean =>
  status !== 'queued' && status !== 'processing' && (edit === undefined || edit.status === 'failed');

/** See `TaskService.watch`. @param get the task at the moment */
export const watchTasks = (
  get: (id: string) => Promise<Task | undefined>,
  changes: TaskChanges,
): TaskService['watch'] =>
  async function* watch(id, signal) {
    const followed = changes.follow(id, signal);
    try {
      for (let task = await get(id); task && !signal.aborted; task = await get(id)) {
        yield task;
        if (isSettled(task)) return;
        await followed.changed();
      }
    } finally {
      followed.end();
    }
  };
