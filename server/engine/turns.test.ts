import { expect, it } from 'vitest';
import { createTurns } from './retrying';

const SHARED = { isAlone: false, suspicion: 0 };
const ALONE = { isAlone: true, suspicion: 0 };
const NEVER = new AbortController().signal;
const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

it('shared turns run side by side', async () => {
  const { take } = createTurns();
  await take(SHARED, NEVER);
  expect(await settled(take(SHARED, NEVER))).toBe(true);
});

it('a turn alone waits for all others, and holds up those after it', async () => {
  const { take } = createTurns();
  const endFirst = await take(SHARED, NEVER);
  const alone = take(ALONE, NEVER);
  const later = take(SHARED, NEVER);
  expect([await settled(alone), await settled(later)]).toEqual([false, false]);
  endFirst();
  const endAlone = await alone;
  expect(await settled(later)).toBe(false);
  endAlone();
  expect(await settled(later)).toBe(true);
});

it('of several turns alone, one runs at a time, in the order of the requests', async () => {
  const { take } = createTurns();
  const endFirst = await take(ALONE, NEVER);
  const [second, third] = [take(ALONE, NEVER), take(ALONE, NEVER)];
  endFirst();
  const endSecond = await second;
  expect(await settled(third)).toBe(false);
  endSecond();
  await third;
});

it('a request that is aborted gives its place to the next', async () => {
  const { take } = createTurns();
  const endFirst = await take(SHARED, NEVER);
  const abort = new AbortController();
  const alone = take(ALONE, abort.signal);
  const shared = take(SHARED, NEVER);
  abort.abort(new Error('deleted'));
  await expect(alone).rejects.toThrow('deleted');
  await shared;
  endFirst();
});

it('a turn is not given to an aborted request', async () => {
  await expect(createTurns().take(SHARED, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});

it('a suspicious request waits until no other does', async () => {
  const { take } = createTurns();
  const endFirst = await take(ALONE, NEVER);
  const suspicious = take({ isAlone: true, suspicion: 1 }, NEVER);
  const next = take(ALONE, NEVER);
  endFirst();
  const endNext = await next;
  expect(await settled(suspicious)).toBe(false);
  endNext();
  await suspicious;
});
