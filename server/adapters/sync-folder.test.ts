import { expect, it } from 'vitest';
import { sharedFlush } from './sync-folder';

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

it('one flush serves all callers that ask during an earlier flush, which does not serve them', async () => {
  const { flush, next, begun } = controlled();
  const first = flush();
  const running = await next();
  const ended: string[] = [];
  const others = ['b', 'c'].map((name) => flush().then(() => ended.push(name)));
  running.end();
  await first;
  const second = await next();
  expect(ended).toEqual([]);
  second.end();
  await Promise.all(others);
  expect([ended, begun()]).toEqual([['b', 'c'], 2]);
});

it('a failed flush rejects for its caller, and the next flush runs', async () => {
  const { flush, next } = controlled();
  const failing = flush();
  (await next()).fail();
  await expect(failing).rejects.toThrow('disk');
  const fine = flush();
  (await next()).end();
  await fine;
});
