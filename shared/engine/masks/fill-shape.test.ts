import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { boxWidth, type Box } from '../../domain/boxes';
import { fillShape, shapeBounds } from './fill-shape';
import type { Shape } from '../../domain/plan';
import { encodeRuns } from '../pixels/runs';

const fill = (shape: Shape, window: Box): Uint8Array => {
  const alpha = new Uint8Array(boxWidth(window) * (window.y2 - window.y1));
  fillShape(shape, window, alpha);
  return alpha;
};
/** One string a row, `#` where hidden. */
const draw = (shape: Shape, width: number, height: number): string[] => {
  const alpha = fill(shape, boxOf(0, 0, width, height));
  return Array.from({ length: height }, (_, y) =>
    [...alpha.subarray(y * width, (y + 1) * width)].map((value) => (value === 255 ? '#' : '.')).join(''),
  );
};

/** How far a point is inside, by the shape's own definition, without the code under test. */
const contains = (shape: Shape, x: number, y: number): boolean => {
  if (shape.kind === 'quad') {
    return shape.corners.every(([ax, ay], i) => {
      const [bx, by] = shape.corners[(i + 1) % 4] as readonly [number, number];
      return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
    });
  }
  if (shape.kind === 'runs') throw new Error('runs have no formula');
  const { x1, y1, x2, y2 } = shape.box;
  if (shape.kind === 'box') return x >= x1 && x <= x2 && y >= y1 && y <= y2;
  const exponent = shape.kind === 'ellipse' ? 2 : shape.exponent;
  const u = Math.abs(x - (x1 + x2) / 2) / ((x2 - x1) / 2);
  const v = Math.abs(y - (y1 + y2) / 2) / ((y2 - y1) / 2);
  return u ** exponent + v ** exponent <= 1;
};

const ODD_SHAPES: readonly (readonly [string, Shape])[] = [
  ['a box off the pixel grid', { kind: 'box', box: boxOf(3.3, 4.7, 20.2, 9.1) }],
  ['an ellipse off the pixel grid', { kind: 'ellipse', box: boxOf(2.4, 3.2, 24.6, 21.3) }],
  [
    'a flat ellipse whose middle lies near a pixel edge',
    { kind: 'ellipse', box: boxOf(0.96, 1.7, 29.04, 6.7) },
  ],
  ['a superellipse', { kind: 'superellipse', box: boxOf(1.5, 2.2, 28.1, 17.9), exponent: 3 }],
  [
    'a leaning quad',
    {
      kind: 'quad',
      corners: [
        [4.2, 3.4],
        [25.3, 7.6],
        [26.1, 17.3],
        [3.1, 12.2],
      ],
    },
  ],
];

describe('a filled shape', () => {
  it.each(ODD_SHAPES)('hides every pixel that %s touches', (_name, shape) => {
    const alpha = fill(shape, boxOf(0, 0, 30, 30));
    const missed: string[] = [];
    const steps = 20;
    for (let i = 0; i < 30 * steps; i++) {
      for (let j = 0; j < 30 * steps; j++) {
        const [x, y] = [(i + 0.5) / steps, (j + 0.5) / steps];
        if (contains(shape, x, y) && alpha[Math.floor(y) * 30 + Math.floor(x)] !== 255) {
          missed.push(`${x},${y}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it.each(ODD_SHAPES)('hides no pixel far from %s', (_name, shape) => {
    const alpha = fill(shape, boxOf(0, 0, 30, 30));
    for (let y = 0; y < 30; y++) {
      for (let x = 0; x < 30; x++) {
        if (alpha[y * 30 + x] === 0) continue;
        const touched = [-1, 0, 0.5, 1, 2].some((dx) =>
          [-1, 0, 0.5, 1, 2].some((dy) => contains(shape, x + dx, y + dy)),
        );
        expect(touched, `${x},${y}`).toBe(true);
      }
    }
  });

  it('covers a whole-pixel box exactly', () => {
    expect(draw({ kind: 'box', box: boxOf(1, 1, 4, 3) }, 6, 4)).toEqual([
      '......',
      '.###..',
      '.###..',
      '......',
    ]);
  });

  it('hides a pixel of which a box covers a tenth', () => {
    expect(draw({ kind: 'box', box: boxOf(1.9, 0.9, 3.1, 1.1) }, 5, 3)).toEqual(['.###.', '.###.', '.....']);
  });

  it('covers more of the corners as a superellipse than as an ellipse', () => {
    const covered = (shape: Shape): number =>
      fill(shape, boxOf(0, 0, 40, 40)).filter((value) => value > 0).length;
    const box = boxOf(2, 2, 38, 38);
    expect(covered({ kind: 'superellipse', box, exponent: 3 })).toBeGreaterThan(
      covered({ kind: 'ellipse', box }),
    );
  });

  it('is clipped at the edges of its window', () => {
    for (const [, shape] of ODD_SHAPES) {
      const whole = fill(shape, boxOf(0, 0, 30, 30));
      const window = boxOf(7, 5, 19, 13);
      const part = fill(shape, window);
      for (let y = window.y1; y < window.y2; y++) {
        const row = whole.subarray(y * 30 + window.x1, y * 30 + window.x2);
        expect([...part.subarray((y - 5) * 12, (y - 4) * 12)]).toEqual([...row]);
      }
    }
  });

  it('does not change a window outside of it', () => {
    for (const [, shape] of ODD_SHAPES) expect(fill(shape, boxOf(40, 40, 50, 50)).some(Boolean)).toBe(false);
  });

  it('reproduces a mask from its runs, pixel by pixel', () => {
    const rows = ['..##.', '.#.#.', '##..#'];
    const mask = Uint8Array.from(rows.join(''), (cell) => (cell === '#' ? 1 : 0));
    const shape: Shape = { kind: 'runs', box: boxOf(2, 1, 7, 4), runs: encodeRuns(mask) };
    expect(draw(shape, 9, 5)).toEqual(['.........', '....##...', '...#.#...', '..##..#..', '.........']);
    expect(draw({ ...shape, box: boxOf(-2, -1, 3, 2) }, 3, 2)).toEqual(['.#.', '..#']);
  });

  it('is bounded by its box, or by its corners', () => {
    expect(shapeBounds(ODD_SHAPES[0]![1])).toEqual(boxOf(3.3, 4.7, 20.2, 9.1));
    expect(shapeBounds(ODD_SHAPES[4]![1])).toEqual(boxOf(3.1, 3.4, 26.1, 17.3));
  });
});
