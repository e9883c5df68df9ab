import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../../domain/manifest';
import { blueTextNet, bluePlateNet, FAKE_MANIFEST, loadedModel, modelEntry } from '../../testing/fake-models';
import { boxOf, found } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { FullScanSetting } from './classify-plates';
import type { TileDetection } from '../fusion/merge';
import type { PlateSearch, Tiling } from '../../domain/options';
import { findPlates } from './plates';
import { createPyramid } from '../pixels/pyramid';
import { planTiles } from '../pixels/tile';

const ENTRY = FAKE_MANIFEST.models[1]!;
const CLASSIFIER: ModelEntry = {
  ...modelEntry('classifier', 'plate-windows', ['license-plate'], {
    multipleOf: 16,
    longSides: [352],
    maxEnlargement: 3,
  }),
  // Proposals count with the network's score, other readings with less.
  evidence: { bias: -1.5, logOdds: 1, spread: 0, isProposed: 1.5, above: 0, width: 0 },
};
const SIZE = { width: 512, height: 320 };
const CAR = found('vehicle', boxOf(100, 60, 420, 280));

interface Scene {
  readonly texts: readonly Box[];
  readonly vehicles?: readonly Detection[];
  readonly probability?: number;
  readonly tiling?: Tiling;
  readonly wanted?: number;
  /** The classifier's score for every plate; undefined without a classifier. */
  readonly classified?: number;
  readonly search?: PlateSearch;
  readonly expected?: readonly Box[];
  readonly isTextRead?: boolean;
  readonly scansAnywhere?: FullScanSetting;
  /** Told of each run of the text detector. */
  readonly onRead?: () => void;
}
const USUAL = {
  vehicles: [],
  probability: 0.9,
  tiling: { kind: 'whole' },
  wanted: 0.5,
  search: 'usual',
  expected: [],
  isTextRead: true,
  scansAnywhere: 'never',
} as const satisfies Omit<Scene, 'texts'>;

const look = (scene: Scene): Promise<TileDetection[]> => {
  const { texts, vehicles, probability, tiling, wanted, search, expected, isTextRead, scansAnywhere } = {
    ...USUAL,
    ...scene,
  };
  const { classified, onRead = () => undefined } = scene;
  const isText = (x: number, y: number): boolean =>
    texts.some(
      ({ x1, y1, x2, y2 }) => y >= y1 && y < y2 && [x, x + SIZE.width].some((at) => at >= x1 && at < x2),
    );
  const raster = createRaster(SIZE.width, SIZE.height, (x, y) => (isText(x, y) ? [0, 0, 255] : [80, 80, 80]));
  return findPlates(
    {
      text: isTextRead ? loadedModel(ENTRY, blueTextNet(probability)) : undefined,
      classifier: classified === undefined ? undefined : loadedModel(CLASSIFIER, bluePlateNet(classified)),
    },
    {
      pyramid: createPyramid(raster),
      tiles: planTiles(raster, tiling),
      wanted: { 'license-plate': wanted },
      ...{ vehicles: Promise.resolve(vehicles), expected, scansAnywhere, search },
      onStep: onRead,
      signal: new AbortController().signal,
    },
  );
};
const holds = (plate: Box, text: Box): boolean =>
  plate.x1 <= text.x1 && plate.y1 <= text.y1 && plate.x2 >= text.x2 && plate.y2 >= text.y2;

