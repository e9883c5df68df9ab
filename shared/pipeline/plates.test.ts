import { describe, expect, it } from 'vitest';
import { blueTextNet, FAKE_MANIFEST, loadedModel } from '../testing/fake-models';
import { boxOf, found } from '../testing/plans';
import { createRaster } from '../testing/rasters';
import type { Box } from './boxes';
import type { Detection } from './detection';
import type { Found } from './merge';
import type { Tiling } from './options';
import { findPlates } from './plates';
import { createPyramid } from './pyramid';
import { planTiles } from './tile';

const ENTRY = FAKE_MANIFEST.models[1]!;
const SIZE = { width: 512, height: 320 };
const CAR = found('vehicle', boxOf(100, 60, 420, 280));

interface Scene {
  readonly texts: readonly Box[];
  readonly vehicles?: readonly Detection[];
  readonly probability?: number;
  readonly tiling?: Tiling;
  readonly wanted?: number;
}
const look = ({
  texts,
  vehicles = [],
  probability = 0.9,
  tiling = { kind: 'whole' },
  wanted = 0.5,
}: Scene): Promise<Found[]> => {
  const isText = (x: number, y: number): boolean =>
    texts.some(
      ({ x1, y1, x2, y2 }) => y >= y1 && y < y2 && [x, x + SIZE.width].some((at) => at >= x1 && at < x2),
    );
  const raster = createRaster(SIZE.width, SIZE.height, (x, y) => (isText(x, y) ? [0, 0, 255] : [80, 80, 80]));
  return findPlates(
    createPyramid(raster),
    planTiles(raster, tiling),
    loadedModel(ENTRY, blueTextNet(probability)),
    Promise.resolve(vehicles),
    { 'license-plate': wanted },
    () => undefined,
    new AbortController().signal,
  );
};
const holds = (plate: Box, text: Box): boolean =>
  plate.x1 <= text.x1 && plate.y1 <= text.y1 && plate.x2 >= text.x2 && plate.y2 >= text.y2;

describe('text on a vehicle', () => {
  const plate = boxOf(220, 220, 300, 240);

  it('is its plate, hidden with room around all characters', async () => {
    const plates = await look({ texts: [plate], vehicles: [CAR] });
    expect(plates).toHaveLength(1);
    expect(plates[0]!.objectClass).toBe('license-plate');
    expect(holds(plates[0]!.box, boxOf(216, 218, 304, 242))).toBe(true);
    expect(holds(boxOf(180, 190, 340, 270), plates[0]!.box)).toBe(true);
  });

  it('may be nearly square, for plates of two lines', async () => {
    const square = boxOf(240, 200, 290, 236);
    expect(await look({ texts: [square], vehicles: [CAR] })).toHaveLength(1);
  });

  it('is no plate upright, or longer than most of the vehicle', async () => {
    expect(await look({ texts: [boxOf(240, 160, 260, 240)], vehicles: [CAR] })).toEqual([]);
    expect(await look({ texts: [boxOf(110, 200, 410, 240)], vehicles: [CAR] })).toEqual([]);
  });

  it('is found on a small vehicle that is looked at enlarged', async () => {
    const small = found('vehicle', boxOf(200, 100, 300, 180));
    const tiny = boxOf(238, 154, 264, 160);
    const enlarged = await look({ texts: [tiny], vehicles: [small] });
    expect(enlarged.some(({ box }) => holds(box, tiny))).toBe(true);
  });
});

describe('text off any vehicle', () => {
  it('is a plate where it has a plate’s proportions', async () => {
    expect(await look({ texts: [boxOf(40, 100, 120, 118)] })).toHaveLength(1);
  });

  it('is a sign where it is almost square, very long or as wide as the picture', async () => {
    for (const sign of [boxOf(40, 100, 80, 140), boxOf(40, 100, 340, 118), boxOf(20, 100, 480, 180)]) {
      expect(await look({ texts: [sign] })).toEqual([]);
    }
  });

  it('needs a little more evidence than on a vehicle', async () => {
    const text = boxOf(220, 220, 300, 240);
    const [off] = await look({ texts: [text] });
    const [on] = await look({ texts: [text], vehicles: [CAR] });
    expect(off!.score).toBeLessThan(on!.score);
  });
});

describe('plates', () => {
  it('are held to the score asked for', async () => {
    const texts = [boxOf(40, 100, 120, 118)];
    expect(await look({ texts, probability: 0.6, wanted: 0.5 })).toHaveLength(1);
    expect(await look({ texts, probability: 0.6, wanted: 0.7 })).toEqual([]);
  });

  it('of two groups of characters are hidden as one', async () => {
    const plates = await look({
      texts: [boxOf(200, 220, 240, 240), boxOf(256, 220, 300, 240)],
      vehicles: [CAR],
    });
    expect(plates.some(({ box }) => holds(box, boxOf(200, 220, 300, 240)))).toBe(true);
  });

  it('on a panorama’s seam are hidden on both sides of it', async () => {
    const plates = await look({ texts: [boxOf(486, 100, 546, 120)], tiling: { kind: 'pano', width: 4096 } });
    expect(plates.some(({ box }) => holds(box, boxOf(486, 100, 512, 120)))).toBe(true);
    expect(plates.some(({ box }) => holds(box, boxOf(0, 100, 34, 120)))).toBe(true);
    for (const { box } of plates) expect(box.x2).toBeLessThanOrEqual(SIZE.width + 8);
  });
});
