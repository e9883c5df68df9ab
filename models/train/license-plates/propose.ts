/**
 * `npx tsx models/train/license-plates/propose.ts`: adds the text that the product's own detector finds in the training
 * photos to proposals.json. Most of it is not a plate; plates are learnt from labels.
 *
 * Photos that are already in the file are skipped, and the file is written every few photos, so an interrupted run can
 * be continued. `--max N`: processes at most N photos.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { chooseModels } from '#shared/engine/packs/choose';
import { detect, planPasses } from '#shared/engine/detect/detect';
import { mergeDetections } from '#shared/engine/fusion/merge';
import { cropsOf, readText } from '#shared/engine/plates/plates';
import { createPyramid } from '#shared/engine/pixels/pyramid';
import { createSessions } from '#shared/engine/inference/sessions';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { planTiles } from '#shared/engine/pixels/tile';
import { imageCodec } from '../../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../../server/adapters/model-files';
import { system } from '../../../server/adapters/system';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';

endWhenOutputCloses();

const HERE = new URL('./', import.meta.url);
const DATA = new URL('../../../../shared/data/', import.meta.url);
const MODELS = new URL('../../', import.meta.url).pathname;
const PROPOSALS = new URL('proposals.json', HERE);
const MIN_VEHICLE_SCORE = 0.2;
const PHOTOS_PER_WRITE = 25;

const { values: flags } = parseArgs({ options: { max: { type: 'string', default: 'Infinity' } } });

const manifest = await readManifest(MODELS);
const modelFiles = createModelFiles(MODELS);
const sessions = createSessions({ runtime: createInferenceRuntime(1), modelFiles, system, manifest });
const { detectors, textDetector } = chooseModels(
  manifest,
  defaultImageOptions({ classes: ['license-plate'] }),
);
if (!textDetector) throw new Error('the manifest has no text detector');
const text = await sessions.get(textDetector);
const { signal } = new AbortController();
const onStep = (): void => undefined;

/** Boxes x1, y1, x2, y2 of all lines of text in a photo, in px of the photo. */
const propose = async (photo: URL): Promise<number[][]> => {
  const bytes = readFileSync(photo);
  const pyramid = createPyramid(await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS)));
  const tiles = planTiles(pyramid, { kind: 'whole' });
  const found = [];
  for (const entry of detectors) {
    const wanted = { vehicle: MIN_VEHICLE_SCORE };
    const passes = planPasses(tiles, entry.input);
    found.push(
      ...(await detect(passes, { pyramid, model: await sessions.get(entry), wanted, onStep, signal })),
    );
  }
  const vehicles = mergeDetections(found, pyramid.width, pyramid.height);
  const crops = Promise.resolve(cropsOf(pyramid, vehicles));
  const lines = await readText({ tiles, crops }, { pyramid, model: text, onStep, signal });
  return lines.map(({ box: { x1, y1, x2, y2 } }) => [x1, y1, x2, y2].map((value) => Math.round(value)));
};

const split = JSON.parse(readFileSync(new URL('split.json', HERE), 'utf8')) as Record<
  'training' | 'background' | 'everyday',
  string[]
>;
const folders = new Map(
  ['coco128', 'everyday', 'plates-motorcycles', 'plates'].flatMap((folder) =>
    readdirSync(new URL(`${folder}/images/`, DATA)).map((file) => [file, folder] as const),
  ),
);
const photos = [...split.background, ...split.everyday, ...split.training].map(
  (file) => [folders.get(file) as string, file] as const,
);
const proposals = JSON.parse(readFileSync(PROPOSALS, 'utf8')) as Record<string, number[][]>;

/**
 * Writes a line for each photo, in the format of mine.py. The file is replaced in one step, because a training may read
 * it.
 */
const write = (): void => {
  const files = Object.keys(proposals).sort();
  const lines = files.map((file) => `${JSON.stringify(file)}: ${JSON.stringify(proposals[file])}`);
  const written = new URL('proposals.new', HERE);
  writeFileSync(written, `{\n${lines.join(',\n')}\n}\n`);
  renameSync(written, PROPOSALS);
};

const missing = photos.filter(([, file]) => !(file in proposals)).slice(0, Number(flags.max));
for (const [index, [set, file]] of missing.entries()) {
  proposals[file] = await propose(new URL(`${set}/images/${encodeURIComponent(file)}`, DATA));
  if (index % PHOTOS_PER_WRITE === 0) write();
}
write();
console.log(`Read ${missing.length} photos; ${Object.keys(proposals).length} have their proposals.`);
