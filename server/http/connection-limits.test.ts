import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { ApiError } from '#shared/api/contract/errors';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import { watchPace } from './connection-limits';

const PACE = { uploadIdleMs: 60_000, uploadMinBytesPerS: 10 };
/** What the pace requires in the time over which it counts, 120 s. */
const ENOUGH = 1_200;

const watch = () => {
  const request = new IncomingMessage(new Socket());
  const timer = createFakeTimer();
  const refusals: ApiError[] = [];
  const end = watchPace(request, PACE, (error) => refusals.push(error), timer);
  request.resume();
  /** Resolves when the bytes have arrived. */
  const arrive = async (bytes: number): Promise<void> => {
    request.push(Buffer.alloc(bytes));
    await new Promise(setImmediate);
  };
  return { request, timer, refusals, end, arrive };
};

it('a body that arrives just fast enough is never refused, however long it takes', async () => {
  const { timer, refusals, arrive } = watch();
  for (let minutes = 0; minutes < 600; minutes += 2) {
    await arrive(ENOUGH);
    expect(timer.elapse()).toBe(120_000);
  }
  expect(refusals).toEqual([]);
});

it('a body that arrives too slowly is refused, and what arrived before does not count', async () => {
  const { timer, refusals, arrive } = watch();
  await arrive(1_000_000);
  timer.elapse();
  await arrive(ENOUGH - 1);
  timer.elapse();
  expect(refusals.map(({ status, message }) => [status, message])).toEqual([
    [
      422,
      'The upload arrives too slowly: send data at least every 60 s, and 10 bytes per second on average.',
    ],
  ]);
  expect(timer.delays()).toEqual([]);
});

it('a client does not pay for a server that does not read on', () => {
  const { request, timer, refusals } = watch();
  request.pause();
  timer.elapse();
  expect([refusals, timer.delays()]).toEqual([[], [120_000]]);
});

it('a body that has arrived is not watched any more', () => {
  const { request, timer, refusals, end } = watch();
  end();
  request.emit('timeout');
  expect([refusals, timer.delays(), request.listenerCount('data')]).toEqual([[], [], 0]);
});
