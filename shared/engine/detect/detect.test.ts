import { describe, expect, it } from 'vitest';
import {
  colourCenterNet,
  FAKE_MANIFEST,
  type FakeNetwork,
  loadedModel,
  modelEntry,
  oneFaceOf,
} from '../../testing/fake-models';
import { boxOf, found } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import type { Raster } from '../../domain/raster';
import {
  type DetectorSearch,
  detect as detectIn,
  fitTiles,
  planPasses,
  scalesFor,
  splitWrappedBox,
} from './detect';
import { mergeDetections } from '../fusion/merge';
import type { Tiling } from '../../domain/options';
import { createPyramid } from '../pixels/pyramid';
import { planTiles } from '../pixels/tile';

const idle = new AbortController().signal;
const detect = (
  tiles: ReturnType<typeof planTiles>,
  search: Pick<DetectorSearch, 'pyramid' | 'model' | 'wanted'>,
  signal = idle,
) => detectIn(planPasses(tiles, search.model.entry.input), { ...search, onStep: () => undefined, signal });

const ENTRY = FAKE_MANIFEST.models[0]!;
const isIn = ({ x1, y1, x2, y2 }: Box, x: number, y: number): boolean =>
  x >= x1 && x < x2 && y >= y1 && y < y2;
const withCar = (width: number, height: number, car: Box): Raster =>
  createRaster(width, height, (x, y) => (isIn(car, x, y) ? [255, 0, 0] : [0, 0, 0]));

const find = (raster: Raster, tiling: Tiling, score = 0.9, wanted = { vehicle: 0.4 }) =>
  detect(planTiles(raster, tiling), {
    pyramid: createPyramid(raster),
    model: loadedModel(ENTRY, colourCenterNet(score)),
    wanted,
  });
const expectNear = (box: Box | undefined, expected: Box, px: number): void => {
  for (const side of ['x1', 'y1', 'x2', 'y2'] as const) {
    expect(Math.abs(box![side] - expected[side]), `${side} of ${JSON.stringify(box)}`).toBeLessThanOrEqual(
      px,
    );
  }
};

