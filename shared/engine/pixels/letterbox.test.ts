import { describe, expect, it } from 'vitest';
import { boxOf } from '../../testing/plans';
import { createRaster, seededRandom } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import {
  fitEvenWindows,
  fitInside,
  fitLongSide,
  fitWindows,
  stretchTo,
  undoLetterbox,
  type Letterbox,
} from './letterbox';
import { toTensor } from '../inference/tensor';
import { createPyramid } from './pyramid';
import type { Tile } from './tile';

const random = seededRandom(21);
const upTo = (max: number): number => Math.floor(random() * max);
const anyTile = (): Tile => ({
  x: upTo(500),
  y: upTo(500),
  width: 1 + upTo(4000),
  height: 1 + upTo(3000),
  wraps: false,
});
const FITS: readonly (readonly [string, () => Letterbox])[] = [
  ['scaled by its long side', () => fitLongSide(anyTile(), 128 + upTo(3000), [1, 32, 128][upTo(3)]!)],
  ['stretched to a size', () => stretchTo(anyTile(), 256, 256)],
  ['fitted inside a size', () => fitInside(anyTile(), 256, 192)],
  [
    'seen through even windows',
    () => fitEvenWindows(anyTile(), 128 + upTo(3000), { side: 416, overlap: 64, multipleOf: 32 }).at(-1)!,
  ],
  ['seen through windows', () => fitWindows(anyTile(), 128 + upTo(3000), [416, 320])[0]!],
];

describe.each(FITS)('a tile %s', (_name, fitAny) => {
  it('converts boxes to network px and back, to a hundredth of a px', () => {
    for (let trial = 0; trial < 300; trial++) {
      const fit = fitAny();
      const { tile, scaleX, scaleY } = fit;
      const box = boxOf(
        tile.x + 3,
        tile.y + 5,
        tile.x + 3 + random() * tile.width,
        tile.y + 5 + random() * tile.height,
      );
      const inNetwork: Box<'network'> = {
        x1: (box.x1 - tile.x) * scaleX,
        y1: (box.y1 - tile.y) * scaleY,
        x2: (box.x2 - tile.x) * scaleX,
        y2: (box.y2 - tile.y) * scaleY,
      };
      const back = undoLetterbox(inNetwork, fit);
      for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
        expect(Math.abs(back[side] - box[side])).toBeLessThan(0.01);
      }
    }
  });

  it('lies inside the network’s input', () => {
    for (let trial = 0; trial < 300; trial++) {
      const { tile, scaleX, scaleY, netWidth, netHeight } = fitAny();
      expect(tile.width * scaleX).toBeLessThanOrEqual(netWidth + 1e-6);
      expect(tile.height * scaleY).toBeLessThanOrEqual(netHeight + 1e-6);
    }
  });
});

describe('an input of open size', () => {
  it('has sides that the network accepts, and the requested long side', () => {
    const fit = fitLongSide({ x: 0, y: 0, width: 1280, height: 720, wraps: false }, 1024, 128);
    expect([fit.netWidth, fit.netHeight]).toEqual([1024, 640]);
    expect([1280 * fit.scaleX, 720 * fit.scaleY]).toEqual([1024, 576]);
  });

  it('exists for an image of one pixel in height', () => {
    const fit = fitLongSide({ x: 0, y: 0, width: 10_000, height: 1, wraps: false }, 512, 32);
    expect([fit.netWidth, fit.netHeight]).toEqual([512, 32]);
    expect(fit.scaleY).toBe(1);
  });
});

