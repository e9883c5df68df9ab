import { expect, it, vi } from 'vitest';
import { createOwnModelPorts } from './own-models';

/** @returns whether a download has begun while `counted` is pending; resolves when it has begun */
const beginsBefore = async (counted: Promise<void>, settle: () => void): Promise<boolean> => {
  let hasBegun = false;
  const begun = new Promise<void>((resolve) => {
    const Downloader = class extends EventTarget {
      constructor() {
        super();
        hasBegun = true;
        resolve();
      }
      postMessage(): void {}
    };
    vi.stubGlobal('Worker', Downloader);
  });
  void createOwnModelPorts(counted).fetch('pack', () => undefined, new AbortController().signal);
  await new Promise((resolve) => setImmediate(resolve));
  const isEarly = hasBegun;
  settle();
  await begun;
  return isEarly;
};

it('a download of models begins when the requests of the page are counted', async () => {
  let count = (): void => undefined;
  const counted = new Promise<void>((resolve) => (count = resolve));
  expect(await beginsBefore(counted, count)).toBe(false);
});

it('a download of models also begins in a browser that counts no requests', async () => {
  let fail = (): void => undefined;
  const counted = new Promise<void>((_, reject) => (fail = reject));
  expect(await beginsBefore(counted, fail)).toBe(false);
});

it('a download of models that still waits ends when it is cancelled, and does not begin', async () => {
  const made = vi.fn();
  vi.stubGlobal('Worker', made);
  const never = new Promise<void>(() => undefined);
  const stop = new AbortController();
  const download = createOwnModelPorts(never).fetch('pack', () => undefined, stop.signal);
  stop.abort();
  await expect(download).rejects.toBe(stop.signal.reason);
  expect(made).not.toHaveBeenCalled();
});
