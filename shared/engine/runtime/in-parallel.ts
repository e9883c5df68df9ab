/**
 * Runs tasks concurrently, and returns their values in the order of the tasks.
 *
 * After a failure no more tasks are started, and the running ones are awaited, so that no runtime is closed while it is
 * in use.
 *
 * @param atOnce maximum number of concurrent tasks, at least 1
 * @throws the first error
 */
export const runAll = async <T>(tasks: readonly (() => Promise<T>)[], atOnce: number): Promise<T[]> => {
  const values: T[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (failures.length === 0 && next < tasks.length) {
      const index = next++;
      try {
        values[index] = await (tasks[index] as () => Promise<T>)();
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, work));
  if (failures.length > 0) throw failures[0];
  return values;
};

const END = Symbol('end');

/**
 * Maps a stream, with several items processed ahead of the reader; values come in the order of the source.
 *
 * When the reader stops or an item fails, no more items are taken from the source, and the running ones are awaited.
 *
 * @param ahead maximum number of items that are processed or wait to be read, at least 1: bounds memory
 * @throws the first error in the order of the source
 */
export async function* mapAhead<T, U>(
  source: AsyncIterable<T>,
  ahead: number,
  work: (item: T) => Promise<U>,
): AsyncGenerator<U> {
  const items = source[Symbol.asyncIterator]();
  const pending: Promise<U | typeof END>[] = [];
  let taking: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  const processNext = async (turn: Promise<unknown>, onTaken: () => void): Promise<U | typeof END> => {
    try {
      await turn;
      if (hasEnded) return END;
      const { done, value } = await items.next();
      if (!done) {
        onTaken();
        return await work(value);
      }
      hasEnded = true;
      return END;
    } catch (error) {
      hasEnded = true;
      throw error; // reported in the item's turn
    } finally {
      onTaken();
    }
  };
  const take = (): void => {
    const turn = taking;
    taking = new Promise<void>((resolve) => {
      const value = processNext(turn, resolve);
      value.catch(() => undefined);
      pending.push(value);
    });
  };
  try {
    for (;;) {
      while (pending.length < ahead) take();
      const value = await (pending.shift() as Promise<U | typeof END>);
      if (value === END) return;
      yield value;
    }
  } finally {
    hasEnded = true;
    await Promise.allSettled(pending);
    await items.return?.();
  }
}

/** Runs a function now, or when its turn comes. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits the number of functions that run concurrently; others wait in the order of arrival. */
export const createGate = (atOnce: number): Gate => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
