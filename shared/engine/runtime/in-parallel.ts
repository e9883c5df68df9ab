/**
 * Runs tasks, some at once, and returns their values in the tasks' order.
 *
 * When one fails, no more are started, and the running ones are awaited, so that no runtime is closed while it runs.
 *
 * @param atOnce how many run at the same time, at least 1
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
 * Maps a stream, working ahead of whoever reads: the values come in the source's order all the same.
 *
 * When the reader stops, or something fails, no more is taken from the source, and the running items are awaited.
 *
 * @param ahead maximum number of items that run or wait to be read, at least 1: bounds memory
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
      throw error; // where its turn comes
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

/** Runs a work now, or when its turn comes. */
type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Limits how many works run at once; the others wait in the order of their arrival. */
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
