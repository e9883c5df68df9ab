import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../ports/inference';
import { boxOf } from '../../testing/plans';
import type { DetectionHead } from './head';
import { centerface } from './head-centre-points';
import { yolo, yoloEndToEnd } from './head-yolo';
import { yolox, yunet } from './head-cells';

const SIDE = 64;
const NET = { width: SIDE, height: SIDE };
const STRIDES = [8, 16, 32];
const cellsAt = (stride: number): number => (SIDE / stride) ** 2;
const tensor = (dims: readonly number[]): Tensor => ({
  data: new Float32Array(dims.reduce((product, dim) => product * dim, 1)),
  dims,
});
const LABELS = { 0: 'person', 2: 'vehicle', 7: 'vehicle' } as const;
const near = (box: object): unknown =>
  Object.fromEntries(
    Object.entries(box).map(([side, at]) => [side, expect.closeTo(at as number, 3) as number]),
  );

describe('YuNet', () => {
  const outputsWith = (level: number, cell: number, classScore: number, objectness: number): Tensor[] => {
    const outputs = [1, 1, 4].flatMap((width) =>
      STRIDES.map((stride) => tensor([1, cellsAt(stride), width])),
    );
    outputs[level]!.data[cell] = classScore;
    outputs[3 + level]!.data[cell] = objectness;
    outputs[6 + level]!.data.set([0.5, 0.25, Math.log(2), Math.log(3)], 4 * cell);
    return outputs;
  };

  it('places a box by its cell and stride; its score is the root of the product of both probabilities', () => {
    const [found] = yunet.decode!(outputsWith(1, 6, 0.81, 0.64), NET, { face: 0.5 });
    expect(found).toMatchObject({ objectClass: 'face', score: expect.closeTo(0.72, 5) as number });
    // Cell 6 of 4 × 4: column 2, row 1; centre (2.5, 1.25) × 16, sides 2 × 16 and 3 × 16.
    expect(found?.box).toEqual(near(boxOf(24, -4, 56, 44)));
  });

  it('reports no face below the minimum score, no unwanted face, and no NaN', () => {
    expect(yunet.decode!(outputsWith(0, 0, 0.81, 0.64), NET, { face: 0.73 })).toEqual([]);
    expect(yunet.decode!(outputsWith(0, 0, 1, 1), NET, { person: 0.1 })).toEqual([]);
    expect(yunet.decode!(outputsWith(0, 0, Number.NaN, 1), NET, { face: 0.1 })).toEqual([]);
  });
});

describe('CenterFace', () => {
  it('reads height before width, and down before right', () => {
    const cells = (SIDE / 4) ** 2;
    const outputs = [1, 2, 2].map((planes) => tensor([1, planes, SIDE / 4, SIDE / 4]));
    const cell = 3 * 16 + 5;
    outputs[0]!.data[cell] = 0.9;
    outputs[1]!.data[cell] = Math.log(6);
    outputs[1]!.data[cells + cell] = Math.log(2);
    outputs[2]!.data[cell] = 0.5;
    outputs[2]!.data[cells + cell] = 0.25;
    const [found, ...others] = centerface.decode!(outputs, NET, { face: 0.5 });
    // Centre: x (5 + 0.25 + 0.5) × 4 = 23, y (3 + 0.5 + 0.5) × 4 = 16; height 24, width 8.
    expect(found?.box).toEqual(near(boxOf(19, 4, 27, 28)));
    expect(others).toEqual([]);
  });
});

