import { FailureError, type Failure, UnreadableFile } from '../domain/failure';

/** An error as data: errors lose their class between threads and processes. */
export type SentError =
  | { readonly kind: 'failure'; readonly failure: Failure; readonly isUnreadable: boolean }
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
      /** Of an error of the operating system. */
      readonly code?: string;
      readonly syscall?: string;
    };

/** @returns `code` and `syscall` of an error of the operating system */
const systemFacts = (error: unknown): { readonly code?: string; readonly syscall?: string } => {
  const { code, syscall } = Object(error) as { readonly code?: unknown; readonly syscall?: unknown };
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof syscall === 'string' && { syscall }),
  };
};

export const toSentError = (error: unknown): SentError => {
  if (error instanceof FailureError) {
    return { kind: 'failure', failure: error.failure, isUnreadable: error instanceof UnreadableFile };
  }
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'fault', name, message, stack, ...systemFacts(error) };
};

export const fromSentError = (sent: SentError): Error => {
  if (sent.kind === 'failure') {
    const { sentence, kind } = sent.failure;
    const isOutOfMemory = kind === 'out-of-memory';
    if (sent.isUnreadable) return new UnreadableFile(sentence, isOutOfMemory ? kind : 'bad-file');
    return new FailureError(sent.failure);
  }
  const { kind: _kind, message, ...facts } = sent;
  return Object.assign(new Error(message), facts);
};
