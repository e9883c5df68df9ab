import { describe, expect, it } from 'vitest';
import { mapCorners, rotateAround, type Corners } from '../../domain/detection';
import { extendToEdges } from './find-text';

const SIZE = { width: 400, height: 300 };
/** A line of 100 x 20 px around a place. */
const lineAt = (x: number, y: number, degrees: number): Corners =>
  mapCorners(
    [
      [x - 50, y - 10],
      [x + 50, y - 10],
      [x + 50, y + 10],
      [x - 50, y + 10],
    ],
    (corner) => rotateAround(corner, [x, y], (degrees * Math.PI) / 180),
  );

describe('a line of text', () => {
  it('far from the edges stays as it is, at any angle', () => {
    for (const degrees of [0, 30, 90, 135]) {
      const line = lineAt(200, 150, degrees);
      const reached = extendToEdges(line, SIZE);
      line.forEach(([x, y], i) => {
        expect(reached[i]![0]).toBeCloseTo(x);
        expect(reached[i]![1]).toBeCloseTo(y);
      });
    }
  });

  it('that ends near an edge is extended to it, at the same height', () => {
    const [a, b, c, d] = extendToEdges(lineAt(65, 150, 0), SIZE);
    expect([a[0], d[0], b[0], c[0]]).toEqual([0, 0, 115, 115]);
    expect([a[1], b[1], c[1], d[1]]).toEqual([140, 140, 160, 160]);
    expect(extendToEdges(lineAt(72, 150, 0), SIZE)[0][0]).toBe(22);
  });

  it('that stands upright is extended up and down, and not to the side', () => {
    // Clockwise from the upper left corner, as the detector's decoding gives them.
    const corners = extendToEdges(
      [
        [5, 190],
        [25, 190],
        [25, 290],
        [5, 290],
      ],
      SIZE,
    );
    expect(Math.max(...corners.map(([, y]) => y))).toBeCloseTo(300);
    expect(Math.min(...corners.map(([x]) => x))).toBeCloseTo(5);
  });

  it('that leaves the image at an angle is extended until both corners of its end are outside', () => {
    const corners = extendToEdges(lineAt(200, 30, 30), SIZE);
    const outside = corners.filter(([, y]) => y <= 1e-9);
    expect(outside).toHaveLength(2);
  });
});
