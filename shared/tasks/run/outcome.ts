import { FAULT, type Failure } from '../../domain/failure';
import type { Task, TaskEvent } from '../../domain/task';
import { workOf } from '../base/job-store';

/**
 * How often the work for a task may be interrupted by a crash of its host.
 *
 * One or two crashes may have other causes, such as a power failure. A file that crashes the host itself would do so at
 * every start.
 */
export const MAX_ATTEMPTS = 3;

/** Why a task fails after its last attempt. */
export const INTERRUPTED: Failure = {
  kind: 'interrupted',
  sentence: `The service stopped unexpectedly ${MAX_ATTEMPTS} times while it processed the file.`,
};

/** Why edits fail after their last attempt. */
export const INTERRUPTED_EDITS_MESSAGE = `The service stopped unexpectedly ${MAX_ATTEMPTS} times while it applied the edits.`;

/** What becomes of a task whose worker is gone. @param editAttempts attempts to apply its present edits */
export const eventOfLostWork = (task: Task, editAttempts: number, atMs: number): TaskEvent => {
  if (workOf(task) === 'edits') {
    return editAttempts >= MAX_ATTEMPTS
      ? { type: 'edit-failed', error: INTERRUPTED_EDITS_MESSAGE, atMs, laterWait: false }
      : { type: 'edit-queued' };
  }
  return task.attempts >= MAX_ATTEMPTS
    ? { type: 'failed', atMs, failure: INTERRUPTED }
    : { type: 'interrupted' };
};

/** How a task ended: what a synchronous upload answers. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'deleted' }
  /** The host stops; its next start resumes the task. */
  | { readonly kind: 'put-off' };

/** The outcome of a task according to its record; undefined until it has ended. */
export const outcomeOf = ({ status, failure }: Task): Outcome | undefined => {
  switch (status) {
    case 'done':
    case 'deleted':
      return { kind: status };
    case 'failed':
      return { kind: 'failed', failure: failure ?? FAULT };
    case 'queued':
    case 'processing':
      return undefined;
  }
};
