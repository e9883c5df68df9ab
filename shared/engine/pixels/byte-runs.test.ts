import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../testing/rasters';
import { byteRow, endOfRun } from './runs';

/** Runs of odd lengths, beginning so many bytes behind a word boundary. */
const runsOfBytes = (seed: number, offset: number): Uint8Array => {
  const random = seededRandom(seed);
  const bytes = new Uint8Array(400);
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + Math.floor(random() * 20);
    bytes.fill([0, 1, 254, 255][Math.floor(random() * 4)] as number, at, end);
    at = end;
  }
  return bytes.subarray(offset);
};

describe('a run of equal bytes', () => {
  it('ends where another value begins, or where the search does', () => {
    for (let seed = 0; seed < 12; seed++) {
      const bytes = runsOfBytes(seed, seed % 4);
      const row = byteRow(bytes);
      for (let from = 0; from < bytes.length; from++) {
        for (const to of [from + 1, from + 7, bytes.length].filter((end) => end <= bytes.length)) {
          let end = from;
          while (end < to && bytes[end] === bytes[from]) end++;
          expect(endOfRun(row, from, to), `${seed}: ${from} to ${to}`).toBe(end);
        }
      }
    }
  });
});
