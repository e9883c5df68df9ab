import { expect, it } from 'vitest';
import { sharedFlush } from './shared-flush';

/** A flush that ends on request. */
const controlled = () => {
  const running: { end(): void; fail(): void }[] = [];
  let begun = 0;
  const flush = sharedFlush(() => {
    begun += 1;
    return new Promise<void>((resolve, reject) =>
      running.push({ end: resolve, fail: () => reject(new Error('disk')) }),
    );
  });
  const next = async () => {
    await expect.poll(() => running.length).toBe(1);
    return running.shift()!;
  };
  return { flush, next, begun: () => begun };
};

it('one flush serves all who ask while another runs, and none is served by one that began before', async () => {
  const { flush, next, begun } = controlled();
  const first = flush();
  const inWork = await next();
  const ended: string[] = [];
  const others = ['b', 'c'].map((name) => flush().then(() => ended.push(name)));
  inWork.end();
  await first;
  const second = await next();
  expect(ended).toEqual([]);
  second.end();
  await Promise.all(others);
  expect([ended, begun()]).toEqual([['b', 'c'], 2]);
});

it('a failed flush rejects for all who wait for it, and the next one is tried', async () => {
  const { flush, next } = controlled();
  const failing = flush();
  (await next()).fail();
  await expect(failing).rejects.toThrow('disk');
  const fine = flush();
  (await next()).end();
  await fine;
});
