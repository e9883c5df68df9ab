import type { ApiBody } from './http';

const PREFIX = 'data: ';
const MESSAGE_END = '\n\n';

/** A message of a stream of server-sent events. @param text of one line */
export const eventMessage = (text: string): Uint8Array =>
  new TextEncoder().encode(PREFIX + text + MESSAGE_END);

/** A stream of such messages, each with a value as JSON. */
export async function* eventMessages(values: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const value of values) yield eventMessage(JSON.stringify(value));
}

/** A comment, which readers skip. */
export const HEARTBEAT = new TextEncoder().encode(`:${MESSAGE_END}`);

async function* chunksOf(body: ApiBody): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

/**
 * The texts of the messages of such a stream, as `eventMessage` writes them.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* eventTexts(body: ApiBody): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunksOf(body)) {
    const messages = (rest + decoder.decode(chunk, { stream: true })).split(MESSAGE_END);
    rest = messages.pop() ?? '';
    for (const message of messages) if (message.startsWith(PREFIX)) yield message.slice(PREFIX.length);
  }
}
