/**
 * `npx tsx models/train/object-outlines/find-vehicles.ts`: writes boxes.json, the confident detections of vehicles in
 * photos of plates. There are few labelled outlines of vehicles, so training also uses boxes.
 *
 * Only training photos of the plate classifier are used, so that its held-out photos stay held out here, too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import { chooseModels } from '#shared/engine/packs/choose';
import { shorterSide } from '#shared/domain/boxes';
import { detect, planPasses } from '#shared/engine/detect/detect';
import { mergeDetections } from '#shared/engine/fusion/merge';
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
const PHOTOS = new URL('../../../../shared/data/plates/images/', import.meta.url);
const MODELS = new URL('../../', import.meta.url).pathname;
const MIN_SCORE = 0.45;
const MIN_SIDE_PX = 40;
/** Only every n-th photo of the dash camera is used, because they show similar streets behind one windscreen. */
const EVERY_NTH_OF_DASHCAM = 8;

const manifest = await readManifest(MODELS);
const sessions = createSessions({
  runtime: createInferenceRuntime(2),
  modelFiles: createModelFiles(MODELS),
  system,
  manifest,
});
const [detector] = chooseModels(manifest, defaultImageOptions({ classes: ['vehicle'] })).detectors;
if (!detector) throw new Error('the manifest has no detector of vehicles');
const model = await sessions.get(detector);
const { signal } = new AbortController();

/** Boxes x1, y1, x2, y2 of the vehicles in a photo, in px of the photo. */
const findVehicles = async (file: string): Promise<number[][]> => {
  const bytes = readFileSync(new URL(encodeURIComponent(file), PHOTOS));
  const pyramid = createPyramid(await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS)));
  const passes = planPasses(planTiles(pyramid, { kind: 'whole' }), { ...detector.input, longSides: [512] });
  const search = { pyramid, model, wanted: { vehicle: MIN_SCORE }, onStep: () => undefined, signal };
  const found = await detect(passes, search);
  return mergeDetections(found, pyramid.width, pyramid.height)
    .filter(({ box }) => shorterSide(box) >= MIN_SIDE_PX)
    .map(({ box: { x1, y1, x2, y2 } }) => [x1, y1, x2, y2].map((value) => Math.round(value)));
};

const { training } = JSON.parse(
  readFileSync(new URL('../license-plates/split.json', HERE), 'utf8'),
) as Readonly<Record<'training', string[]>>;
const photos = training.filter((file, i) => !file.startsWith('dashcam') || i % EVERY_NTH_OF_DASHCAM === 0);
const lines: string[] = [];
for (const file of photos) {
  const boxes = await findVehicles(file);
  if (boxes.length > 0) lines.push(`${JSON.stringify(file)}: ${JSON.stringify(boxes)}`);
}
writeFileSync(new URL('boxes.json', HERE), `{\n${lines.join(',\n')}\n}\n`);
console.log(`Found vehicles in ${lines.length} of ${photos.length} photos.`);
