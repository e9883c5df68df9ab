import timers from 'node:timers';
import { afterAll, expect, vi } from 'vitest';

/** Files share processes: where a fake timer stays, the tests of later files wait for ever. */
afterAll(() => {
  expect([vi.isFakeTimers(), setTimeout === timers.setTimeout], 'Timers are real again').toEqual([
    false,
    true,
  ]);
});
