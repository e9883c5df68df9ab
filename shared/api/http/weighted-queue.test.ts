import { expect, test } from 'vitest';
import { createWeightedQueue } from './weighted-queue';

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
  const queue = createWeightedQueue(2);
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
  const queue = createWeightedQueue(10);
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
  const queue = createWeightedQueue(1);
  const thrown = queue.run(() => {
    throw new Error('at once');
  }, 1);
  const rejected = queue.run(() => Promise.reject(new Error('later')), 1);
  const fine = queue.run(async () => 'fine', 1);
  await expect(thrown).rejects.toThrow('at once');
  await expect(rejected).rejects.toThrow('later');
  expect(await fine).toBe('fine');
});