describe('detecting', () => {
  it('finds an object in its place at every scale', async () => {
    for (const [width, height] of [
      [256, 160],
      [250, 130],
      [640, 480],
    ] as const) {
      const car = boxOf(60, 40, 140, 90);
      const [found] = await find(withCar(width, height, car), { kind: 'whole' });
      expectNear(found?.box, car, width / 256 + 0.01);
    }
  });

  it('finds an object once with tiles that each contain a piece of it', async () => {
    const car = boxOf(200, 100, 330, 180);
    const raster = withCar(512, 320, car);
    const found = await find(raster, { kind: 'grid', number: [2, 2], overlap: [0.1, 0.1] });
    expect(found.length).toBeGreaterThan(3);
    const merged = mergeDetections(found, raster.width, raster.height);
    expect(merged).toHaveLength(1);
    expectNear(merged[0]?.box, car, 3);
  });

  it('marks a box at a tile’s inner border as cut, and none at the image’s own edges', async () => {
    const halves: Tiling = { kind: 'grid', number: [2, 1], overlap: [0, 0] };
    const cuts = async (car: Box) => (await find(withCar(512, 256, car), halves)).map(({ cut }) => cut);
    const [uncut, cutAcross] = [
      { x: false, y: false },
      { x: true, y: false },
    ];
    expect(await cuts(boxOf(0, 50, 300, 120))).toEqual([uncut, cutAcross, cutAcross]);
    expect(await cuts(boxOf(400, 50, 512, 120))).toEqual([uncut, uncut]);
    expect(await cuts(boxOf(20, 0, 120, 256))).toEqual([uncut, uncut]);
  });

  it('gives a plate’s corners in image px, where its box is', async () => {
    const entry = modelEntry('plates', 'plate-corners', ['license-plate'], ENTRY.input);
    const oneplate: FakeNetwork = ({ dims }) => {
      const [rows, columns] = [dims[2]! / 4, dims[3]! / 4];
      const peaks = new Float32Array(rows * columns);
      const corners = new Float32Array(8 * rows * columns);
      const cell = 10 * columns + 20;
      peaks[cell] = 0.9;
      [-12, -6, 10, -2, 12, 6, -10, 2].forEach((at, plane) => (corners[plane * rows * columns + cell] = at));
      return [
        { data: peaks, dims: [1, 1, rows, columns] },
        { data: corners, dims: [1, 8, rows, columns] },
      ];
    };
    const raster = createRaster(512, 320, () => [0, 0, 0]);
    const [plate] = await detect(planTiles(raster, { kind: 'whole' }), {
      pyramid: createPyramid(raster),
      model: loadedModel(entry, oneplate),
      wanted: { 'license-plate': 0.5 },
    });
    expect(plate?.box).toEqual(boxOf(140, 72, 188, 96));
    expect(plate?.corners).toEqual([
      [140, 72],
      [184, 80],
      [188, 96],
      [144, 88],
    ]);
  });

  it('splits a box that crosses an edge only in a panorama', () => {
    const over = { ...found('vehicle', boxOf(200, 60, 260, 90)), cut: { x: false, y: false } };
    expect(splitWrappedBox(over, 256, false)).toEqual([over]);
    expect(splitWrappedBox(over, 256, true).map(({ box }) => box)).toEqual([
      boxOf(200, 60, 256, 90),
      boxOf(0, 60, 4, 90),
    ]);
  });

  it('finds both halves of an object on a panorama’s seam', async () => {
    const width = 512;
    const raster = createRaster(width, 256, (x, y) =>
      (x < 30 || x >= width - 40) && y >= 60 && y < 110 ? [255, 0, 0] : [0, 0, 0],
    );
    const found = await find(raster, { kind: 'pano', width: 4096 });
    const seam = found.filter(({ box }) => box.x2 - box.x1 < 60 && !Number.isNaN(box.x1));
    expect(seam.some(({ box }) => box.x1 <= 1 && box.x2 > 27)).toBe(true);
    expect(seam.some(({ box }) => box.x2 >= width - 1 && box.x1 < width - 37)).toBe(true);
    for (const { box } of found) {
      expect(box.x1).toBeGreaterThanOrEqual(-2);
      expect(box.x2).toBeLessThanOrEqual(width + 2);
    }
  });

  it('reports scores on the API’s scale: 0.5 of the network is the default 0.4 of vehicles', async () => {
    const raster = withCar(256, 128, boxOf(40, 40, 90, 80));
    expect((await find(raster, { kind: 'whole' }, 0.5))[0]?.score).toBeCloseTo(0.4);
    expect(await find(raster, { kind: 'whole' }, 0.49)).toEqual([]);
    expect(await find(raster, { kind: 'whole' }, 0.49, { vehicle: 0.3 })).toHaveLength(1);
  });

  it('reports no object below 0.05, however low the threshold', async () => {
    const raster = withCar(256, 128, boxOf(40, 40, 90, 80));
    expect(await find(raster, { kind: 'whole' }, 0.05, { vehicle: 0 })).toEqual([]);
    expect(await find(raster, { kind: 'whole' }, 0.07, { vehicle: 0 })).toHaveLength(1);
  });

  it('reports no unwanted class', async () => {
    const raster = createRaster(128, 64, () => [255, 255, 0]);
    const found = await find(raster, { kind: 'whole' });
    expect(new Set(found.map(({ objectClass }) => objectClass))).toEqual(new Set(['vehicle']));
  });

  it('stops between two runs of the network when it is aborted', async () => {
    const raster = withCar(256, 128, boxOf(40, 40, 90, 80));
    const abort = new AbortController();
    let runs = 0;
    const model = loadedModel(ENTRY, (input) => {
      runs += 1;
      abort.abort(new Error('called off'));
      return colourCenterNet(0.9)(input);
    });
    const tiles = planTiles(raster, { kind: 'grid', number: [3, 1], overlap: [0, 0] });
    const search = { pyramid: createPyramid(raster), model, wanted: { vehicle: 0.4 } };
    const work = detect(tiles, search, abort.signal);
    await expect(work).rejects.toThrow('called off');
    expect(runs).toBe(1);
  });

  it('refuses a segmentation model', async () => {
    const raster = withCar(64, 64, boxOf(0, 0, 9, 9));
    const model = loadedModel({ ...FAKE_MANIFEST.models[2]!, input: ENTRY.input }, () => []);
    const tiles = planTiles(raster, { kind: 'whole' });
    await expect(
      detect(tiles, { pyramid: createPyramid(raster), model, wanted: { person: 0.4 } }),
    ).rejects.toThrow('selfie is no detector');
  });
});