describe('YOLOX', () => {
  const ROW = 5 + 8;
  const outputWith = (row: number, label: number, objectness: number, probability: number): Tensor => {
    const output = tensor([1, STRIDES.reduce((sum, stride) => sum + cellsAt(stride), 0), ROW]);
    output.data.set([0.5, 0.5, Math.log(2), Math.log(1), objectness], row * ROW);
    output.data[row * ROW + 5 + label] = probability;
    return output;
  };

  it('takes the stride of a row from its position', () => {
    const boxes = [0, 64 + 5, 64 + 16 + 3].map(
      (row) => yolox.decode!([outputWith(row, 0, 1, 1)], NET, { person: 0.5 }, LABELS)[0]?.box,
    );
    expect(boxes[0]).toEqual(near(boxOf(-4, 0, 12, 8)));
    expect(boxes[1]).toEqual(near(boxOf(8, 16, 40, 32)));
    expect(boxes[2]).toEqual(near(boxOf(16, 32, 80, 64)));
  });

  it('scores a row by objectness × class probability', () => {
    const [found] = yolox.decode!([outputWith(0, 2, 0.8, 0.5)], NET, { vehicle: 0.3 }, LABELS);
    expect(found).toMatchObject({ objectClass: 'vehicle', score: expect.closeTo(0.4, 5) as number });
    expect(yolox.decode!([outputWith(0, 2, 0.8, 0.5)], NET, { vehicle: 0.41 }, LABELS)).toEqual([]);
  });
});

describe('YOLO without NMS', () => {
  const outputWith = (label: number, score: number): Tensor => {
    const [classes, predictions] = [8, 10];
    const output = tensor([1, 4 + classes, predictions]);
    [30, 20, 10, 8].forEach((value, plane) => (output.data[plane * predictions + 4] = value));
    output.data[(4 + label) * predictions + 4] = score;
    return output;
  };

  it('reads centre and sides from planes', () => {
    expect(yolo.decode!([outputWith(7, 0.75)], NET, { vehicle: 0.5 }, LABELS)).toEqual([
      { objectClass: 'vehicle', score: 0.75, box: boxOf(25, 16, 35, 24) },
    ]);
  });
});

describe('YOLO with NMS in its graph', () => {
  const SEVEN: Tensor = { data: Float32Array.of(0, 1, 2, 30, 40, 2, 0.75), dims: [1, 7] };
  const SIX: Tensor = { data: Float32Array.of(1, 2, 30, 40, 0.75, 2), dims: [1, 1, 6] };
  const expected = [{ objectClass: 'vehicle', score: 0.75, box: boxOf(1, 2, 30, 40) }];

  it('reads rows of seven and of six values', () => {
    expect(yoloEndToEnd.decode!([SEVEN], NET, { vehicle: 0.5 }, LABELS)).toEqual(expected);
    expect(yoloEndToEnd.decode!([SIX], NET, { vehicle: 0.5 }, LABELS)).toEqual(expected);
  });

  it('returns nothing without rows, and refuses rows of another length', () => {
    const none = { data: new Float32Array(0), dims: [0, 7] };
    expect(yoloEndToEnd.decode!([none], NET, { vehicle: 0.5 }, LABELS)).toEqual([]);
    expect(() => yoloEndToEnd.decode!([tensor([1, 5])], NET, { vehicle: 0.5 }, LABELS)).toThrow('5 values');
  });
});

describe.each<[string, DetectionHead, Tensor]>([
  ['YOLOX', yolox.decode!, { ...tensor([1, 84, 13]), data: new Float32Array(84 * 13).fill(1) }],
  ['YOLO without NMS', yolo.decode!, { ...tensor([1, 12, 10]), data: new Float32Array(120).fill(1) }],
  ['YOLO with NMS', yoloEndToEnd.decode!, { data: Float32Array.of(0, 1, 2, 3, 4, 5, 1), dims: [1, 7] }],
])('a class that maps to none of ours, %s', (_name, decode, output) => {
  it('is not reported', () => {
    expect(decode([output], NET, { person: 0.1, vehicle: 0.1 }, { 6: 'person' })).toHaveLength(
      decode === yoloEndToEnd.decode! ? 0 : output.dims[1] === 84 ? 84 : 10,
    );
    expect(decode([output], NET, { person: 0.1, vehicle: 0.1 })).toEqual([]);
    expect(decode([output], NET, {}, LABELS)).toEqual([]);
  });
});
