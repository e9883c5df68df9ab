import { hasPendingEdits, type Task } from '../domain/task';
import type { TaskChanges } from './base/task-changes';

/** Whether nothing about a task changes any more, unless somebody edits or deletes it. */
const isSettled = (task: Task): boolean =>
  task.status !== 'queued' && task.status !== 'processing' && !hasPendingEdits(task);

/**
 * The task now and after each change, until it has ended and no edits wait or run, is gone, or the signal aborts. Of
 * changes that follow each other faster than they are read, the last one is given.
 */
export type WatchTask = (id: string, signal: AbortSignal) => AsyncIterable<Task>;

/** @param get the task at the moment */
export const watchTasks = (get: (id: string) => Promise<Task | undefined>, changes: TaskChanges): WatchTask =>
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
