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

it('bytes and requests are summed up, and the latest requests are listed first', () => {
  const { traffic, send } = openTraffic(Promise.resolve());
  for (let bytes = 1; bytes <= 150; bytes++) send(bytes);
  const { sentBytes, requestCount, requests } = traffic.get();
  expect([sentBytes, requestCount, requests.length]).toEqual([11_325, 150, 100]);
  expect(requests[0]).toMatchObject({ address: '/150' });
});

it('counting is reported only once all requests are counted', async () => {
  let see: () => void = () => undefined;
  const { traffic } = openTraffic(new Promise((resolve) => (see = resolve)));
  expect(traffic.get().isCounted).toBe(false);
  see();
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(true);
});

it('without a service worker, counting is not reported', async () => {
  const { traffic } = openTraffic(Promise.reject(new Error('no service workers')));
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(false);
});
