import { describe, expect, it } from 'vitest';
import { EngineLost, createRetrying } from './process-engine';

const NEVER = new AbortController().signal;
const lost = (isBlameless = false): EngineLost => new EngineLost('killed', isBlameless);

/** Work that fails with these errors, one after another, and then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const left = [...errors];
  let runs = 0;
  const work = async (): Promise<number> => {
    runs += 1;
    const error = left.shift();
    if (error) throw error;
    return runs;
  };
  return work;
};

describe('work whose engine ends', () => {
  it('is repeated, and ends like any other', async () => {
    expect(await createRetrying()(failing(lost()), NEVER)).toBe(2);
  });

  it('may end the engine twice while it runs alone', async () => {
    expect(await createRetrying()(failing(lost(), lost(), lost()), NEVER)).toBe(4);
  });

  it('fails with a sentence if it ends the engine three times while it runs alone', async () => {
    const work = failing(lost(), lost(), lost(), lost());
    await expect(createRetrying()(work, NEVER)).rejects.toMatchObject({
      failure: { kind: 'interrupted', sentence: expect.stringContaining('3 times') },
    });
  });

  it('loses no attempt if another call was the reason', async () => {
    const many = Array.from({ length: 10 }, () => lost(true));
    expect(await createRetrying()(failing(...many), NEVER)).toBe(11);
  });

  it('is blamed after many ends without blame', async () => {
    const many = Array.from({ length: 100 }, () => lost(true));
    await expect(createRetrying()(failing(...many), NEVER)).rejects.toMatchObject({
      failure: { kind: 'interrupted' },
    });
  });

  it('fails at once by an error of its own', async () => {
    await expect(createRetrying()(failing(new RangeError('a fault')), NEVER)).rejects.toThrow('a fault');
  });

  it('is not repeated after its abort', async () => {
    const abort = new AbortController();
    const work = async (): Promise<never> => {
      abort.abort(new Error('deleted'));
      throw lost();
    };
    await expect(createRetrying()(work, abort.signal)).rejects.toThrow('deleted');
  });
});

it('after the end of the engine, pieces of work run one at a time', async () => {
  const retrying = createRetrying();
  let running = 0;
  let atOnce = 0;
  const work = () => {
    let isFirst = true;
    return async (): Promise<void> => {
      running += 1;
      const isRepeated = !isFirst;
      if (isRepeated) atOnce = Math.max(atOnce, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      isFirst = false;
      if (!isRepeated) throw lost();
    };
  };
  await Promise.all(Array.from({ length: 5 }, () => retrying(work(), NEVER)));
  expect(atOnce).toBe(1);
});
