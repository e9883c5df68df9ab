import { describe, expect, it } from 'vitest';
import { createGate, mapAhead, runAll } from './in-parallel';

/** A promise that is settled from outside. */
const deferred = <T>() => {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
};
/** Lets everything run that can. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('concurrent tasks', () => {
  it('return values in their order, whichever ends first', async () => {
    const works = [deferred<string>(), deferred<string>(), deferred<string>()];
    const all = runAll(
      works.map(
        ({ promise }) =>
          () =>
            promise,
      ),
      3,
    );
    [2, 0, 1].forEach((index) => works[index]!.resolve(`value ${index}`));
    expect(await all).toEqual(['value 0', 'value 1', 'value 2']);
  });

  it('are limited in number', async () => {
    let [running, max] = [0, 0];
    const task = async (): Promise<void> => {
      max = Math.max(max, ++running);
      await settle();
      running--;
    };
    await runAll(
      Array.from({ length: 9 }, () => task),
      2,
    );
    expect(max).toBe(2);
  });

  it('fail together: none is started after a failure, and running ones are awaited', async () => {
    const slow = deferred<void>();
    const started: number[] = [];
    const tasks = [
      async () => {
        started.push(0);
        await slow.promise;
      },
      async () => {
        started.push(1);
        throw new Error('first fault');
      },
      async () => void started.push(2),
    ];
    let isOver = false;
    const all = runAll(tasks, 2).finally(() => (isOver = true));
    all.catch(() => undefined);
    await settle();
    expect(isOver).toBe(false);
    slow.resolve();
    await expect(all).rejects.toThrow('first fault');
    expect(started).toEqual([0, 1]);
  });

  it('may be none', async () => {
    expect(await runAll([], 3)).toEqual([]);
  });
});

describe('a stream that is processed ahead of its reader', () => {
  /** Counts what is taken of it, and whether it was closed. */
  const countedSource = (length: number) => {
    const state = { taken: 0, isClosed: false };
    async function* items(): AsyncGenerator<number> {
      try {
        while (state.taken < length) yield state.taken++;
      } finally {
        state.isClosed = true;
      }
    }
    return { state, items: items() };
  };
  const readAll = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };

  it('keeps its order, whichever item is done first', async () => {
    const works = Array.from({ length: 5 }, () => deferred<void>());
    const read = readAll(
      mapAhead(countedSource(5).items, 3, async (item) => {
        await works[item]!.promise;
        return `done ${item}`;
      }),
    );
    for (const index of [1, 2, 0, 4, 3]) {
      works[index]!.resolve();
      await settle();
    }
    expect(await read).toEqual(['done 0', 'done 1', 'done 2', 'done 3', 'done 4']);
  });

  it('takes no more items than its limit while its reader is busy', async () => {
    const { state, items } = countedSource(100);
    const mapped = mapAhead(items, 3, async (item) => item);
    await mapped.next();
    await settle();
    expect(state.taken).toBeLessThanOrEqual(3);
    await mapped.next();
    await settle();
    expect(state.taken).toBeLessThanOrEqual(4);
    await mapped.return(undefined);
    expect(state).toMatchObject({ isClosed: true });
  });

  it('fails in the turn of the failed item, takes no more, waits for the rest and closes the source', async () => {
    const { state, items } = countedSource(100);
    const slow = deferred<void>();
    let isSlowOver = false;
    const mapped = mapAhead(items, 3, async (item) => {
      if (item === 1) throw new Error('fault of item 1');
      if (item === 2) {
        await slow.promise;
        isSlowOver = true;
      }
      return item;
    });
    const read: number[] = [];
    const reading = (async () => {
      for await (const item of mapped) read.push(item);
    })();
    reading.catch(() => undefined);
    await settle();
    slow.resolve();
    await expect(reading).rejects.toThrow('fault of item 1');
    expect(read).toEqual([0]);
    expect(state.taken).toBeLessThanOrEqual(4);
    expect({ isSlowOver, isClosed: state.isClosed }).toEqual({ isSlowOver: true, isClosed: true });
  });

  it('fails with the error of its source, after all earlier items', async () => {
    async function* broken(): AsyncGenerator<number> {
      yield 0;
      yield 1;
      throw new Error('fault of the source');
    }
    const read: number[] = [];
    const reading = (async () => {
      for await (const item of mapAhead(broken(), 4, async (each) => each)) read.push(item);
    })();
    await expect(reading).rejects.toThrow('fault of the source');
    expect(read).toEqual([0, 1]);
  });

  it('waits for running items when its reader stops', async () => {
    const slow = deferred<void>();
    const mapped = mapAhead(countedSource(9).items, 2, (item) =>
      item === 0 ? Promise.resolve() : slow.promise,
    );
    await mapped.next();
    let isOver = false;
    const ending = mapped.return(undefined).then(() => (isOver = true));
    await settle();
    expect(isOver).toBe(false);
    slow.resolve();
    await ending;
  });
});

describe('a gate', () => {
  it('runs functions in turn, also after one that failed', async () => {
    const gate = createGate(1);
    const order: string[] = [];
    const first = deferred<void>();
    const works = [
      gate(() => first.promise),
      gate(async () => void order.push('second')),
      gate(async () => void order.push('third')),
    ];
    await settle();
    expect(order).toEqual([]);
    first.reject(new Error('fault'));
    await expect(works[0]).rejects.toThrow('fault');
    await Promise.all(works.slice(1));
    expect(order).toEqual(['second', 'third']);
  });
});
