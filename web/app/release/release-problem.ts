import { RefusedRequest } from '#shared/api/client';
import { ProcessingFailed } from '../../state/work';
import type { useReleaseTexts } from '../messages/release';

const CHANGED_STATUS = 412;

/** Whether somebody has changed a result since its reviewer saw it. */
export const wasChanged = (cause: unknown): boolean =>
  cause instanceof RefusedRequest && cause.status === CHANGED_STATUS;

/** Why a result was not released, as a sentence. */
export const releaseProblem = (cause: unknown, text: ReturnType<typeof useReleaseTexts>): string => {
  if (wasChanged(cause)) return text.changed;
  if (cause instanceof RefusedRequest) return cause.message;
  return (cause instanceof ProcessingFailed && cause.sentence) || text.failed;
};
