import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '../../domain/manifest';
import type { Tensor } from '../../ports/inference';
import { bluePlateNet, loadedModel, modelEntry, PLATE_SETTINGS } from '../../testing/fake-models';
import { boxOf } from '../../testing/plans';
import { createRaster } from '../../testing/rasters';
import type { Box } from '../../domain/boxes';
import { classifyPlates, type FullScanSetting } from './classify-plates';
import { createPyramid } from '../pixels/pyramid';
import type { Tile } from '../pixels/tile';

const ENTRY = modelEntry('classifier', 'plate-windows', ['license-plate']);
const PLATE = boxOf(300, 200, 380, 220);
const IMAGE = createPyramid(
  createRaster(640, 400, (x, y) =>
    x >= PLATE.x1 && x < PLATE.x2 && y >= PLATE.y1 && y < PLATE.y2 ? [0, 0, 255] : [60, 60, 60],
  ),
);

/** What is said of the network's answer to its Nth run, made of what it would answer. */
type Says = (outputs: readonly Tensor[], run: number) => readonly Tensor[];

interface Scene {
  readonly says?: Says;
  readonly entry?: ModelEntry;
  readonly vehicles?: readonly Box[];
  readonly text?: readonly Box[];
  readonly scansAnywhere?: FullScanSetting;
  readonly areas?: readonly Tile[];
  readonly maxAreas?: number;
}

const TEXT = boxOf(290, 195, 365, 225);

const classifier = (
  score: number,
  {
    says = (outputs) => outputs,
    entry = ENTRY,
    vehicles = [],
    text = [TEXT],
    scansAnywhere = 'never',
    areas = [],
    maxAreas = 0,
  }: Scene = {},
) => {
  const windows: number[] = [];
  const network = bluePlateNet(score);
  const model = loadedModel(entry, (input) => {
    windows.push(input.dims[0] as number);
    return says(network(input), windows.length);
  });
  const proposals = {
    text,
    areas,
    maxAreas,
    vehicles,
    anywhere: [{ x: 0, y: 0, width: 640, height: 400, wraps: false }],
    scansAnywhere,
    wraps: false,
  };
  const found = classifyPlates(
    proposals,
    { pyramid: IMAGE, model, signal: new AbortController().signal },
    0.3,
  );
  return found.then((plates) => ({ plates, windows }));
};

describe('a proposal', () => {
  it('that is a plate is scored again, then in narrower and wider windows', async () => {
    expect((await classifier(0.9)).windows).toEqual([1, 1, 2]);
  });

  it('that may be a plate is scored again, and not in other widths if it is none then', async () => {
    expect((await classifier(0.2)).windows).toEqual([1, 1]);
  });

  it('has the mean score of four passes, without weights for other evidence', async () => {
    const says: Says = ([plate, corners], run) => [
      { ...plate!, data: run === 3 ? plate!.data.map(() => 0) : plate!.data },
      corners!,
    ];
    const vehicles = [boxOf(100, 50, 600, 300)];
    const doubted = await classifier(0.9, { says, vehicles });
    expect((await classifier(0.9, { vehicles })).plates[0]!.score).toBeCloseTo(0.9);
    expect(doubted.plates[0]!.score).toBeCloseTo(0.45);
  });

  it('is weighed by its share of the vehicle’s width, if the manifest has weights', async () => {
    const evidence = { bias: 3, logOdds: 1, spread: 0, isProposed: 0, above: 0, width: 1 };
    const scoreOn = async (vehicle: Box): Promise<number> =>
      (await classifier(0.6, { entry: { ...ENTRY, evidence }, vehicles: [vehicle] })).plates[0]!.score;
    expect(await scoreOn(boxOf(240, 80, 440, 240))).toBeGreaterThan(await scoreOn(boxOf(0, 80, 640, 240)));
  });

  it('on no vehicle is scored by the network alone, without other evidence', async () => {
    const evidence = { bias: 9, logOdds: 1, spread: 0, isProposed: 0, above: 0, width: 0 };
    const scoreOn = async (...vehicles: readonly Box[]): Promise<number> =>
      (await classifier(0.6, { entry: { ...ENTRY, evidence }, vehicles })).plates[0]!.score;
    expect(await scoreOn()).toBeLessThan(0.5);
    expect(await scoreOn(boxOf(100, 50, 600, 300))).toBeGreaterThan(0.9);
  });

  it('with high scores in all passes is a plate against all other evidence', async () => {
    const evidence = { bias: -9, logOdds: 1, spread: 0, isProposed: 0, above: 0, width: 0 };
    const bus = { entry: { ...ENTRY, evidence }, vehicles: [boxOf(100, 50, 600, 300)] };
    expect((await classifier(0.9, bus)).plates[0]!.score).toBeGreaterThan(0.5);
    expect((await classifier(0.6, bus)).plates[0]!.score).toBeLessThan(0.5);
  });

  describe('that is doubtful', () => {
    const turned = { degrees: 28, minTilt: 0, from: 0.2, below: 0.5, minScore: 0.8 };
    const entry = { ...ENTRY, plates: { ...PLATE_SETTINGS, turned } };
    const inTurned =
      (score: number): Says =>
      ([plate, corners], run) => [
        { ...plate!, data: plate!.data.map((own) => (run > 2 ? score : own)) },
        corners!,
      ];

    it('is scored in turned windows, and has their score if it is higher', async () => {
      const { plates, windows } = await classifier(0.45, { entry, says: inTurned(0.9) });
      expect(windows).toEqual([1, 1, 1, 1, 2]);
      expect(plates[0]!.score).toBeCloseTo((await classifier(0.9)).plates[0]!.score);
    });

    it('keeps its place and score if turned windows do not score high', async () => {
      const level = await classifier(0.45);
      const { plates, windows } = await classifier(0.45, { entry, says: inTurned(0.45) });
      expect(windows).toEqual([1, 1, 1, 2]);
      expect(plates).toEqual(level.plates);
    });

    it('is not scored in turned windows if it is level', async () => {
      const plates = { ...PLATE_SETTINGS, turned: { ...turned, minTilt: 3 } };
      expect((await classifier(0.45, { entry: { ...ENTRY, plates } })).windows).toEqual([1, 1, 2]);
    });

    it('is not scored in turned windows if its level ones are confident', async () => {
      expect((await classifier(0.6, { entry })).windows).toEqual([1, 1, 2]);
    });
  });

  it('that is no plate is scored once', async () => {
    expect((await classifier(0.05)).windows).toEqual([1]);
  });
});

