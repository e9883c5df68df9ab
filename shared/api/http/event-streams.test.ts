import { expect, test } from 'vitest';
import { createFakeTimer } from '../../testing/fake-webhooks';
import { eventMessage, eventTexts, createEventStreams } from './event-streams';

/** Messages that a test sends. */
const createMessages = () => {
  let send = (_text: string | undefined): void => undefined;
  let isStopped = false;
  const messages = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const text = await new Promise<string | undefined>((resolve) => (send = resolve));
        if (text === undefined) return;
        yield eventMessage(text);
      }
    } finally {
      isStopped = true;
    }
  };
  return {
    messages: messages(),
    send: (text: string | undefined) => send(text),
    isStopped: () => isStopped,
  };
};
const never = (): AbortSignal => new AbortController().signal;
const textOf = ({ value }: IteratorResult<Uint8Array>): string => new TextDecoder().decode(value);

test('a silent stream sends a comment every 15 s, which readers skip', async () => {
  const timer = createFakeTimer();
  const { messages, send } = createMessages();
  const stream = createEventStreams(1, timer).open(messages, never());
  const reader = stream[Symbol.asyncIterator]();
  const beats: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const beat = reader.next();
    await expect.poll(() => timer.delays()).toEqual([15_000]);
    timer.elapse();
    beats.push(textOf(await beat));
  }
  expect(beats).toEqual([':\n\n', ':\n\n']);
  const next = reader.next();
  send('one');
  expect(textOf(await next)).toBe('data: one\n\n');
  expect(timer.delays()).toEqual([]);
  const sent = async function* (): AsyncGenerator<Uint8Array> {
    for (const text of [...beats, 'data: one\n\n']) yield new TextEncoder().encode(text);
  };
  const read: string[] = [];
  for await (const text of eventTexts(sent())) read.push(text);
  expect(read).toEqual(['one']);
});

test('more streams than allowed are refused until one ends', async () => {
  const streams = createEventStreams(1, createFakeTimer());
  const { messages, send, isStopped } = createMessages();
  const first = streams.open(messages, never())[Symbol.asyncIterator]();
  const open = (): unknown => streams.open(createMessages().messages, never());
  expect(open).toThrow('As many clients follow tasks as may do so');
  const end = first.next();
  send(undefined);
  expect([(await end).done, isStopped()]).toEqual([true, true]);
  expect(open).not.toThrow();
  expect(open).toThrow('poll the status of the task');
});

test('a stream whose client disconnects makes room, even if nothing was read of it', () => {
  const streams = createEventStreams(1, createFakeTimer());
  const client = new AbortController();
  const open = (signal: AbortSignal): unknown => streams.open(createMessages().messages, signal);
  open(client.signal);
  expect(() => open(never())).toThrow();
  client.abort();
  open(client.signal); // too late: it is not counted
  expect(() => open(never())).not.toThrow();
  expect(() => open(never())).toThrow();
});

test('a reader that stops stops the messages', async () => {
  let isStopped = false;
  const messages = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield eventMessage('one');
    } finally {
      isStopped = true;
    }
  };
  const timer = createFakeTimer();
  for await (const message of createEventStreams(1, timer).open(messages(), never())) {
    expect(new TextDecoder().decode(message)).toBe('data: one\n\n');
    break;
  }
  expect([isStopped, timer.delays()]).toEqual([true, []]);
});
