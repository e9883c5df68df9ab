import { FAULT, type Failure } from '../../domain/failure';
import type { Task } from '../../domain/task';

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
