import { describe, expect, it } from 'vitest';
import { plateCorners } from './head-centre-points';

const NET = { width: 64, height: 32 };
const [COLUMNS, ROWS] = [NET.width / 4, NET.height / 4];
const CELLS = COLUMNS * ROWS;

/** A plate whose centre lies in a cell, its corners that far from there. */
interface Peak {
  readonly column: number;
  readonly row: number;
  readonly score: number;
  readonly corners: readonly number[];
}
const outputsWith = (...peaks: readonly Peak[]) => {
  const scores = new Float32Array(CELLS);
  const corners = new Float32Array(8 * CELLS);
  for (const peak of peaks) {
    const cell = peak.row * COLUMNS + peak.column;
    scores[cell] = peak.score;
    peak.corners.forEach((at, plane) => (corners[plane * CELLS + cell] = at));
  }
  return [
    { data: scores, dims: [1, 1, ROWS, COLUMNS] },
    { data: corners, dims: [1, 8, ROWS, COLUMNS] },
  ];
};
const TILTED: Peak = { column: 7, row: 3, score: 0.75, corners: [-12, -6, 10, -2, 12, 6, -10, 2] };
const decode = (
  outputs: ReturnType<typeof outputsWith>,
  minimum: Partial<Record<'license-plate' | 'face', number>>,
) => plateCorners.decode!(outputs, NET, minimum);

describe('the plate head', () => {
  it('reads corners clockwise from the upper left, relative to the middle of the peak’s cell', () => {
    const [plate] = decode(outputsWith(TILTED), { 'license-plate': 0.3 });
    expect(plate).toEqual({
      objectClass: 'license-plate',
      score: 0.75,
      corners: [
        [18, 8],
        [40, 12],
        [42, 20],
        [20, 16],
      ],
      box: { x1: 18, y1: 8, x2: 42, y2: 20 },
    });
  });

  it('detects both of two plates in one row', () => {
    const other = { ...TILTED, column: 12, score: 0.5 };
    expect(decode(outputsWith(TILTED, other), { 'license-plate': 0.3 })).toHaveLength(2);
  });

  it('reports no plate below the minimum score, and none if plates are not wanted', () => {
    expect(decode(outputsWith(TILTED), { 'license-plate': 0.8 })).toEqual([]);
    expect(decode(outputsWith(TILTED), { face: 0.1 })).toEqual([]);
  });
});
