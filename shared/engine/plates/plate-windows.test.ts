import { describe, expect, it } from 'vitest';
import { bluePlateNet, loadedModel, modelEntry, PLATE_SETTINGS } from '../../testing/fake-models';
import { boxOf } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import { mapCorners, rotateAround } from '../../domain/detection';
import { fitLongSide } from '../pixels/letterbox';
import { scoreWindows, scan, viewOn, windowAround } from './plate-windows';
import { createPyramid, type Pyramid } from '../pixels/pyramid';

const CLASSIFIER = loadedModel(
  modelEntry('classifier', 'plate-windows', ['license-plate']),
  bluePlateNet(0.8),
);
const WINDOW = PLATE_SETTINGS.window;
const PLATE = boxOf(300, 200, 380, 220);
const { signal } = new AbortController();

const imageOf = (...plates: readonly Box[]) =>
  createPyramid(
    createRaster(640, 400, (x, y) =>
      plates.some(({ x1, y1, x2, y2 }) => x >= x1 && x < x2 && y >= y1 && y < y2)
        ? [0, 0, 255]
        : [60, 60, 60],
    ),
  );
const runOn = (pyramid: Pyramid) => ({ pyramid, model: CLASSIFIER, signal });
const expectNear = (box: Box, truth: Box, px: number): void => {
  for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
    expect(Math.abs(box[side] - truth[side]), side).toBeLessThanOrEqual(px);
  }
};

describe('a window', () => {
  it('is 1.8 times as wide as its proposal, twice as wide as high, around the same centre', () => {
    expect(windowAround(boxOf(100, 40, 200, 60), WINDOW, false)).toEqual({
      x: 60,
      y: 5,
      width: 180,
      height: 90,
      wraps: false,
    });
  });

  it('contains an upright proposal too', () => {
    expect(windowAround(boxOf(100, 40, 110, 140), WINDOW, false).height).toBeCloseTo(180);
  });
});

describe('a reading', () => {
  it('is at the plate’s place, also if the proposal is not centred', async () => {
    const proposals = [PLATE, boxOf(285, 195, 365, 225), boxOf(330, 190, 420, 230)];
    const windows = proposals.map((box) => windowAround(box, WINDOW, false));
    const readings = await scoreWindows(windows, runOn(imageOf(PLATE)));
    expect(readings).toHaveLength(3);
    for (const { score, box, corners } of readings) {
      expect(score).toBeCloseTo(0.8);
      expectNear(box, PLATE, 3);
      expect(corners[2]).toEqual([box.x2, box.y2]);
    }
  });

  it('comes in the order of the windows, in several batches too', async () => {
    const elsewhere = windowAround(boxOf(20, 20, 60, 30), WINDOW, false);
    const windows = Array.from({ length: 60 }, (_, i) =>
      i === 41 ? windowAround(PLATE, WINDOW, false) : elsewhere,
    );
    const readings = await scoreWindows(windows, runOn(imageOf(PLATE)));
    expect(readings.flatMap(({ score }, i) => (score > 0 ? [i] : []))).toEqual([41]);
  });

  it('is not computed after an abort', async () => {
    const run = { ...runOn(imageOf()), signal: AbortSignal.abort() };
    const stopped = scoreWindows([windowAround(PLATE, WINDOW, false)], run);
    await expect(stopped).rejects.toThrow();
  });
});

describe('a turned window', () => {
  const angle = Math.PI / 7;
  const [x, y] = [320, 200];
  const [along, across] = [60, 15];
  const tilted = createPyramid(
    createRaster(640, 400, (column, row) => {
      const [level, down] = rotateAround([column + 0.5, row + 0.5], [x, y], -angle);
      return Math.abs(level - x) < along && Math.abs(down - y) < across ? [0, 0, 255] : [60, 60, 60];
    }),
  );
  const corners = mapCorners(
    [
      [x - along, y - across],
      [x + along, y - across],
      [x + along, y + across],
      [x - along, y + across],
    ],
    (corner) => rotateAround(corner, [x, y], angle),
  );

  it('around a tilted plate is as wide as around a level one', () => {
    const { width, height } = viewOn({ corners, angle }, 1, WINDOW, false);
    expect([width, height]).toEqual([1.8 * 2 * along, 0.9 * 2 * along].map((px) => expect.closeTo(px)));
  });

  it('reads the corners of a tilted plate in px of the image', async () => {
    const view = viewOn({ corners, angle }, 1.2, WINDOW, false);
    const [reading] = await scoreWindows([view], runOn(tilted));
    reading!.corners.forEach((corner, i) =>
      expect(Math.hypot(corner[0] - corners[i]![0], corner[1] - corners[i]![1])).toBeLessThan(4),
    );
  });
});

describe('a scan', () => {
  const area = { x: 200, y: 100, width: 320, height: 240, wraps: false };

  it('finds a plate anywhere in its part of the image, at any scale', async () => {
    for (const longSide of [160, 320, 640]) {
      const [reading] = await scan(fitLongSide(area, longSide, 16), runOn(imageOf(PLATE)), 0.5);
      expectNear(reading!.box, PLATE, 4);
    }
  });

  it('reports nothing below the minimum score', async () => {
    expect(await scan(fitLongSide(area, 320, 16), runOn(imageOf(PLATE)), 0.9)).toEqual([]);
  });

  it('returns nothing for a part that is smaller than a window', async () => {
    expect(await scan(fitLongSide(area, 112, 16), runOn(imageOf(PLATE)), 0.5)).toEqual([]);
  });
});
