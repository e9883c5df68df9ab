import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { textRegions } from './head-text-regions';

const [WIDTH, HEIGHT] = [96, 64];

type Probability = (x: number, y: number) => number;
const decode = (at: Probability, minimum = 0) => {
  const data = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => at(i % WIDTH, Math.floor(i / WIDTH)));
  return textRegions.decode!([{ data, dims: [1, 1, HEIGHT, WIDTH] }], WIDTH, HEIGHT, {
    'license-plate': minimum,
  });
};
const isIn = ({ x1, y1, x2, y2 }: Box, x: number, y: number): boolean =>
  x >= x1 && x < x2 && y >= y1 && y < y2;
const lit =
  (probability: number, ...boxes: readonly Box[]): Probability =>
  (x, y) =>
    boxes.some((box) => isIn(box, x, y)) ? probability : 0;

describe('text regions', () => {
  const bar = boxOf(20, 20, 60, 28);

  it('are scored by the mean probability of their pixels', () => {
    const [region, ...others] = decode((x, y) => (isIn(bar, x, y) ? (x < 40 ? 0.9 : 0.7) : 0));
    expect(others).toEqual([]);
    expect(region).toMatchObject({ objectClass: 'license-plate' });
    expect(region!.score).toBeCloseTo(0.8);
  });

  it('are grown from the text kernel to the whole text', () => {
    const [region] = decode(lit(0.9, bar));
    /* Area × ratio ÷ perimeter, and an eighth of the height for edge strokes. */
    const margin = (40 * 8 * 2) / 96 + 0.12 * 8;
    for (const [side, expected] of [
      ['x1', 20 - margin],
      ['y1', 20 - margin],
      ['x2', 60 + margin],
      ['y2', 28 + margin],
    ] as const) {
      expect(region!.box[side]).toBeCloseTo(expected);
    }
  });

  it('are separate if a column of pixels between them is below the threshold', () => {
    const boxes = decode(lit(0.9, boxOf(10, 20, 30, 28), boxOf(31, 20, 50, 28))).map(({ box }) => box);
    expect(boxes).toHaveLength(2);
  });

  it('are one region if they touch at a side, and two if they touch only at a corner', () => {
    expect(decode(lit(0.9, boxOf(10, 20, 30, 28), boxOf(30, 24, 50, 30)))).toHaveLength(1);
    expect(decode(lit(0.9, boxOf(10, 20, 30, 28), boxOf(30, 28, 50, 36)))).toHaveLength(2);
  });

  it('are detected at every border of the map', () => {
    const corners = [boxOf(0, 0, 12, 4), boxOf(84, 0, 96, 4), boxOf(0, 60, 12, 64), boxOf(84, 60, 96, 64)];
    const found = decode(lit(0.9, ...corners));
    expect(found).toHaveLength(4);
    for (const { box } of found) expect(boxWidth(box)).toBeGreaterThan(boxHeight(box));
  });

  it('do not continue at the other side of the map', () => {
    expect(decode(lit(0.9, boxOf(84, 18, 96, 26), boxOf(0, 20, 12, 26), boxOf(0, 27, 12, 30)))).toHaveLength(
      3,
    );
  });

  it('begin at a probability of 0.3', () => {
    expect(decode(lit(0.31, bar))).toHaveLength(1);
    expect(decode(lit(0.29, bar))).toHaveLength(0);
  });

  it('have a minimum number of pixels', () => {
    expect(decode(lit(0.9, boxOf(40, 40, 44, 42)))).toHaveLength(0);
    expect(decode(lit(0.9, boxOf(40, 40, 46, 43)))).toHaveLength(1);
  });

  it('may be slanted', () => {
    const leaning = decode((x, y) => (Math.abs(y - 20 - 0.3 * (x - 20)) < 4 && x >= 20 && x < 70 ? 0.9 : 0));
    expect(leaning).toHaveLength(1);
  });

  it('are reported from the minimum score on, and not at all if plates are not wanted', () => {
    expect(decode(lit(0.6, bar), 0.59)).toHaveLength(1);
    expect(decode(lit(0.6, bar), 0.61)).toHaveLength(0);
    const map = new Float32Array(WIDTH * HEIGHT).fill(0.9);
    expect(textRegions.decode!([{ data: map, dims: [1, 1, HEIGHT, WIDTH] }], WIDTH, HEIGHT, {})).toHaveLength(
      0,
    );
  });

  it('may fill the whole map', () => {
    const [region] = decode(() => 1);
    expect(region!.score).toBe(1);
    expect(region!.box.x1).toBeLessThan(0);
    expect(region!.box.x2).toBeGreaterThan(WIDTH);
  });
});
