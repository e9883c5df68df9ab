import { UnreadableFile } from '../../domain/unreadable-file';

/** An error as data: errors lose their class between threads. */
export type SentError =
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly message: string;
      readonly stack: string | undefined;
    };

export const toSentError = (error: unknown): SentError => {
  if (error instanceof UnreadableFile) return { kind: 'unreadable', sentence: error.publicSentence };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'fault', name, message, stack };
};

export const fromSentError = (sent: SentError): Error => {
  if (sent.kind === 'unreadable') return new UnreadableFile(sent.sentence);
  const { name, message, stack } = sent;
  return Object.assign(new Error(message), { name, stack });
};
