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
