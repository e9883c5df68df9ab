import { expect, test, describe, it } from 'vitest';
import { createWeightedQueue, memoryOf } from './weighted-queue';
import { imageHeader } from '../../testing/sniffed-files';
import { filePart, get, uploadedId, waitForTask } from '../../testing/conformance-steps';
import { createFakeEngine } from '../../testing/fake-engine';
import { createInProcessHost } from '../../testing/in-process-host';
import { jsonOf } from '../../testing/conformance';
import { rampPng } from '../../testing/ramp-images';
import { LIMITS } from '../../domain/limits';

const memoryOfPixels = (pixels: number): number =>
  memoryOf({ kind: 'image', header: imageHeader({ width: pixels, height: 1 }) }, LIMITS);

/** A host with room for one large image of 40 × 40 pixels, or for several small ones of 10 × 10. */
const open = (changes: Parameters<typeof createInProcessHost>[0] = {}) => {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const engine = createFakeEngine(({ bytes }) => {
    started.push(new DataView(bytes.buffer, bytes.byteOffset).getUint32(16));
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  const host = createInProcessHost(
    { concurrency: 3, memoryBudgetBytes: memoryOfPixels(40 * 40), ...changes },
    { engine },
  );
  const add = (side: number): Promise<string> =>
    uploadedId(host.send, { isAsync: true, parts: [filePart(rampPng(side, side))] });
  return { ...host, add, started, endFirst: () => ends.shift()?.() };
};

describe('an image in a queue with a memory budget', () => {
  it('waits for room instead of adding up with others, while smaller ones do not wait for it', async () => {
    const { add, send, started, endFirst } = open();
    const first = await add(30);
    await expect.poll(() => started).toEqual([30]);
    const large = await add(40);
    const small = await add(10);
    await expect.poll(() => started).toEqual([30, 10]);
    expect(jsonOf(await get(send, `/v1/task/${large}`))).toMatchObject({ status: 'queued' });
    endFirst();
    expect(await waitForTask(send, first)).toBe('done');
    endFirst();
    expect(await waitForTask(send, small)).toBe('done');
    await expect.poll(() => started).toEqual([30, 10, 40]);
  });

  it('is processed alone if it is larger than the whole budget', async () => {
    const { add, send, started, endFirst } = open();
    const large = await add(60);
    await expect.poll(() => started).toEqual([60]);
    await add(10);
    endFirst();
    expect(await waitForTask(send, large)).toBe('done');
    await expect.poll(() => started).toEqual([60, 10]);
  });

  it('can be deleted while it waits', async () => {
    const { add, send, started, endFirst, storage } = open();
    const first = await add(30);
    const large = await add(40);
    await expect.poll(() => started).toEqual([30]);
    await send({ method: 'DELETE', url: `/v1/task/${large}` });
    endFirst();
    expect(await waitForTask(send, first)).toBe('done');
    await expect.poll(() => storage.keys().filter((key) => key.includes(large))).toEqual([]);
    expect(started).toEqual([30]);
  });
});

/** Jobs that end on request. */
const controlled = () => {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  return { started, work, end: (name: string) => ends.get(name)?.() };
};

test('jobs start in order, and never more at once than the limit', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: 2 });
  const all = ['a', 'b', 'c', 'd'].map((name) => queue.run(work(name), 1));
  expect(started).toEqual(['a', 'b']);
  end('b');
  await all[1];
  await expect.poll(() => started).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await expect.poll(() => started).toEqual(['a', 'b', 'c', 'd']);
  end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a heavy job uses the space of many light ones, and later jobs do not overtake it', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: 10 });
  const all = [
    queue.run(work('a'), 4),
    queue.run(work('b'), 6),
    queue.run(work('too heavy'), 11),
    queue.run(work('c'), 1),
  ];
  expect(started).toEqual(['a', 'b']);
  end('a');
  await all[0];
  expect(started).toEqual(['a', 'b']);
  end('b');
  await expect.poll(() => started).toEqual(['a', 'b', 'too heavy']);
  end('too heavy');
  await expect.poll(() => started).toEqual(['a', 'b', 'too heavy', 'c']);
  end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'too heavy', 'c']);
});

test('a job that fails, even synchronously, does not stop later jobs', async () => {
  const queue = createWeightedQueue({ capacity: 1 });
  const thrown = queue.run(() => {
    throw new Error('at once');
  }, 1);
  const rejected = queue.run(() => Promise.reject(new Error('later')), 1);
  const fine = queue.run(async () => 'fine', 1);
  await expect(thrown).rejects.toThrow('at once');
  await expect(rejected).rejects.toThrow('later');
  expect(await fine).toBe('fine');
});

