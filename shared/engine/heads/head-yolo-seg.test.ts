import { describe, expect, it } from 'vitest';
import type { Tensor } from '../../ports/inference';
import { boxOf } from '../../testing/plans';
import type { DetectionHead } from './head';
import { yoloSeg, yoloSegEndToEnd } from './head-yolo';
import type { DetectorMask } from '../../domain/detection';

const SIDE = 64;
const NET = { width: SIDE, height: SIDE };
const CELLS = 16;
const LABELS = { 0: 'person', 1: 'vehicle', 2: 'face', 3: 'vehicle' } as const;
const WANTED = { person: 0.5, vehicle: 0.5, face: 0.5 };

/** Two prototypes: the left half of the image, and its upper half. */
const PROTOTYPES: Tensor = {
  dims: [1, 2, CELLS, CELLS],
  data: Float32Array.from({ length: 2 * CELLS * CELLS }, (_, i) => {
    const cell = i % (CELLS * CELLS);
    const isIn = i < CELLS * CELLS ? cell % CELLS < CELLS / 2 : cell < (CELLS * CELLS) / 2;
    return isIn ? 1 : -1;
  }),
};

interface TestPrediction {
  readonly box: readonly [number, number, number, number];
  readonly label: number;
  readonly score?: number;
  readonly coefficients: readonly [number, number];
}
const LEFT: TestPrediction = { box: [16, 16, 48, 48], label: 1, coefficients: [9, 0] };

const PREDICTIONS = 5;
/** Planes of four sides, three classes and two coefficients. */
const asPlanes = (...predictions: readonly TestPrediction[]): Tensor[] => {
  const data = new Float32Array(9 * PREDICTIONS);
  predictions.forEach(({ box: [x1, y1, x2, y2], label, score = 0.9, coefficients }, i) => {
    const values = [(x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1, 0, 0, 0, ...coefficients];
    values[4 + label] = score;
    values.forEach((value, plane) => (data[plane * PREDICTIONS + i] = value));
  });
  return [{ data, dims: [1, 9, PREDICTIONS] }, PROTOTYPES];
};
const asRows = (...predictions: readonly TestPrediction[]): Tensor[] => {
  const rows = predictions.map(({ box, label, score = 0.9, coefficients }) => [
    ...box,
    score,
    label,
    ...coefficients,
  ]);
  return [{ data: Float32Array.from(rows.flat()), dims: [1, predictions.length, 8] }, PROTOTYPES];
};

/** Where an outline is likelier than not, in network px. */
const boundsOfMask = ({ data, columns, x, y, scaleX, scaleY }: DetectorMask) => {
  const cells = [...data].flatMap((value, i) => (value > 0.5 ? [i] : []));
  const across = cells.map((i) => x + (i % columns) / scaleX);
  const down = cells.map((i) => y + Math.floor(i / columns) / scaleY);
  return boxOf(
    Math.min(...across),
    Math.min(...down),
    Math.max(...across) + 1 / scaleX,
    Math.max(...down) + 1 / scaleY,
  );
};

describe.each<[string, DetectionHead, (...said: readonly TestPrediction[]) => Tensor[]]>([
  ['planes', yoloSeg.decode!, asPlanes],
  ['rows, chosen by NMS', yoloSegEndToEnd.decode!, asRows],
])('a YOLO with masks, in %s', (_name, decode, outputsOf) => {
  const decodeAll = (...said: readonly TestPrediction[]) => decode(outputsOf(...said), NET, WANTED, LABELS);

  it('combines a mask from its prototypes, cropped one cell beyond the box', () => {
    const [found, ...others] = decodeAll(LEFT);
    expect(found).toMatchObject({ objectClass: 'vehicle', box: boxOf(16, 16, 48, 48) });
    // Left half of 64 px; the box is 16..48, cells are of 4 px.
    expect(boundsOfMask(found!.mask!)).toEqual(boxOf(12, 12, 32, 52));
    expect(others).toEqual([]);
    const [upper] = decodeAll({ ...LEFT, coefficients: [0, 9] });
    expect(boundsOfMask(upper!.mask!)).toEqual(boxOf(12, 12, 52, 32));
  });

  it('gives probabilities by the sigmoid of the sum', () => {
    const [found] = decodeAll({ ...LEFT, coefficients: [0.5, 0.25] });
    expect(found!.mask!.data[0]).toBeCloseTo(1 / (1 + Math.exp(-0.75)), 5);
    expect(found!.mask!.data.at(-1)).toBeCloseTo(1 / (1 + Math.exp(0.75)), 5);
  });

  it('gives a mask to the best of several boxes for one object, and reports them all', () => {
    const worse: TestPrediction = { ...LEFT, box: [17, 16, 48, 48], score: 0.8 };
    const found = decodeAll(worse, LEFT, { ...worse, label: 0 });
    expect(found.map(({ mask }) => mask !== undefined)).toEqual([false, true, true]);
  });

  it('gives no mask to a face, which is hidden with a margin around its box', () => {
    const [found] = decodeAll({ ...LEFT, label: 2 });
    expect(found).toEqual({
      objectClass: 'face',
      score: expect.closeTo(0.9, 5) as number,
      box: boxOf(16, 16, 48, 48),
    });
  });

  it('gives no mask to a box outside of the image or with NaN', () => {
    const found = decodeAll({ ...LEFT, box: [100, 100, 120, 120] }, { ...LEFT, box: [NaN, 0, 9, 9] });
    expect(found.map(({ mask }) => mask)).toEqual([undefined, undefined]);
  });

  it('is refused if its prototypes are missing or do not match the coefficients', () => {
    const [output] = outputsOf(LEFT) as [Tensor];
    const decodeWith = (prototypes?: Tensor) => () =>
      decode(prototypes ? [output, prototypes] : [output], NET, WANTED, LABELS);
    expect(decodeWith()).toThrow('prototypes');
    expect(decodeWith({ ...PROTOTYPES, dims: [1, 2, CELLS] })).toThrow('prototypes');
    expect(decodeWith({ data: new Float32Array(32), dims: [1, 32, 1, 1] })).toThrow();
    expect(decodeWith({ data: new Float32Array(257), dims: [1, 257, 1, 1] })).toThrow('prototypes');
    expect(decodeWith({ data: new Float32Array(130), dims: [1, 2, 1, 65] })).toThrow('prototypes');
  });
});

it('a YOLO with masks reads no coefficient as the score of a missing class', () => {
  const outputs = asPlanes({ ...LEFT, score: 0 });
  expect(yoloSeg.decode!(outputs, NET, WANTED, LABELS)).toEqual([]);
});
