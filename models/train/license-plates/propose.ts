/**
 * `npx tsx models/train/license-plates/propose.ts`: writes proposals.json, the text that the product's own detector
 * finds in the photos that are trained on: most of it is no plate. Plates are learnt from labels, not from here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { LIMITS } from '#shared/api/limits';
import { chooseModels } from '#shared/catalogue/choose';
import { detect } from '#shared/pipeline/detect';
import { mergeDetections } from '#shared/pipeline/merge';
import { readText } from '#shared/pipeline/plates';
import { createPyramid } from '#shared/pipeline/pyramid';
import { createSessions } from '#shared/pipeline/sessions';
import { sniffImage } from '#shared/pipeline/sniff';
import { planTiles } from '#shared/pipeline/tile';
import { imageCodec } from '../../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../../server/adapters/model-files';
import { system } from '../../../server/adapters/system';

const HERE = new URL('./', import.meta.url);
const DATA = new URL('../../../../shared/data/', import.meta.url);
const MODELS = new URL('../../', import.meta.url).pathname;
const LEAST_VEHICLE_SCORE = 0.2;

const manifest = await readManifest(MODELS);
const modelFiles = createModelFiles(MODELS);
const sessions = createSessions({ runtime: createInferenceRuntime(1), modelFiles, system, manifest });
const { detectors, textDetector } = chooseModels(manifest, ['license-plate']);
if (!textDetector) throw new Error('the manifest has no text detector');
const text = await sessions.get(textDetector);
const { signal } = new AbortController();

/** Boxes x1, y1, x2, y2 of all lines of text in a photo, in its px. */
const propose = async (photo: URL): Promise<number[][]> => {
  const bytes = readFileSync(photo);
  const pyramid = createPyramid(await imageCodec.decode(bytes, sniffImage(bytes, LIMITS)));
  const tiles = planTiles(pyramid, { kind: 'whole' });
  const found = [];
  for (const entry of detectors) {
    const wanted = { vehicle: LEAST_VEHICLE_SCORE };
    found.push(...(await detect(pyramid, tiles, await sessions.get(entry), wanted, () => undefined, signal)));
  }
  const vehicles = mergeDetections(found, pyramid.width, pyramid.height);
  const { lines } = await readText(pyramid, tiles, text, Promise.resolve(vehicles), () => undefined, signal);
  return lines.map(({ box: { x1, y1, x2, y2 } }) => [x1, y1, x2, y2].map((value) => Math.round(value)));
};

const split = JSON.parse(readFileSync(new URL('split.json', HERE), 'utf8')) as Record<
  'training' | 'background',
  string[]
>;
const photos = [
  ...split.training.map((file) => ['plates', file] as const),
  ...split.background.map((file) => ['coco128', file] as const),
];
const proposals: Record<string, number[][]> = {};
for (const [set, file] of photos) {
  proposals[file] = await propose(new URL(`${set}/images/${encodeURIComponent(file)}`, DATA));
}
writeFileSync(new URL('proposals.json', HERE), `${JSON.stringify(proposals)}\n`);