/** A CenterFace that sees one face of so many network px in the upper left corner, whatever it is shown. */
const oneFace =
  (sidePx: number): FakeNetwork =>
  ({ dims }) =>
    oneFaceOf({ rows: dims[2]! / 4, columns: dims[3]! / 4 }, 0, 0.9, sidePx);

describe('faces', () => {
  const entry = modelEntry('faces', 'centerface', ['face'], {
    multipleOf: 128,
    longSides: [512, 1024],
    maxEnlargement: 2,
  });
  const sides = async (sidePx: number): Promise<number[]> => {
    const raster = createRaster(512, 256, () => [0, 0, 0]);
    const found = await detect(planTiles(raster, { kind: 'whole' }), {
      pyramid: createPyramid(raster),
      model: loadedModel(entry, oneFace(sidePx)),
      wanted: { face: 0.5 },
    });
    return found.map(({ box }) => Math.round(box.x2 - box.x1)).sort((a, b) => a - b);
  };

  it('that are small are taken from each scale', async () => {
    expect(await sides(32)).toEqual([16, 32]);
  });

  it('that are huge are taken only from the first scale: those of larger scales are false', async () => {
    expect(await sides(512)).toEqual([512]);
  });
});

describe('the scales of a tile', () => {
  const tile = { x: 0, y: 0, width: 1000, height: 600, wraps: false };
  const scales = (longSides: readonly number[], maxEnlargement?: number): readonly number[] =>
    scalesFor(tile, {
      ...ENTRY.input,
      longSides,
      ...(maxEnlargement === undefined ? {} : { maxEnlargement }),
    });

  it('are the model’s', () => {
    expect(scales([256, 512, 1000])).toEqual([256, 512, 1000]);
  });

  it('enlarge no more than improves the model’s detections', () => {
    expect(scales([512, 2048], 1.5)).toEqual([512, 1500]);
    expect(scales([512, 4096], 3)).toEqual([512, 3000]);
  });

  it('leave out those too close to another', () => {
    expect(scales([900, 1024, 2048, 3072], 1)).toEqual([900]);
  });

  it('are stretched to fill the input if the network was trained so, the whole tile and each window', () => {
    const input = { ...ENTRY.input, size: [500, 500], longSides: [500, 1000], isStretched: true } as const;
    const fits = fitTiles([tile], input).map((fit) => [
      fit.tile.width,
      fit.tile.height,
      fit.scaleX,
      fit.scaleY,
    ]);
    expect(fits[0]).toEqual([1000, 600, 0.5, 500 / 600]);
    expect(fits.slice(1).length).toBeGreaterThan(1);
    for (const [width, height, scaleX, scaleY] of fits) {
      expect([width! * scaleX!, height! * scaleY!]).toEqual([500, 500]);
    }
  });

  it('are at least one, for the smallest image too', () => {
    const icon = { ...tile, width: 16, height: 16 };
    expect(scalesFor(icon, { ...ENTRY.input, longSides: [1024, 2048], maxEnlargement: 2 })).toEqual([32]);
  });
});
