import type { Timer } from '../../ports/timer';
import { ApiError } from '../contract/errors';
import { HEARTBEAT } from './event-stream';

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
