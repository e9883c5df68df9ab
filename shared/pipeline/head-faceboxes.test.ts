import { describe, expect, it } from 'vitest';
import type { Tensor } from '../ports/inference';
import { decodeFaceBoxes } from './head-faceboxes';

const NET = { width: 256, height: 128 };
const STRIDES = [32, 64, 128] as const;
const ANCHORS = [21, 1, 1] as const;

/** Outputs in which nothing is found, yet. */
const emptyOutputs = (): Tensor[] =>
  STRIDES.flatMap((stride, level) => {
    const [columns, rows] = [NET.width / stride, NET.height / stride];
    const anchors = ANCHORS[level] as number;
    return [4 * anchors, anchors].map((planes) => ({
      data: new Float32Array(planes * columns * rows),
      dims: [1, planes, rows, columns],
    }));
  });

interface Answer {
  readonly level: 0 | 1 | 2;
  readonly anchor: number;
  readonly column: number;
  readonly row: number;
  readonly score: number;
  readonly code?: readonly [ty: number, tx: number, th: number, tw: number];
}
const outputsWith = (...answers: readonly Answer[]): Tensor[] => {
  const outputs = emptyOutputs();
  for (const { level, anchor, column, row, score, code = [0, 0, 0, 0] } of answers) {
    const columns = NET.width / STRIDES[level];
    const cells = columns * (NET.height / STRIDES[level]);
    const cell = row * columns + column;
    outputs[2 * level + 1]!.data[anchor * cells + cell] = score;
    code.forEach((value, plane) => (outputs[2 * level]!.data[(4 * anchor + plane) * cells + cell] = value));
  }
  return outputs;
};
const decode = (minimum: number, ...answers: readonly Answer[]) =>
  decodeFaceBoxes(outputsWith(...answers), NET.width, NET.height, { face: minimum });
const square = (cx: number, cy: number, side: number) => ({
  x1: cx - side / 2,
  y1: cy - side / 2,
  x2: cx + side / 2,
  y2: cy + side / 2,
});

describe('FaceBoxes', () => {
  /* Of a cell at column 2, row 1: its corner is (64, 32). */
  it.each([
    ['the first small anchor', 0, square(68, 36, 32)],
    ['the next one, further down', 1, square(68, 44, 32)],
    ['the fifth, a column further', 4, square(76, 36, 32)],
    ['the last small one', 15, square(92, 60, 32)],
    ['the first middling one', 16, square(64, 32, 64)],
    ['the second, further down', 17, square(64, 64, 64)],
    ['the third, further right', 18, square(96, 32, 64)],
    ['the last middling one', 19, square(96, 64, 64)],
    ['the large one in the middle', 20, square(80, 48, 128)],
  ] as const)('finds a face at %s', (_name, anchor, box) => {
    expect(decode(0.5, { level: 0, anchor, column: 2, row: 1, score: 0.8 })).toEqual([
      { objectClass: 'face', score: Math.fround(0.8), box },
    ]);
  });

  it('finds the largest faces at the coarser strides', () => {
    const [middle, far] = decode(
      0.5,
      { level: 1, anchor: 0, column: 3, row: 1, score: 0.8 },
      { level: 2, anchor: 0, column: 1, row: 0, score: 0.9 },
    );
    expect(middle!.box).toEqual(square(224, 96, 256));
    expect(far!.box).toEqual(square(192, 64, 512));
  });

  it('moves the centre by tenths of the anchor, and sizes it by fifths of a logarithm', () => {
    const [face] = decode(0.5, {
      level: 0,
      anchor: 20,
      column: 0,
      row: 0,
      score: 0.8,
      code: [5, -2.5, 5 * Math.log(2), 5 * Math.log(0.5)],
    });
    const [cx, cy] = [16 - 0.25 * 128, 16 + 0.5 * 128];
    expect(face!.box.x1).toBeCloseTo(cx - 32, 3);
    expect(face!.box.x2).toBeCloseTo(cx + 32, 3);
    expect(face!.box.y1).toBeCloseTo(cy - 128, 3);
    expect(face!.box.y2).toBeCloseTo(cy + 128, 3);
  });

  it('reports from the asked score on, and nothing where no faces are wanted', () => {
    const at = { level: 0, anchor: 3, column: 1, row: 1 } as const;
    expect(decode(0.5, { ...at, score: 0.5 })).toHaveLength(1);
    expect(decode(0.5, { ...at, score: 0.49 })).toHaveLength(0);
    const outputs = outputsWith({ ...at, score: 0.99 });
    expect(decodeFaceBoxes(outputs, NET.width, NET.height, {})).toHaveLength(0);
  });
});
