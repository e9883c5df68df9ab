import { expect, it } from 'vitest';
import { toneTableOf } from './tone-tables';

const STATED = { primaries: 'bt2020', matrix: 'bt2020-ncl', fullRange: false };
/** TypeScript's DOM library lacks names of wide colours. */
const tableOf = (tags: object) => toneTableOf({ ...STATED, ...tags } as VideoColorSpaceInit);

it('frames in standard range have no table, whatever else they state', () => {
  expect(tableOf({ transfer: 'bt709' })).toBeUndefined();
  expect(toneTableOf({})).toBeUndefined();
});

it('frames with the same transfer and primaries share one table', () => {
  expect(tableOf({ transfer: 'pq' })).toBe(tableOf({ transfer: 'pq', fullRange: true }));
  expect(tableOf({ transfer: 'pq' })).not.toBe(tableOf({ transfer: 'hlg' }));
});

it.each([{ primaries: null }, { matrix: null }])(
  'frames whose colours would be guessed are refused: %o',
  (missing) => {
    expect(() => tableOf({ transfer: 'pq', ...missing })).toThrow(
      /high dynamic range \(PQ\), but does not state/,
    );
  },
);
