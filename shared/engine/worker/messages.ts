import type { SentError } from './sent-error';

/** Why a side of a connection will answer no more calls. `stuck`: aborted work did not stop. */
export type EndCause = 'gpu-lost' | 'stuck';

/** An argument of a call. Functions and signals cannot be sent, so the receiver creates its own from these forms. */
export type WireArgument =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'signal' }
  | { readonly kind: 'progress' }
  | {
      readonly kind: 'offer';
      readonly data: Readonly<Record<string, unknown>>;
      readonly methods: readonly string[];
    };

/** Asks the other side to run a method. */
export interface CallMessage {
  readonly type: 'call';
  /** Unique among the sender's calls; answers and `abort` repeat it. */
  readonly id: number;
  /** The receiver's call whose offered methods are meant; absent: the methods that the receiver serves. */
  readonly of?: number;
  readonly method: string;
  readonly args: readonly WireArgument[];
}

/** Sent by the side that runs a call. */
export type AnswerMessage =
  | { readonly type: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: SentError };

/**
 * Everything that a page and its worker, a server and its threads, and a thread and its inference lanes send each other.
 */
export type Message =
  | CallMessage
  | AnswerMessage
  | { readonly type: 'abort'; readonly id: number }
  | { readonly type: 'ended'; readonly cause: EndCause; readonly detail: string };

/** What a browser's `Worker`, its global scope, and the `MessagePort` of browsers and Node have in common. */
export interface Port {
  postMessage(message: Message, transfer: ArrayBuffer[]): void;
  addEventListener(type: 'message', listener: (event: object) => void): void;
  /** Only ports have it: messages wait until then. */
  start?(): void;
  /** Only Node has them: a port that is referenced keeps the process alive. */
  ref?(): void;
  unref?(): void;
}
