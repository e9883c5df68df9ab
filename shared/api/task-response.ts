import { moment } from '../tasks/moment';
import type { Task } from '../tasks/task';
import type { ResultResponse, TaskResponse } from './schemas-tasks';

const momentOrNull = (ms: number | null): string | null => (ms === null ? null : moment(ms));

export const success = (message: string): ResultResponse => ({ result: 'success', message });

/** A task's record in the contract's words. */
export const taskResponse = (task: Task): TaskResponse => ({
  ...success(`The task's status is ${task.status}.`),
  id: task.id,
  status: task.status,
  progress: task.progress,
  content_type: task.contentType,
  filename: task.filename,
  created_at: moment(task.createdAtMs),
  started_at: momentOrNull(task.startedAtMs),
  finished_at: momentOrNull(task.finishedAtMs),
  error: task.error,
});