test('no more jobs run at once than there are slots, whatever their weight is', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: 10, slots: 2 });
  const all = ['a', 'b', 'c'].map((name) => queue.run(work(name), 0));
  expect(started).toEqual(['a', 'b']);
  end('a');
  await all[0];
  await expect.poll(() => started).toEqual(['a', 'b', 'c']);
});

test('lighter jobs start while a heavy one waits for room, but only a limited number of them', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: 10, slots: 3, maxOvertaking: 2 });
  const run = (name: string, weight: number) => queue.run(work(name), weight);
  void run('first', 6);
  void run('heavy', 9);
  for (const name of ['a', 'b', 'c']) void run(name, 2);
  expect(started).toEqual(['first', 'a', 'b']);
  end('a');
  end('b');
  await queue.run(async () => undefined, 0); // ends of jobs without weight are noticed as well
  expect(started).toEqual(['first', 'a', 'b']);
  end('first');
  await expect.poll(() => started).toEqual(['first', 'a', 'b', 'heavy']);
  end('heavy');
  await expect.poll(() => started).toEqual(['first', 'a', 'b', 'heavy', 'c']);
});

test('a waiting heavy job takes no slot, and needs no room once it is called off', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: 10, slots: 2, maxOvertaking: 1 });
  let isCalledOff = false;
  const first = queue.run(work('first'), 10);
  void queue.run(work('heavy'), () => (isCalledOff ? 0 : 11));
  const light = queue.run(work('light'), 0);
  expect(started).toEqual(['first', 'light']);
  isCalledOff = true;
  end('light');
  await light;
  await expect.poll(() => started).toEqual(['first', 'light', 'heavy']);
  end('first');
  await first;
});

const SHARED = { weight: 1 };
const ALONE = { weight: 100 };
const NEVER = new AbortController().signal;
/** Turns that run side by side, or alone. */
const createTurns = () => {
  const queue = createWeightedQueue({ capacity: ALONE.weight });
  const take = (request: { weight: number; rank?: number }, signal: AbortSignal): Promise<() => void> =>
    new Promise((begin, reject) => {
      const { weight, ...wait } = request;
      queue.run(() => new Promise<void>((end) => begin(end)), weight, { signal, ...wait }).catch(reject);
    });
  return { take };
};

const settled = async (promise: Promise<unknown>): Promise<boolean> => {
  let isSettled = false;
  promise.then(
    () => (isSettled = true),
    () => (isSettled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return isSettled;
};

test('shared turns run side by side', async () => {
  const { take } = createTurns();
  await take(SHARED, NEVER);
  expect(await settled(take(SHARED, NEVER))).toBe(true);
});

test('a turn alone waits for all others, and holds up those after it', async () => {
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

test('of several turns alone, one runs at a time, in the order of the requests', async () => {
  const { take } = createTurns();
  const endFirst = await take(ALONE, NEVER);
  const [second, third] = [take(ALONE, NEVER), take(ALONE, NEVER)];
  endFirst();
  const endSecond = await second;
  expect(await settled(third)).toBe(false);
  endSecond();
  await third;
});

test('a request that is aborted gives its place to the next', async () => {
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

test('a turn is not given to an aborted request', async () => {
  await expect(createTurns().take(SHARED, AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
});

test('a request of a higher rank waits until no other does', async () => {
  const { take } = createTurns();
  const endFirst = await take(ALONE, NEVER);
  const suspicious = take({ ...ALONE, rank: 1 }, NEVER);
  const next = take(ALONE, NEVER);
  endFirst();
  const endNext = await next;
  expect(await settled(suspicious)).toBe(false);
  endNext();
  await suspicious;
});

test('as many jobs as there are slots run at a time, and the next one starts when a slot is left', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: Infinity, slots: 1 });
  const first = queue.run(work('first'), 0);
  void queue.run(work('second'), 0);
  expect(started).toEqual(['first']);
  end('first');
  await first;
  await expect.poll(() => started).toEqual(['first', 'second']);
});

test('a job that gets no slot in time gets none later', async () => {
  const { started, work, end } = controlled();
  const queue = createWeightedQueue({ capacity: Infinity, slots: 1 });
  const late = new AbortController();
  const first = queue.run(work('first'), 0);
  const second = queue.run(work('second'), 0, { signal: late.signal });
  late.abort(new Error('late'));
  await expect(second).rejects.toThrow('late');
  end('first');
  await first;
  expect(started).toEqual(['first']);
});
