import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../ports/inference';
import { boxOf } from '../../testing/plans';
import { centernet } from './head-centre-points';
import type { DetectionHead } from './head';

const NET = { width: 64, height: 32 };
const [COLUMNS, ROWS] = [NET.width / 4, NET.height / 4];
const CELLS = COLUMNS * ROWS;

const outputsWith = (
  ...peaks: readonly { plane: number; column: number; row: number; score: number; sides: readonly number[] }[]
): Tensor[] => {
  const scores = { data: new Float32Array(7 * CELLS), dims: [1, 7, ROWS, COLUMNS] };
  const sides = { data: new Float32Array(4 * CELLS), dims: [1, 4, ROWS, COLUMNS] };
  for (const peak of peaks) {
    const cell = peak.row * COLUMNS + peak.column;
    scores.data[peak.plane * CELLS + cell] = peak.score;
    peak.sides.forEach((side, plane) => (sides.data[plane * CELLS + cell] = side));
  }
  return [scores, sides];
};
const PEAK = { plane: 0, column: 5, row: 3, score: 0.75, sides: [6, 7, 10, 11] };

describe('CenterNet', () => {
  it('makes a box from a peak’s distances to the four sides, with the right side moved out by one px', () => {
    expect(centernet.decode!(outputsWith(PEAK), NET, { person: 0.5 })).toEqual([
      { objectClass: 'person', score: 0.75, box: boxOf(14, 5, 31, 23) },
    ]);
  });

  it('takes the first plane for persons and the six others for vehicles', () => {
    const classes = Array.from({ length: 7 }, (_, plane) =>
      centernet.decode!(outputsWith({ ...PEAK, plane }), NET, {
        person: 0.5,
        vehicle: 0.5,
      }).map(({ objectClass }) => objectClass),
    );
    expect(classes).toEqual([['person'], ...Array.from({ length: 6 }, () => ['vehicle'])]);
  });

  it('applies each class’s own minimum score, and reports no unwanted class', () => {
    const outputs = outputsWith(PEAK, { ...PEAK, plane: 2, column: 9, score: 0.4 });
    const classes = (minimum: Parameters<DetectionHead>[2]): string[] =>
      centernet.decode!(outputs, NET, minimum).map(({ objectClass }) => objectClass);
    expect(classes({ person: 0.75, vehicle: 0.25 })).toEqual(['person', 'vehicle']);
    expect(classes({ person: 0.76, vehicle: 0.25 })).toEqual(['vehicle']);
    expect(classes({ person: 0.1 })).toEqual(['person']);
    expect(classes({})).toEqual([]);
  });

  it('finds peaks in the first and the last cell', () => {
    const corners = outputsWith(
      { ...PEAK, column: 0, row: 0 },
      { ...PEAK, column: COLUMNS - 1, row: ROWS - 1 },
    );
    const boxes = centernet.decode!(corners, NET, { person: 0.5 }).map(({ box }) => box);
    expect(boxes).toEqual([boxOf(-6, -7, 11, 11), boxOf(54, 21, 71, 39)]);
  });
});
