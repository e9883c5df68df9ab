import { FailureError } from '../../domain/failure';

/**
 * Another service, on which this one depends, cannot be reached or does not answer in time. Clients try again.
 *
 * The message and the cause are for the log; `sentence` is public.
 */
export class ServiceUnavailable extends Error {
  override readonly name: string = 'ServiceUnavailable';

  constructor(
    readonly sentence: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const SENTENCES = {
  full: 'The service has no disk space left: delete tasks that are no longer needed, then try again.',
  'read-only': 'The service cannot write to its folders.',
  unreachable: 'The service cannot reach its file store: try again later.',
} as const;

/** The host's disk or file store refuses to keep something: no fault of the code, and the operator's or the client's to solve. */
export class StorageUnavailable extends FailureError {
  override readonly name = 'StorageUnavailable';

  constructor(
    readonly reason: keyof typeof SENTENCES,
    cause: unknown,
  ) {
    super({ kind: 'no-storage', sentence: SENTENCES[reason] }, { cause });
  }
}

/** Whether an error means that files or records cannot be read or written: the work is put back. */
export const isStorageError = (error: unknown): boolean =>
  error instanceof StorageUnavailable || error instanceof ServiceUnavailable;
