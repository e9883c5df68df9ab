import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Message } from '#shared/engine/worker/messages';

const Id = Type.Integer({ minimum: 1 });
const Text = Type.String({ maxLength: 100_000 });

/** All that an engine process may send: answers, progress, and calls of what a call of the host has offered. */
const FROM_ENGINE = Type.Union([
  Type.Object({ type: Type.Literal('progress'), id: Id, progress: Type.Unknown() }),
  Type.Object({ type: Type.Literal('result'), id: Id, value: Type.Unknown() }),
  Type.Object({
    type: Type.Literal('failure'),
    id: Id,
    error: Type.Union([
      Type.Object({ kind: Type.Literal('unreadable'), sentence: Text }),
      Type.Object({
        kind: Type.Literal('fault'),
        name: Text,
        message: Text,
        stack: Type.Union([Text, Type.Undefined()]),
        code: Type.Optional(Text),
        syscall: Type.Optional(Text),
      }),
    ]),
  }),
  Type.Object({
    type: Type.Literal('call'),
    id: Id,
    of: Id,
    method: Type.Union(['read', 'write', 'report', 'plans'].map((name) => Type.Literal(name))),
    args: Type.Array(Type.Object({ kind: Type.Literal('value'), value: Type.Unknown() }), { maxItems: 3 }),
  }),
  Type.Object({ type: Type.Literal('ended'), cause: Type.Literal('stuck'), detail: Text }),
]);

/**
 * Checks a message of an engine process, which strangers' files may have taken over.
 *
 * @throws TypeError for a message that no engine process of this product sends
 */
export const checkMessage = (message: unknown): Message => {
  if (!Value.Check(FROM_ENGINE, message)) throw new TypeError('The engine process sent an unknown message.');
  return message as Message;
};