describe('areas without text', () => {
  const input = { ...ENTRY.input, multipleOf: 16, longSides: [352], maxEnlargement: 3 };
  const entry = { ...ENTRY, input };
  const squares = (side: number): Tile[] =>
    Array.from({ length: 8 }, (_, i) => ({ x: 30 * i, y: 0, width: side, height: side, wraps: false }));
  const scans = async (side: number): Promise<number> =>
    (await classifier(0.9, { entry, text: [], areas: squares(side), maxAreas: 2 })).windows.length;

  it('are scanned as long as two large ones take, so that more small ones are', async () => {
    expect(await scans(150)).toBe(2);
    expect(await scans(60)).toBe(7);
  });
});

describe('a turned reading of a plate and its surroundings', () => {
  const turned = { degrees: 28, minTilt: 0, from: 0.2, below: 0.5, minScore: 0.8 };
  const fullScan = { longSides: { always: [480], 'without-plates': [480] }, maxEnlargement: 1 };
  const input = { ...ENTRY.input, multipleOf: 16 };
  const entry = { ...ENTRY, input, plates: { ...PLATE_SETTINGS, turned, fullScan } };
  /** How far, in px of a window, the upper left corner and the others lie outside the plate; tilted a little. */
  const OUTSIDE = [-20, -12, 20, -8, 20, 12, -20, 8];
  /** The scan, and level windows, doubt such readings; turned windows accept them. */
  const readsWide =
    (scanRun: number): Says =>
    ([plate, corners], run) => {
      if (run < scanRun) return [plate!, corners!];
      const cells = corners!.data.length / corners!.dims[0]! / 8;
      const score = run < scanRun + 2 ? 0.45 : 0.9;
      return [
        { ...plate!, data: plate!.data.map((own) => (own > 0 ? score : 0)) },
        { ...corners!, data: corners!.data.map((at, i) => at + OUTSIDE[Math.floor(i / cells) % 8]!) },
      ];
    };
  const scan = { entry, scansAnywhere: 'always' } as const;

  it('is a plate where no level reading is confident', async () => {
    const { plates } = await classifier(0.9, { ...scan, text: [], says: readsWide(1) });
    expect(plates).toHaveLength(1);
    expect(plates[0]!.box.x1).toBeLessThan(PLATE.x1 - 5);
  });

  it('is dropped at the place of a confident level plate', async () => {
    const { plates } = await classifier(0.9, { ...scan, says: readsWide(4) });
    expect(plates).toHaveLength(1);
    expect(plates[0]!.box.x1).toBeGreaterThan(PLATE.x1 - 5);
  });
});

describe('a plate', () => {
  it('has the mean place of three passes', async () => {
    const [exact] = (await classifier(0.9)).plates;
    // The windows of other widths see it 10 px of theirs too far to the right.
    const says: Says = ([plate, corners], run) => {
      const { data, dims } = corners as Tensor;
      const isShifted = (i: number): boolean => run === 3 && i % 2 === 0;
      return [plate as Tensor, { dims, data: data.map((value, i) => value + (isShifted(i) ? 10 : 0)) }];
    };
    const shift = (await classifier(0.9, { says })).plates[0]!.box.x1 - exact!.box.x1;
    const widthOfWindows = (1.35 + 0.8) * 1.8 * (PLATE.x2 - PLATE.x1);
    expect(shift).toBeCloseTo((10 * widthOfWindows) / 128 / 3, 0);
  });
});
