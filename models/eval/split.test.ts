import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '#shared/testing/rasters';
import { DATA_SETS } from './data-sets';
import type { LabelledImage } from './labelled-image';
import { divideByLikeness, takeSide } from './split';

const DATA = new URL('../../../shared/data', import.meta.url).pathname;
const SCENES = 6;

let folder: string;
let photos: LabelledImage[];
const write = async (name: string, image: Sharp): Promise<LabelledImage> => {
  const path = join(folder, name);
  await image.toFile(path);
  return { path, truth: [], uncounted: [] };
};
/** A scene of large patches, different for each seed. */
const scene = (seed: number): Sharp => {
  const random = seededRandom(seed);
  const data = Uint8Array.from({ length: 8 * 6 * 3 }, () => random() * 255);
  return sharp(data, { raw: { width: 8, height: 6, channels: 3 } }).resize(320, 240, { kernel: 'cubic' });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veil-split-'));
  photos = [];
  for (let i = 0; i < SCENES; i++) {
    const original = await scene(i + 1)
      .png()
      .toBuffer();
    photos.push(
      await write(`${i}-a.png`, sharp(original)),
      await write(`${i}-z-small.jpg`, sharp(original).resize(160, 120).jpeg({ quality: 40 })),
      await write(`${i}-m-mirrored.jpg`, sharp(original).flop().modulate({ brightness: 1.15 })),
      await write(`${i}-c-cut.png`, sharp(original).extract({ left: 6, top: 4, width: 308, height: 232 })),
    );
  }
});
afterAll(() => rm(folder, { recursive: true }));

const sceneOf = ({ path }: LabelledImage): string => basename(path)[0] ?? '';
const scenes = (side: readonly LabelledImage[]): readonly string[] => [...new Set(side.map(sceneOf))].sort();

describe('photos divided by similarity', () => {
  it('are on the same side as near duplicates: smaller, compressed, mirrored, brighter, cropped', async () => {
    const { groups, heldOut, tuning } = await divideByLikeness(photos, () => false);
    expect(groups).toBe(SCENES);
    expect(scenes(tuning)).toEqual(['0', '2', '4']);
    expect(scenes(heldOut)).toEqual(['1', '3', '5']);
    expect(heldOut.length + tuning.length).toBe(photos.length);
  });

  it('are divided in the same way in any order', async () => {
    const [one, other] = await Promise.all(
      [photos, photos.toReversed()].map((list) => divideByLikeness(list, () => false)),
    );
    expect(new Set(other!.heldOut)).toEqual(new Set(one!.heldOut));
  });

  it('all belong to tuning if a near duplicate was a training photo', async () => {
    const { heldOut, tuning } = await divideByLikeness(photos, (file) => file === '3-m-mirrored.jpg');
    expect(scenes(tuning)).toEqual(['3']);
    expect(scenes(heldOut)).toEqual(['0', '1', '2', '4', '5']);
  });
});

if (!existsSync(DATA)) console.warn(`Not tested: there is no labelled data in ${DATA}.`);

describe.runIf(existsSync(DATA)).each(['coco128', 'faces', 'plates'] as const)('the photos of %s', (name) => {
  it('are either held out or for tuning', async () => {
    const { read, ...set } = DATA_SETS[name];
    const all = read(DATA);
    const [heldOut, tuning] = await Promise.all(
      (['held-out', 'tuning'] as const).map(
        async (split) => (await takeSide(name, all, split, 'isDivided' in set)).photos,
      ),
    );
    expect(Math.min(heldOut!.length, tuning!.length)).toBeGreaterThan(0);
    expect(new Set([...heldOut!, ...tuning!])).toEqual(new Set(all));
    expect(heldOut!.length + tuning!.length).toBe(all.length);
  });
});
