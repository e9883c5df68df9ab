import { describe, expect, it } from 'vitest';
import {
  bluePlateNet,
  blueTextNet,
  colourCenterNet,
  FAKE_MANIFEST,
  fakeSessions,
  modelEntry,
  type FakeNetwork,
} from '../../testing/fake-models';
import { boxOf } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Detection } from '../../domain/detection';
import { COMPLETE_SEARCH, findObjects } from './find-objects';
import type { SearchScope } from './plan-search';
import { defaultImageOptions, type ImageOptions } from '../../domain/options';
import { createPyramid } from '../pixels/pyramid';

/** A red car with a blue plate. */
const CAR = createRaster(640, 320, (x, y) => {
  if (x < 100 || x >= 420 || y < 60 || y >= 280) return [80, 80, 80];
  return x >= 220 && x < 300 && y >= 220 && y < 240 ? [0, 0, 255] : [250, 0, 0];
});
const PLATE = boxOf(220, 220, 300, 240);
const MANIFEST = {
  models: [
    modelEntry('objects', 'centernet', ['person', 'vehicle'], {
      multipleOf: 32,
      longSides: [512, 1024],
      maxEnlargement: 2,
    }),
    ...FAKE_MANIFEST.models.filter(({ id }) => id === 'text'),
    modelEntry('classifier', 'plate-windows', ['license-plate'], { multipleOf: 16, longSides: [352] }),
  ],
};

interface Outcome {
  readonly found: readonly Detection[];
  /** Widths at which vehicles are looked for. */
  readonly vehicleWidths: readonly number[];
  readonly textRuns: number;
}

const lookFor = async (
  changed: Partial<ImageOptions>,
  scope?: SearchScope,
  image = CAR,
): Promise<Outcome> => {
  const vehicleWidths: number[] = [];
  let textRuns = 0;
  const noted =
    (network: FakeNetwork, note: (width: number) => void): FakeNetwork =>
    (input) => {
      note(input.dims[3]!);
      return network(input);
    };
  const sessions = fakeSessions({
    objects: noted(colourCenterNet(0.8), (width) => vehicleWidths.push(width)),
    text: noted(blueTextNet(0.9), () => textRuns++),
    classifier: bluePlateNet(0.95),
  });
  const ports = { sessions, manifest: MANIFEST };
  const signal = new AbortController().signal;
  const found = await findObjects(createPyramid(image), defaultImageOptions(changed), ports, {
    signal,
    scope,
  });
  return { found, vehicleWidths: vehicleWidths.sort((a, b) => a - b), textRuns };
};

describe('vehicles', () => {
  it('that are to be hidden are detected at each scale of their model', async () => {
    const { vehicleWidths } = await lookFor({ classes: ['vehicle', 'license-plate'] });
    expect(vehicleWidths).toEqual([512, 1024]);
  });

  it('that are needed only for their plates are detected at one scale', async () => {
    const { found, vehicleWidths } = await lookFor({ classes: ['license-plate'] });
    expect(vehicleWidths).toEqual([640]);
    expect(found).toHaveLength(1);
  });
});

describe('the quality preset', () => {
  const widths = async (changed: Partial<ImageOptions>): Promise<readonly number[]> =>
    (await lookFor(changed)).vehicleWidths;

  it('fast leaves out all scales but the first', async () => {
    expect(await widths({ classes: ['vehicle'], qualityPreset: 'fast' })).toEqual([512]);
    expect(await widths({ classes: ['license-plate'], qualityPreset: 'fast' })).toEqual([512]);
  });

  it('balanced is the default', async () => {
    const classes = ['vehicle'] as const;
    expect(await widths({ classes, qualityPreset: 'balanced' })).toEqual(await widths({ classes }));
  });

  it('thorough searches as balanced does', async () => {
    for (const classes of [['vehicle'], ['license-plate'], ['vehicle', 'license-plate']] as const) {
      const [thorough, balanced] = [
        await lookFor({ classes, qualityPreset: 'thorough' }),
        await lookFor({ classes, qualityPreset: 'balanced' }),
      ];
      expect(thorough).toEqual(balanced);
    }
  });
});

describe('a vehicle that only one scale detects', () => {
  it('is still searched for a plate', async () => {
    let classified = 0;
    const sessions = fakeSessions({
      objects: (input) => colourCenterNet(input.dims[3]! > 640 ? 0.26 : 0)(input),
      text: blueTextNet(0),
      classifier: (input) => {
        classified++;
        return bluePlateNet(0.95)(input);
      },
    });
    const options = defaultImageOptions({ classes: ['license-plate', 'vehicle'] });
    const ports = { sessions, manifest: MANIFEST };
    await findObjects(createPyramid(CAR), options, ports, { signal: new AbortController().signal });
    expect(classified).toBeGreaterThan(0);
  });
});

