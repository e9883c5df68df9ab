/** Why a task failed: decides how a synchronous or repeated upload is answered. */
export type FailureKind =
  /** The file is damaged, or of a kind that is not processed. */
  | 'bad-file'
  /** The file needs more memory than the host can use. */
  | 'out-of-memory'
  /** Processing exceeded the time limit. */
  | 'timeout'
  /** The host went down each time it processed the file. */
  | 'interrupted'
  /** The person to keep visible was deleted. */
  | 'subject-gone'
  /** The disk takes no result. */
  | 'no-storage'
  /** An error of the product: its cause is in the log. */
  | 'fault';

/** Why a task failed, as data: it passes worker borders and is stored in the task's record. */
export interface Failure {
  readonly kind: FailureKind;
  /** Public: one sentence for the user, without a path or a cause. */
  readonly sentence: string;
}

/** An error that carries its failure as data. All other errors are faults. */
export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.sentence, options);
    this.name = 'FailureError';
  }
}

export const FAULT: Failure = {
  kind: 'fault',
  sentence: 'Something went wrong inside the service while it processed the file.',
};

/**
 * The failure that an error stands for.
 *
 * `UnreadableFile` is also recognised by its name: in the page, an error that crosses the border of a worker keeps its
 * name and message but not its class.
 */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof FailureError) return error.failure;
  return error instanceof Error && error.name === 'UnreadableFile'
    ? { kind: 'bad-file', sentence: error.message }
    : FAULT;
};