describe('a tile as a tensor', () => {
  const spot = { x: 37, y: 21 };
  const pyramid = createPyramid(
    createRaster(90, 60, (x, y) => (x === spot.x && y === spot.y ? [255, 128, 64] : [0, 0, 0])),
  );
  const input = { mean: [10, 20, 30], std: [2, 4, 8] } as const;

  it('has the network’s shape, three planes and normalised values', () => {
    const tile: Tile = { x: 30, y: 15, width: 30, height: 20, wraps: false };
    const { data, dims } = toTensor(pyramid, fitLongSide(tile, 30, 32), input);
    expect(dims).toEqual([1, 3, 32, 32]);
    const at = (spot.y - 15) * 32 + spot.x - 30;
    expect([0, 1, 2].map((plane) => data[plane * 32 * 32 + at])).toEqual([122.5, 27, 4.25]);
    expect([0, 1, 2].map((plane) => data[plane * 32 * 32])).toEqual([-5, -5, -3.75]);
  });

  it('contains a point at the place that undoing the letterbox gives, mirrored or not', () => {
    for (const [scale, isMirrored] of [
      [1.5, false],
      [2, true],
      [3, false],
      [3, true],
    ] as const) {
      const tile: Tile = { x: 20, y: 10, width: 40, height: 30, wraps: false };
      const fit = { ...fitLongSide(tile, 40 * scale, 32), isMirrored };
      const { data } = toTensor(pyramid, fit, { mean: [0, 0, 0], std: [1, 1, 1] });
      const red = data.subarray(0, fit.netWidth * fit.netHeight);
      let [mass, x, y] = [0, 0, 0];
      red.forEach((value, i) => {
        mass += value;
        x += value * ((i % fit.netWidth) + 0.5);
        y += value * (Math.floor(i / fit.netWidth) + 0.5);
      });
      const centre = undoLetterbox({ x1: x / mass, y1: y / mass, x2: x / mass, y2: y / mass }, fit);
      expect(centre.x1).toBeCloseTo(spot.x + 0.5, 1);
      expect(centre.y1).toBeCloseTo(spot.y + 0.5, 1);
    }
  });
});

describe('windows of fixed size', () => {
  const TILE: Tile = { x: 30, y: 20, width: 1000, height: 700, wraps: false };

  it('are a single one if the tile fits at its scale', () => {
    expect(fitWindows(TILE, 416, [416, 416]).map(({ tile }) => tile)).toEqual([TILE]);
  });

  it('cover the whole tile, and overlap so that an object cut by one is whole in another', () => {
    const windows = fitWindows(TILE, 1000, [416, 416]).map(({ tile }) => tile);
    const columns = [...new Set(windows.map(({ x }) => x))];
    expect(Math.min(...columns)).toBe(30);
    expect(Math.max(...columns) + 416).toBe(1030);
    expect(Math.max(...windows.map(({ y }) => y)) + 416).toBe(720);
    const steps = columns.slice(1).map((x, i) => x - (columns[i] as number));
    expect(Math.max(...steps)).toBeLessThanOrEqual(416 * 0.75 + 1);
  });

  it('are never larger than the network’s input', () => {
    for (let trial = 0; trial < 200; trial++) {
      for (const { tile, scaleX, scaleY } of fitWindows(anyTile(), 200 + upTo(3000), [416, 320])) {
        expect(tile.width * scaleX).toBeLessThan(416.01);
        expect(tile.height * scaleY).toBeLessThan(320.01);
      }
    }
  });
});

describe('even windows', () => {
  const WINDOWS = { side: 416, overlap: 64, multipleOf: 32 };
  const TILE: Tile = { x: 30, y: 20, width: 1000, height: 700, wraps: false };

  it('are a single one if the tile fits at its scale', () => {
    expect(fitEvenWindows(TILE, 416, WINDOWS).map(({ tile }) => tile)).toEqual([TILE]);
  });

  it('are no larger than they must be', () => {
    const [first, ...others] = fitEvenWindows(TILE, 1000, WINDOWS);
    // Three across (1000 + 2 × 64 px) and two down (700 + 64 px).
    expect(others).toHaveLength(5);
    expect([first!.netWidth, first!.netHeight]).toEqual([384, 384]);
  });

  it('together contain each pixel of a tile and no other, overlap, and have the side of the network at most', () => {
    for (let trial = 0; trial < 200; trial++) {
      const tile = anyTile();
      const fits = fitEvenWindows(tile, 200 + upTo(3000), WINDOWS);
      for (const [from, length] of [
        ['x', 'width'],
        ['y', 'height'],
      ] as const) {
        const starts = [...new Set(fits.map((fit) => fit.tile[from]))];
        const extent = fits[0]!.tile[length];
        const scale = fits[0]!.scaleX;
        expect(starts[0]).toBe(tile[from]);
        expect(starts.at(-1)! + extent).toBe(tile[from] + tile[length]);
        // Two px of the image are lost to rounding.
        const steps = starts.slice(1).map((start, i) => start - starts[i]!);
        for (const step of steps) expect((extent - step + 2) * scale).toBeGreaterThanOrEqual(64);
      }
      expect(
        Math.max(...fits.flatMap(({ netWidth, netHeight }) => [netWidth, netHeight])),
      ).toBeLessThanOrEqual(416);
    }
  });
});
