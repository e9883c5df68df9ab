import { describe, expect, it } from 'vitest';
import { createSweepGuard, type PlannedSweep } from './retention';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

const open = (isConfirmed = false) => {
  const lines: { readonly message: string; readonly facts: unknown }[] = [];
  const log = {
    error: (message: string, _cause: unknown, facts: unknown) => void lines.push({ message, facts }),
  };
  let elapsedMs = 0;
  let nowMs = 50 * YEAR_MS;
  const guard = createSweepGuard({ system: { elapsedMs: () => elapsedMs }, log }, isConfirmed);
  return {
    lines,
    allows: (sweep: Omit<PlannedSweep, 'nowMs'>) => guard.allows({ nowMs, ...sweep }),
    /** @param jumpMs how much the clock is set */
    pass: (ms: number, jumpMs = 0) => {
      elapsedMs += ms;
      nowMs += ms + jumpMs;
    },
  };
};

describe('the first sweep', () => {
  it.each([
    [20, 20],
    [21, 210],
    [0, 0],
    [100, 1_000],
  ])('may delete %i of %i tasks', (due, all) => {
    const { allows, lines } = open();
    expect(allows({ due, all })).toBe(true);
    expect(lines).toEqual([]);
  });

  it.each([
    [21, 209],
    [101, 1_000],
    [1_000, 1_000],
  ])('may not delete %i of %i tasks, which is more than a tenth, and the log says so', (due, all) => {
    const { allows, lines } = open();
    expect(allows({ due, all })).toBe(false);
    expect(lines).toMatchObject([{ facts: { due, all } }]);
    expect(lines[0]?.message).toContain('--confirm-sweep');
  });

  it('may delete everything if that is confirmed', () => {
    expect(open(true).allows({ due: 1_000, all: 1_000 })).toBe(true);
  });
});

describe('a later sweep', () => {
  it('may delete everything that became due while time passed', () => {
    const { allows, pass } = open();
    allows({ due: 0, all: 500 });
    pass(HOUR_MS);
    expect(allows({ due: 500, all: 500 })).toBe(true);
  });

  it.each([YEAR_MS, 2 * 60_000])('may not after a clock that jumped by %i ms', (jumpMs) => {
    const { allows, pass } = open();
    allows({ due: 0, all: 500 });
    pass(HOUR_MS, jumpMs);
    expect(allows({ due: 500, all: 500 })).toBe(false);
    pass(HOUR_MS);
    expect(allows({ due: 500, all: 500 })).toBe(false);
  });

  it('goes on when the clock was set right again', () => {
    const { allows, pass } = open();
    allows({ due: 0, all: 500 });
    pass(HOUR_MS, YEAR_MS);
    allows({ due: 500, all: 500 });
    pass(HOUR_MS, -YEAR_MS);
    expect(allows({ due: 5, all: 500 })).toBe(true);
  });
});
