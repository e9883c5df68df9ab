import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { SentError } from '#shared/threads/sent-error';

/** Answers a call of the other side. */
export type Reply =
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failure'; readonly id: number; readonly error: SentError };

/** All that a host sends. */
export type FromHost =
  | Reply
  | {
      readonly type: 'call';
      /** Unique among the sender's calls; answers and `abort` repeat it. */
      readonly id: number;
      readonly method: string;
      readonly data: readonly unknown[];
      /** Of the functions among the arguments, which the engine may call until the host's call is over. */
      readonly places: readonly string[];
      readonly hasSignal: boolean;
    }
  | { readonly type: 'abort'; readonly id: number };

/** All that an engine process sends: answers, and calls of functions among the arguments of the host's call `of`. */
export type FromEngine =
  | Reply
  | {
      readonly type: 'call';
      readonly id: number;
      readonly of: number;
      readonly place: string;
      readonly args: readonly unknown[];
    };

const Id = Type.Integer({ minimum: 1 });
const Text = Type.String({ maxLength: 100_000 });
const Fault = Type.Object({
  kind: Type.Literal('fault'),
  name: Text,
  message: Text,
  stack: Type.Union([Text, Type.Undefined()]),
  code: Type.Optional(Text),
  syscall: Type.Optional(Text),
});
const Unreadable = Type.Object({
  kind: Type.Literal('failure'),
  failure: Type.Object({
    kind: Type.Union([Type.Literal('bad-file'), Type.Literal('out-of-memory')]),
    sentence: Text,
  }),
  isUnreadable: Type.Literal(true),
});

const FROM_ENGINE = Type.Union([
  Type.Object({ type: Type.Literal('result'), id: Id, value: Type.Unknown() }),
  Type.Object({ type: Type.Literal('failure'), id: Id, error: Type.Union([Unreadable, Fault]) }),
  Type.Object({
    type: Type.Literal('call'),
    id: Id,
    of: Id,
    /** Progress, and the files of an image or video. */
    place: Type.String({ pattern: '^[0-9]([.]((source[.])?read|(target[.])?write|report|plans))?$' }),
    args: Type.Array(Type.Unknown(), { maxItems: 3 }),
  }),
]);

/**
 * Checks a message of an engine process, which strangers' files may have taken over.
 *
 * @throws TypeError for a message that no engine process of this product sends
 */
export const checkMessage = (message: unknown): FromEngine => {
  if (!Value.Check(FROM_ENGINE, message)) throw new TypeError('The engine process sent an unknown message.');
  return message as FromEngine;
};
