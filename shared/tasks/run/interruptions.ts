import type { Failure } from '../../domain/failure';

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
export const INTERRUPTED_EDITS_SENTENCE = `The service stopped unexpectedly ${MAX_ATTEMPTS} times while it applied the edits.`;