describe('text on a vehicle', () => {
  const plate = boxOf(220, 220, 300, 240);

  it('is its plate, hidden with a margin around all characters', async () => {
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

  it('is detected on a small vehicle, which is enlarged', async () => {
    const small = found('vehicle', boxOf(200, 100, 300, 180));
    const tiny = boxOf(238, 154, 264, 160);
    const enlarged = await look({ texts: [tiny], vehicles: [small] });
    expect(enlarged.some(({ box }) => holds(box, tiny))).toBe(true);
  });
});

describe('text off any vehicle', () => {
  it('is a plate if it has a plate’s proportions', async () => {
    expect(await look({ texts: [boxOf(40, 100, 120, 118)] })).toHaveLength(1);
  });

  it('is no plate if it is almost square, very long or as wide as the image', async () => {
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
  it('are reported from the minimum score on', async () => {
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

describe('a plate at the right edge', () => {
  it('is hidden only there: only a panorama continues at its other side', async () => {
    const plates = [boxOf(432, 100, 512, 120), boxOf(436, 220, 512, 240)];
    for (const classified of [{}, { classified: 0.9 }]) {
      const found = await look({ texts: plates, ...classified });
      expect(found.length).toBeGreaterThanOrEqual(2);
      for (const { box } of found) expect(box.x1).toBeGreaterThan(400);
    }
  });
});

describe('with a plate classifier', () => {
  const plate = boxOf(220, 220, 300, 240);

  it('text is hidden where the classifier accepts it, with its corners', async () => {
    const [found, ...others] = await look({ texts: [plate], classified: 0.9 });
    expect(others).toEqual([]);
    expect(found!.corners).toBeDefined();
    expect(holds(boxOf(216, 216, 304, 244), found!.box)).toBe(true);
    expect(holds(found!.box, boxOf(223, 222, 297, 238))).toBe(true);
  });

  it('a tracked plate is found without text, near its predicted place', async () => {
    const expected = [boxOf(240, 214, 325, 236)];
    const [found, ...others] = await look({ texts: [plate], classified: 0.9, expected, isTextRead: false });
    expect(others).toEqual([]);
    expect(holds(found!.box, boxOf(223, 222, 297, 238))).toBe(true);
    expect(await look({ texts: [], classified: 0.9, expected, isTextRead: false })).toEqual([]);
    expect(await look({ texts: [plate], classified: 0.9, isTextRead: false })).toEqual([]);
  });

  it('text that is only shaped like a plate stays', async () => {
    expect(await look({ texts: [plate], classified: 0.2 })).toEqual([]);
  });

  it('text that is only shaped like a plate is hidden on request, and no plate twice', async () => {
    const search = 'thorough';
    expect(await look({ texts: [plate], classified: 0.2, search })).toHaveLength(1);
    expect(await look({ texts: [plate], classified: 0.9, search })).toHaveLength(1);
  });

  it('plates without text need more evidence', async () => {
    expect(await look({ texts: [plate], probability: 0, vehicles: [CAR], classified: 0.68 })).toEqual([]);
    expect(await look({ texts: [plate], vehicles: [CAR], classified: 0.68 })).toHaveLength(1);
  });

  it('plates on vehicles are found without text', async () => {
    const plates = await look({ texts: [plate], probability: 0, vehicles: [CAR], classified: 0.98 });
    expect(plates).toHaveLength(1);
    expect(await look({ texts: [plate], probability: 0, classified: 0.98 })).toEqual([]);
  });

  it('plates away from vehicles are found without text on request, and need more evidence too', async () => {
    const unread = { texts: [plate], probability: 0 };
    expect(await look({ ...unread, classified: 0.98, scansAnywhere: 'always' })).toHaveLength(1);
    expect(await look({ ...unread, classified: 0.73, scansAnywhere: 'always' })).toEqual([]);
    expect(await look({ texts: [plate], classified: 0.73, scansAnywhere: 'always' })).toHaveLength(1);
    expect(await look({ ...unread, classified: 0.98 })).toEqual([]);
  });

  it('plates away from vehicles need more evidence in images than in frames', async () => {
    const unread = { texts: [plate], probability: 0, classified: 0.8 };
    expect(await look({ ...unread, scansAnywhere: 'always' })).toHaveLength(1);
    expect(await look({ ...unread, scansAnywhere: 'without-plates' })).toEqual([]);
  });

  it('plates away from vehicles are found without text in images with no other plate', async () => {
    const unread = { texts: [plate], probability: 0, scansAnywhere: 'without-plates' } as const;
    expect(await look({ ...unread, classified: 0.98 })).toHaveLength(1);
    const nextTo = boxOf(40, 40, 120, 60);
    const other = { texts: [plate, nextTo], probability: 0, expected: [nextTo], classified: 0.98 };
    expect(await look({ ...other, scansAnywhere: 'without-plates' })).toHaveLength(1);
    expect(await look({ ...other, scansAnywhere: 'always' })).toHaveLength(2);
  });

  it('text is detected on each vehicle, but not in full scans, except if all text is hidden', async () => {
    const runs = async (scene: Partial<Scene>): Promise<number> => {
      let count = 0;
      await look({ texts: [plate], vehicles: [CAR], classified: 0.9, onRead: () => count++, ...scene });
      return count;
    };
    expect(await runs({})).toBe(2);
    expect(await runs({ scansAnywhere: 'always' })).toBe(1);
    expect(await runs({ scansAnywhere: 'always', search: 'thorough' })).toBe(2);
  });

  it('a plate on a panorama’s seam is hidden on both sides of it', async () => {
    const tiling = { kind: 'pano', width: 4096 } as const;
    const plates = await look({ texts: [boxOf(486, 100, 546, 120)], tiling, classified: 0.9 });
    expect(plates.some(({ box }) => holds(box, boxOf(490, 103, 512, 117)))).toBe(true);
    expect(plates.some(({ box }) => holds(box, boxOf(0, 103, 30, 117)))).toBe(true);
  });
});
