import type { Timer } from '../../ports/system';
import { ApiError } from '../contract/errors';
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
const HEARTBEAT = new TextEncoder().encode(`:${MESSAGE_END}`);

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

/** Proxies close silent connections after a minute or more, and a client that has gone is noticed only by a write. */
const HEARTBEAT_MS = 15_000;

/** The event streams that a host has open. */
export interface EventStreams {
  /**
   * Counts a stream until it is read to its end, or its client disconnects.
   *
   * @param signal aborted when the client disconnects
   * @throws ApiError `too_many_event_streams`
   */
  open(messages: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** The messages, and a comment whenever there was none for a while. */
async function* withHeartbeat(messages: AsyncIterable<Uint8Array>, timer: Timer): AsyncGenerator<Uint8Array> {
  const iterator = messages[Symbol.asyncIterator]();
  let next = iterator.next();
  try {
    for (;;) {
      let cancel = (): void => undefined;
      const beat = new Promise<undefined>((resolve) => {
        cancel = timer.after(HEARTBEAT_MS, () => resolve(undefined));
      });
      const message = await Promise.race([next, beat]).finally(() => cancel());
      if (message?.done) return;
      yield message ? message.value : HEARTBEAT;
      if (message) next = iterator.next();
    }
  } finally {
    await iterator.return?.();
  }
}

/** @param max how many may be open at a time */
export const createEventStreams = (max: number, timer: Timer): EventStreams => {
  let open = 0;
  async function* counted(
    messages: AsyncIterable<Uint8Array>,
    release: () => void,
  ): AsyncGenerator<Uint8Array> {
    try {
      yield* withHeartbeat(messages, timer);
    } finally {
      release();
    }
  }
  return {
    open: (messages, signal) => {
      if (open >= max) throw new ApiError('too_many_event_streams');
      let isOpen = true;
      open += 1;
      const release = (): void => {
        if (isOpen) open -= 1;
        isOpen = false;
      };
      // A body that is never read does not end by itself.
      if (signal.aborted) release();
      else signal.addEventListener('abort', release, { once: true });
      return counted(messages, release);
    },
  };
};