describe('a search with low memory', () => {
  const lowMemory = { ...COMPLETE_SEARCH, lowMemory: true };

  it('runs larger scales in windows, and finds the same', async () => {
    const classes = ['vehicle', 'license-plate'] as const;
    const [usual, spared] = [await lookFor({ classes }), await lookFor({ classes }, lowMemory)];
    expect(usual.vehicleWidths).toEqual([512, 1024]);
    expect(spared.vehicleWidths).toEqual([512, 768, 768]);
    const places = ({ found }: Outcome) => found.map(({ objectClass }) => objectClass);
    expect(places(spared)).toEqual(places(usual));
  });

  it('still runs one pass over the whole image', async () => {
    const { vehicleWidths } = await lookFor({ classes: ['vehicle'], qualityPreset: 'fast' }, lowMemory);
    expect(vehicleWidths).toEqual([512]);
  });
});

const QUICK = { depth: 'quick', expected: [], isVideo: true } as const;
const AIMED = { depth: 'aimed', expected: [], isVideo: true } as const;

describe('a quick search', () => {
  const expected = [{ objectClass: 'license-plate', box: PLATE }] as const;

  it('finds plates at their predicted places, without text detection', async () => {
    const classes = ['license-plate'] as const;
    const { found, ...runs } = await lookFor({ classes }, { ...QUICK, expected });
    expect(runs).toEqual({ vehicleWidths: [], textRuns: 0 });
    expect(found.map(({ objectClass }) => objectClass)).toEqual(['license-plate']);
    expect((await lookFor({ classes }, QUICK)).found).toEqual([]);
  });

  it('detects the wanted classes only at the first scale', async () => {
    const { found, vehicleWidths } = await lookFor({ classes: ['vehicle'] }, QUICK);
    expect(vehicleWidths).toEqual([512]);
    expect(found).toHaveLength(1);
  });

  it('still detects text if all text is to be hidden', async () => {
    const { textRuns } = await lookFor({ classes: ['license-plate'], plates: 'thorough' }, QUICK);
    expect(textRuns).toBeGreaterThan(0);
  });
});

describe('an aimed search', () => {
  it('searches only plates at their predicted places, for all wanted classes', async () => {
    const expected = [{ objectClass: 'license-plate', box: PLATE }] as const;
    for (const plates of ['usual', 'thorough'] as const) {
      const changed = { classes: ['vehicle', 'license-plate'], plates } as const;
      const { found, ...runs } = await lookFor(changed, { ...AIMED, expected });
      expect(runs).toEqual({ vehicleWidths: [], textRuns: 0 });
      expect(found.map(({ objectClass }) => objectClass)).toEqual(['license-plate']);
      expect((await lookFor(changed, AIMED)).found).toEqual([]);
    }
  });
});

describe('text', () => {
  const classesIn = async (changed: Partial<ImageOptions>, scope?: SearchScope): Promise<string[]> =>
    (await lookFor(changed, scope)).found.map(({ objectClass }) => objectClass);

  it('is searched only if its class is wanted', async () => {
    expect(await classesIn({ classes: ['text'] })).toEqual(['text']);
    expect((await lookFor({ classes: ['person', 'vehicle'] })).textRuns).toBe(0);
    expect(await classesIn({ classes: ['license-plate', 'vehicle'] })).not.toContain('text');
  });

  it('has the quadrilateral of the text', async () => {
    const { found } = await lookFor({ classes: ['text'] });
    const { x1, y1, x2, y2 } = found[0]!.box;
    expect([x1 < PLATE.x1, y1 < PLATE.y1, x2 > PLATE.x2, y2 > PLATE.y2]).toEqual([true, true, true, true]);
    expect(found[0]!.corners).toHaveLength(4);
  });

  it('is searched once in the whole frame by a quick search, and not by an aimed one', async () => {
    const scope = { expected: [], isVideo: true } as const;
    const textRuns = async (depth: SearchScope['depth']): Promise<number> =>
      (await lookFor({ classes: ['text'] }, { ...scope, depth })).textRuns;
    expect(await classesIn({ classes: ['text'] }, { ...scope, depth: 'quick' })).toEqual(['text']);
    expect(await textRuns('quick')).toBe(1);
    expect(await textRuns('aimed')).toBe(0);
    expect(await lookFor({ classes: ['vehicle'] }, { ...scope, depth: 'quick' })).toMatchObject({
      textRuns: 0,
    });
  });
});

describe('vehicles on which no plate is found', () => {
  const FRONT = createRaster(640, 320, (x, y) =>
    x >= 100 && x < 320 && y >= 60 && y < 280 ? [250, 0, 0] : [80, 80, 80],
  );

  it('get a candidate where candidates are asked for', async () => {
    const { found } = await lookFor(
      { classes: ['license-plate'] },
      { ...COMPLETE_SEARCH, floor: 0.2 },
      FRONT,
    );
    expect(found).toHaveLength(1);
    expect(found[0]?.score).toBeCloseTo(0.4);
  });

  it('get none elsewhere, so that nothing more is hidden', async () => {
    const { found } = await lookFor({ classes: ['license-plate'] }, COMPLETE_SEARCH, FRONT);
    expect(found).toEqual([]);
  });
});
