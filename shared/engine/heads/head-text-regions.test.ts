import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { areConvex, cornerBounds, shorterEdge, rotateAround, type Corner } from '../../domain/detection';
import { textRegions } from './head-text-regions';

const [WIDTH, HEIGHT] = [96, 64];
const NET = { width: WIDTH, height: HEIGHT };

type Probability = (x: number, y: number) => number;
const decode = (at: Probability, minimum = 0) => {
  const data = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) => at(i % WIDTH, Math.floor(i / WIDTH)));
  return textRegions.decode!([{ data, dims: [1, 1, HEIGHT, WIDTH] }], NET, {
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
    expect(textRegions.decode!([{ data: map, dims: [1, 1, HEIGHT, WIDTH] }], NET, {})).toHaveLength(0);
  });

  it('may fill the whole map', () => {
    const [region] = decode(() => 1);
    expect(region!.score).toBe(1);
    expect(region!.box.x1).toBeLessThan(0);
    expect(region!.box.x2).toBeGreaterThan(WIDTH);
  });
});

describe('text that is to be hidden', () => {
  const decodeAs = (at: Probability, minimum: Readonly<Record<string, number>>) => {
    const data = Float32Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
      at(i % WIDTH, Math.floor(i / WIDTH)),
    );
    return textRegions.decode!([{ data, dims: [1, 1, HEIGHT, WIDTH] }], NET, minimum);
  };
  const [CENTRE_X, CENTRE_Y] = [48, 32];
  /** A kernel of 40 x 6 px around the centre, turned by some degrees. */
  const turned =
    (degrees: number): Probability =>
    (x, y) => {
      const [along, across] = rotateAround(
        [x + 0.5, y + 0.5],
        [CENTRE_X, CENTRE_Y],
        (-degrees * Math.PI) / 180,
      );
      return Math.abs(along - CENTRE_X) <= 20 && Math.abs(across - CENTRE_Y) <= 3 ? 0.9 : 0;
    };

  it.each([0, 15, 30, 45, 60, 75, 90, 120, 150])(
    'has a quadrilateral along a line turned by %i°',
    (degrees) => {
      const [text, ...others] = decodeAs(turned(degrees), { text: 0.5 });
      expect(others).toEqual([]);
      const corners = text!.corners!;
      expect(areConvex(corners)).toBe(true);
      expect(text!.box).toEqual(cornerBounds(corners));
      // Area × ratio ÷ perimeter on both sides of the kernel; a box around a turned line would be higher.
      expect(shorterEdge(corners)).toBeGreaterThan(6 + 2 * ((40 * 6 * 2) / 92));
      expect(shorterEdge(corners)).toBeLessThan(25);
      const angle = (degrees * Math.PI) / 180;
      for (const end of [-26, 26]) {
        const place: Corner = [CENTRE_X + end * Math.cos(angle), CENTRE_Y + end * Math.sin(angle)];
        const sides = corners.map(([ax, ay], i) => {
          const [bx, by] = corners[(i + 1) % 4] as Corner;
          return (bx - ax) * (place[1] - ay) - (by - ay) * (place[0] - ax);
        });
        expect(Math.min(...sides), `the end ${end}`).toBeGreaterThan(0);
      }
    },
  );

  it('scores lower if a thick region does not fill its rectangle, and a thin one does not', () => {
    const scoreOf = (at: Probability): number => decodeAs(at, { text: 0 })[0]!.score;
    const block = boxOf(10, 4, 80, 60);
    expect(scoreOf(lit(0.9, block))).toBeCloseTo(0.9);
    const halfOf = ({ x1, y1, x2, y2 }: Box): Probability => {
      const isInHalf = (x: number, y: number): boolean => (x - x1) / (x2 - x1) + (y - y1) / (y2 - y1) < 1;
      return (x, y) => (isIn(block, x, y) && isIn(boxOf(x1, y1, x2, y2), x, y) && isInHalf(x, y) ? 0.9 : 0);
    };
    expect(scoreOf(halfOf(block))).toBeLessThan(0.55);
    expect(scoreOf(halfOf(boxOf(10, 20, 80, 44)))).toBeCloseTo(0.9);
  });

  it('is decoded next to proposals for plates, and each only if its class is wanted', () => {
    const bar = lit(0.9, boxOf(20, 20, 60, 28));
    const classesFor = (minimum: Readonly<Record<string, number>>) =>
      decodeAs(bar, minimum).map(({ objectClass }) => objectClass);
    expect(classesFor({ text: 0.5 })).toEqual(['text']);
    expect(classesFor({ 'license-plate': 0.5 })).toEqual(['license-plate']);
    expect(classesFor({ 'license-plate': 0.5, text: 0.5 })).toEqual(['license-plate', 'text']);
    expect(classesFor({ 'license-plate': 0.95, text: 0.5 })).toEqual(['text']);
    expect(classesFor({ text: 0.95 })).toEqual([]);
  });
});
