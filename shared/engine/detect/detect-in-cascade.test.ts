import { describe, expect, it } from 'vitest';
import { loadedModel, modelEntry, type FakeNetwork } from '../../testing/fake-models';
import { boxOf } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import { boxWidth, type Box } from '../../domain/boxes';
import type { CascadeScale } from './cascade-windows';
import { detectInCascade } from './detect-in-cascade';
import { createPyramid } from '../pixels/pyramid';
import type { Tile } from '../pixels/tile';

const STRIDE = 4;
const ENTRY = {
  ...modelEntry('faces', 'centerface', ['face'], { multipleOf: 32 }),
  refinement: { minScore: 0.15, smallPx: 20, confidentScore: 0.5, doubtfulPx: 64 },
};
const WIDE: CascadeScale = { longSide: 640, coverage: 'all', maxWindowPx: 1e6 };
const FINE: CascadeScale = { longSide: 1280, coverage: 'proposed', maxWindowPx: 1e6 };

/** What each shade of red is: the network finds a square face around all that has it. */
interface Shade {
  readonly red: number;
  /** The network's score by the face's side, in network px. */
  readonly score: (sidePx: number) => number;
}

const extentOf = (red: Float32Array, width: number, shade: number): Box | undefined => {
  let [x1, y1, x2, y2] = [Infinity, Infinity, -1, -1];
  red.forEach((value, i) => {
    if (Math.abs(value - shade) > 3) return;
    const [x, y] = [i % width, Math.floor(i / width)];
    [x1, y1, x2, y2] = [Math.min(x1, x), Math.min(y1, y), Math.max(x2, x + 1), Math.max(y2, y + 1)];
  });
  return x2 < 0 ? undefined : { x1, y1, x2, y2 };
};

const shadeNet =
  (shades: readonly Shade[], onRun: (width: number, height: number) => void): FakeNetwork =>
  ({ data, dims }) => {
    const [height, width] = [dims[2]!, dims[3]!];
    onRun(width, height);
    const [rows, columns] = [height / STRIDE, width / STRIDE];
    const cells = rows * columns;
    const [heat, sizes, offsets] = [
      new Float32Array(cells),
      new Float32Array(2 * cells),
      new Float32Array(2 * cells),
    ];
    for (const { red, score } of shades) {
      const extent = extentOf(data.subarray(0, width * height), width, red);
      if (!extent) continue;
      const side = boxWidth(extent);
      const [x, y] = [(extent.x1 + extent.x2) / 2 / STRIDE, (extent.y1 + extent.y2) / 2 / STRIDE];
      const cell = Math.floor(y) * columns + Math.floor(x);
      heat[cell] = score(side);
      sizes[cell] = sizes[cells + cell] = Math.log(side / STRIDE);
      offsets[cell] = y - Math.floor(y) - 0.5;
      offsets[cells + cell] = x - Math.floor(x) - 0.5;
    }
    return [heat, sizes, offsets].map((plane) => ({
      data: plane,
      dims: [1, plane.length / cells, rows, columns],
    }));
  };

const NEAR: Shade = { red: 240, score: () => 0.9 };
/** Seen faintly while it has few px. */
const FAR: Shade = { red: 160, score: (sidePx) => (sidePx < 20 ? 0.2 : 0.8) };
/** A tree that is detected as a face at one scale. */
const TREE: Shade = { red: 80, score: (sidePx) => (sidePx > 30 && sidePx < 50 ? 0.45 : 0) };

const look = async (
  shown: readonly (readonly [Shade, Box])[],
  scales: readonly CascadeScale[] = [WIDE, FINE],
  tile: Tile = { x: 0, y: 0, width: 640, height: 480, wraps: false },
) => {
  const raster = createRaster(640, 480, (x, y) => {
    const on = shown.find(([, { x1, y1, x2, y2 }]) => x >= x1 && x < x2 && y >= y1 && y < y2);
    return [on?.[0].red ?? 0, 0, 0];
  });
  const runs: (readonly [number, number])[] = [];
  let steps = 0;
  const found = await detectInCascade([{ tile, scales }], {
    pyramid: createPyramid(raster),
    model: loadedModel(
      ENTRY,
      shadeNet(
        shown.map(([shade]) => shade),
        (width, height) => runs.push([width, height]),
      ),
    ),
    wanted: { face: 0.5 },
    onStep: () => steps++,
    signal: new AbortController().signal,
  });
  return { found, runs, steps };
};

describe('a cascade', () => {
  const near: readonly [Shade, Box] = [NEAR, boxOf(40, 40, 140, 140)];
  const far: readonly [Shade, Box] = [FAR, boxOf(500, 300, 514, 314)];

  it('runs once over an image whose faces are all large and confident', async () => {
    const { found, runs, steps } = await look([near]);
    expect(found).toHaveLength(1);
    expect(runs).toEqual([[640, 480]]);
    expect(steps).toBe(1);
  });

  it('finds small faces in windows around weak detections, in a fraction of the time of a full pass', async () => {
    const { found, runs } = await look([near, far]);
    expect(found).toHaveLength(2);
    expect(runs).toHaveLength(2);
    const [width, height] = runs[1]!;
    expect(width * height).toBeLessThan(0.1 * 1280 * 960);
  });

  it('misses them without the finer scale', async () => {
    expect((await look([near, far], [WIDE])).found).toHaveLength(1);
  });

  it('drops a detection that only one scale confirms', async () => {
    const tree: readonly [Shade, Box] = [TREE, boxOf(200, 200, 240, 240)];
    const strict = await look([tree]);
    expect(strict.runs).toHaveLength(2);
    expect(strict.found).toHaveLength(0);
  });

  it('places faces correctly, in windows and in panoramas with tiles beyond the seam', async () => {
    const { found } = await look([far], [WIDE, FINE], { x: 400, y: 0, width: 640, height: 480, wraps: true });
    expect(found).toHaveLength(1);
    const [{ box } = { box: boxOf(0, 0, 0, 0) }] = found;
    for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
      expect(Math.abs(box[side] - far[1][side])).toBeLessThan(2);
    }
  });

  it('runs on no more network px at once than its limit', async () => {
    const parts = { ...WIDE, maxWindowPx: 640 * 240 };
    const { found, runs } = await look(
      [near, far],
      [WIDE, { ...FINE, coverage: 'all', maxWindowPx: 640 * 240 }],
    );
    expect(found).toHaveLength(2);
    for (const [width, height] of runs.slice(1)) expect(width * height).toBeLessThan(1.4 * parts.maxWindowPx);
  });
});
