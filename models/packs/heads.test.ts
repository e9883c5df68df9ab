import { readImageHeader } from '#shared/engine/formats/read-header';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { Pack } from '#shared/engine/packs/packs';
import { boxHeight, boxWidth } from '#shared/domain/boxes';
import { HEAD_NAMES } from '#shared/domain/manifest';
import type { ObjectClass } from '#shared/catalogue/classes';
import type { RedactionPlan } from '#shared/domain/plan';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import { createRaster } from '#shared/testing/rasters';
import { imageCodec } from '../../server/adapters/image-codec';
import { readManifest } from '../../server/adapters/model-files';
import { openEngine } from '../eval/open-engine';
import { addPack } from './add-pack';
import { findPack } from './find-pack';
import { FOUND, SIDE, TINY_HEADS, type TinyHead } from './test/tiny-heads';
import { promptedMaskModel, packOf, tinyModel } from './test/tiny-models';

const manifest = await readManifest(join(import.meta.dirname, '..'));
/** Ratio of the image size to the networks' input size. */
const SCALE = 4;
const image = await imageCodec.encodePng(
  { ...createRaster(SIDE * SCALE, SIDE * SCALE, () => [90, 90, 90]), channels: 4 },
  1,
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-heads-'));
});
afterEach(() => rm(folder, { recursive: true }));

const install = async ({ file, described }: TinyHead, id = 'tiny-vehicles'): Promise<Pack> => {
  const description = { ...packOf(file, { ...described, id, file: `${id}.onnx` }), id };
  await writeFile(join(folder, 'model.onnx'), file);
  await writeFile(join(folder, 'pack.json'), JSON.stringify(description));
  const found = await findPack(join(folder, 'pack.json'));
  return addPack(found, { folder: join(folder, 'installed'), manifest, from: join(folder, 'model.onnx') });
};

/** The redaction plan for a plain image, with the installed packs. */
const planWith = async (
  classes: readonly ObjectClass[],
  more: Partial<ImageOptions> = {},
): Promise<RedactionPlan> => {
  const engine = await openEngine(join(folder, 'installed'));
  const job = {
    bytes: image,
    header: await readImageHeader(image, LIMITS),
    options: defaultImageOptions({ classes, ...more }),
    encoding: { format: 'jpeg', quality: 90 },
    masks: [],
  } as const;
  return (await engine.anonymiseImage(job, () => undefined, new AbortController().signal)).plan;
};

const inImage = { x1: 64, y1: 32, x2: 192, y2: 160 };
const expectNear = (box: object | undefined): void => {
  for (const [side, at] of Object.entries(inImage)) {
    expect((box as Record<string, number> | undefined)?.[side], side).toBeCloseTo(at, 2);
  }
};

describe.each(Object.entries(TINY_HEADS))('a network with the outputs of %s', (_name, head) => {
  it('is installed, run and decoded, and its detections are hidden', async () => {
    expect([boxWidth(FOUND) * SCALE, boxHeight(FOUND) * SCALE]).toEqual([
      boxWidth(inImage),
      boxHeight(inImage),
    ]);
    await install(head);
    const { regions } = await planWith(head.described.classes ?? []);
    expect(regions.map(({ detection }) => detection.objectClass)).toEqual(head.described.classes);
    expectNear(regions[0]?.detection.box);
  });
});

/** For each of these columns: whether its pixel in the middle row of the detection is hidden. */
const hiddenAt = ({ regions }: RedactionPlan, columns: readonly number[]): readonly boolean[] => {
  const shape = regions[0]?.shape;
  if (shape?.kind !== 'runs') throw new Error(`the shape is ${shape?.kind ?? 'none'}`);
  const { box, runs } = shape;
  return columns.map((x) => {
    const pixel = (96 - box.y1) * boxWidth(box) + x - box.x1;
    let at = 0;
    return runs.some((run, i) => (at += run) > pixel && at - run <= pixel && i % 2 === 1);
  });
};

/** Installs a file without a description. */
const installBare = async (file: Uint8Array): Promise<Pack> => {
  const from = join(folder, 'model.onnx');
  await writeFile(from, file);
  return addPack(await findPack(from), { folder: join(folder, 'installed'), manifest });
};

describe('a file of a DETR without a description', () => {
  it.each(['D-FINE', 'RF-DETR'] as const)(
    'of %s is recognised, and its detections are hidden',
    async (name) => {
      const { models } = await installBare(TINY_HEADS[name].file);
      expect(models).toMatchObject([{ head: 'detr', classes: ['person', 'vehicle'] }]);
      // At the network's own size, because this one detects the same in each window of a larger scale.
      const plan = await planWith(['vehicle'], { qualityPreset: 'fast' });
      expect(plan.regions.map(({ detection }) => detection.objectClass)).toEqual(['vehicle']);
      expectNear(plan.regions[0]?.detection.box);
    },
  );

  it('of RF-DETR with masks is recognised with them', async () => {
    await installBare(TINY_HEADS['RF-DETR with masks'].file);
    const plan = await planWith(['vehicle'], { qualityPreset: 'fast' });
    expect(hiddenAt(plan, [66, 120, 136, 190])).toEqual([true, true, false, false]);
  });

  it.each([
    ['boxes that are not numbers', Number.NaN, 1, 'invalid coordinates'],
    ['too many predictions', 0.5, 1500, '1500 predictions, more than 1000'],
  ])('with %s is refused', async (_name, place, queries, reason) => {
    const logits = { name: 'logits', dims: [1, queries, 80], data: new Float32Array(queries * 80).fill(5) };
    const boxes = {
      name: 'pred_boxes',
      dims: [1, queries, 4],
      data: new Float32Array(queries * 4).fill(place),
    };
    await expect(installBare(tinyModel('images', [1, 3, SIDE, SIDE], [logits, boxes]))).rejects.toThrow(
      reason,
    );
  });
});

describe('a mask', () => {
  it.each(['YOLO with masks', 'YOLO with masks and NMS', 'RF-DETR with masks'] as const)(
    'of a %s is the hidden shape',
    async (name) => {
      await install(TINY_HEADS[name]);
      const plan = await planWith(['vehicle']);
      // The mask is the left half of the image, the box 64..192.
      expect(hiddenAt(plan, [66, 120, 136, 190])).toEqual([true, true, false, false]);
    },
  );

  it('of a network with a box as its prompt is the hidden shape', async () => {
    await install(TINY_HEADS['YOLO without NMS']);
    await install(
      {
        file: promptedMaskModel(),
        described: {
          head: 'efficient-sam',
          classes: ['vehicle'],
          input: {
            name: 'image',
            mean: [0, 0, 0],
            std: [255, 255, 255],
            size: [32, 32],
            prompts: { points: 'points', labels: 'labels' },
          },
          outputs: ['masks'],
        },
      },
      'tiny-outlines',
    );
    const plan = await planWith(['vehicle']);
    // The crop shows 205 px in 32 px: its mask begins 26 px to the right of the box's left edge, without a right edge.
    expect(hiddenAt(plan, [66, 80, 100, 190])).toEqual([false, false, true, true]);
  });
});

it('every head that only packs use is tested here', () => {
  const ofDefaults = new Set(manifest.models.map(({ head }) => head));
  const tried = new Set([
    ...Object.values(TINY_HEADS).map(({ described }) => described.head),
    'efficient-sam',
  ]);
  const untried = HEAD_NAMES.filter((name) => !ofDefaults.has(name) && !tried.has(name));
  // The head of a plate detector that neither the default set nor any pack contains.
  expect(untried).toEqual(['plate-corners']);
});
