import { hasPendingEdits, reduceTask, type Task } from '#shared/domain/task';
import { INTERRUPTED, MAX_ATTEMPTS } from '#shared/tasks/run/outcome';
import type { Edits } from '#shared/domain/edits/edits';
import type { ImportedTask } from './shared-task-store';

/** A task as a server without a role would continue it at its next start: running work waits again. */
export const importedTask = (
  task: Task,
  wanted: Edits | undefined,
  nowMs: number,
): Pick<ImportedTask, 'task' | 'wanted'> => {
  if (task.status === 'processing') {
    const hasAttempts = task.attempts < MAX_ATTEMPTS;
    const after = reduceTask(
      task,
      hasAttempts ? { type: 'interrupted' } : { type: 'failed', atMs: nowMs, failure: INTERRUPTED },
    );
    return { task: after, wanted: undefined };
  }
  if (!hasPendingEdits(task)) return { task, wanted: undefined };
  return { task: reduceTask(task, { type: 'edit-queued' }), wanted };
};
