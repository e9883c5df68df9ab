import { FailureError } from '../../domain/failure';

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
