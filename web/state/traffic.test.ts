import { expect, it } from 'vitest';
import type { SentRequest } from '../service-worker/protocol';
import { startTraffic } from './traffic';

const openTraffic = (ready: Promise<void>) => {
  const listeners: ((request: SentRequest) => void)[] = [];
  const traffic = startTraffic({ ready, onSent: (listener) => void listeners.push(listener) });
  const send = (bytes: number): void => {
    for (const listener of listeners) listener({ method: 'POST', address: `/${bytes}`, bytes });
  };
  return { traffic, send };
};

it('bytes and requests add up, and the latest are listed first', () => {
  const { traffic, send } = openTraffic(Promise.resolve());
  for (let bytes = 1; bytes <= 150; bytes++) send(bytes);
  const { sentBytes, requestCount, requests } = traffic.get();
  expect([sentBytes, requestCount, requests.length]).toEqual([11_325, 150, 100]);
  expect(requests[0]).toMatchObject({ address: '/150' });
});

it('nothing is called counted before every request is seen', async () => {
  let see: () => void = () => undefined;
  const { traffic } = openTraffic(new Promise((resolve) => (see = resolve)));
  expect(traffic.get().isCounted).toBe(false);
  see();
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(true);
});

it('where requests cannot be seen, nothing is called counted', async () => {
  const { traffic } = openTraffic(Promise.reject(new Error('no service workers')));
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(false);
});
