/**
 * `npx tsx models/train/license-plates/gather.ts`: writes candidates.json, the evidence for each plate candidate that
 * the product finds in the validation photos, with its label. `weigh.py` learns the weights of the evidence from it.
 *
 * The network was not trained on these photos. In training photos its scores would be too good.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { LIMITS } from '#shared/domain/limits';
import { plateSettingsOf, type ModelEntry } from '#shared/domain/manifest';
import { intersectionOverSmaller, iou, type Box } from '#shared/domain/boxes';
import { cornerBounds } from '#shared/domain/detection';
import { detect } from '#shared/engine/detect/detect';
import { COMPLETE_SEARCH } from '#shared/engine/search/find-objects';
import { rescorePlates, scoreProposals, slideWindows } from '#shared/engine/plates/classify-plates';
import { mergeDetections } from '#shared/engine/fusion/merge';
import { defaultImageOptions, type ImageOptions } from '#shared/domain/options';
import { planSearch } from '#shared/engine/search/plan-search';
import { vehicleOf, evidenceOf } from '#shared/engine/plates/plate-evidence';
import { cropsOf, readText } from '#shared/engine/plates/plates';
import { createPyramid, type Pyramid } from '#shared/engine/pixels/pyramid';
import { createSessions } from '#shared/engine/inference/sessions';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { imageCodec } from '../../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../../server/adapters/model-files';
import { system } from '../../../server/adapters/system';
import { endWhenOutputCloses } from '../../../server/end-when-output-closes';

endWhenOutputCloses();

const HERE = new URL('./', import.meta.url);
const DATA = new URL('../../../../shared/data/', import.meta.url);
const SETS = ['plates', 'plates-motorcycles'] as const;
const MODELS = new URL('../../', import.meta.url).pathname;
/**
 * A candidate with at least this IoU with a label is a plate. One that overlaps no label is none. Others are left out.
 */
const SAME_IOU = 0.5;
const TOUCHED = 0.3;
/** Maximum number of scanned vehicles per photo, the largest first: more than the product scans, for more examples. */
const MAX_AREAS = 12;
const OPTIONS: ImageOptions = defaultImageOptions({ method: 'detect', classes: ['license-plate'] });

type Corner4 = readonly [number, number, number, number];
const readJson = <T>(url: URL): T => JSON.parse(readFileSync(url, 'utf8')) as T;
const toBox = ([x1, y1, x2, y2]: Corner4): Box => ({ x1, y1, x2, y2 });

interface LabelledPhoto {
  readonly file: string;
  readonly plates: readonly { readonly bbox: Corner4 }[];
}

/** By the file's name: the folder of its set, and its plates. */
const photos = new Map(
  SETS.flatMap((set) =>
    readJson<LabelledPhoto[]>(new URL(`${set}/annotations.json`, DATA)).map(
      ({ file, plates }) => [basename(file), { folder: `${set}/images/`, plates }] as const,
    ),
  ),
);
const unlabelled = readJson<{ plates: Record<string, Corner4[]> }>(new URL('unlabelled.json', HERE)).plates;
const manifest = await readManifest(MODELS);
const modelFiles = createModelFiles(MODELS);
const sessions = createSessions({ runtime: createInferenceRuntime(1), modelFiles, system, manifest });
const { signal } = new AbortController();
const onStep = (): void => undefined;

const findVehicles = async (pyramid: Pyramid): Promise<readonly Box[]> => {
  const { detectors, wanted, vehicleScore } = planSearch(manifest, pyramid, OPTIONS, COMPLETE_SEARCH);
  const found = [];
  for (const { entry, passes } of detectors) {
    found.push(
      ...(await detect(passes, { pyramid, model: await sessions.get(entry), wanted, onStep, signal })),
    );
  }
  return mergeDetections(found, pyramid.width, pyramid.height)
    .filter(({ objectClass, score }) => objectClass === 'vehicle' && score >= vehicleScore)
    .map(({ box }) => box);
};

/** @returns an entry for each candidate: photo, label 0 or 1, evidence */
const gather = async (file: string): Promise<unknown[]> => {
  const folder = photos.get(file)?.folder ?? '';
  const bytes = readFileSync(new URL(folder + encodeURIComponent(file), DATA));
  const pyramid = createPyramid(await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS)));
  const { tiles, textDetector, plateClassifier } = planSearch(manifest, pyramid, OPTIONS, COMPLETE_SEARCH);
  const text = await sessions.get(textDetector as ModelEntry);
  const classifier = await sessions.get(plateClassifier as ModelEntry);
  const vehicles = await findVehicles(pyramid);
  const crops = cropsOf(
    pyramid,
    vehicles.map((box) => ({ objectClass: 'vehicle', score: 1, box })),
  );
  const run = { pyramid, model: classifier, signal };
  const lines = await readText(
    { tiles, crops: Promise.resolve(crops) },
    { ...run, model: text, onStep: () => undefined },
  );
  const areas = crops.sort((a, b) => b.width - a.width).slice(0, MAX_AREAS);
  const { longSides, maxEnlargement } = plateSettingsOf(classifier.entry).fullScan;
  const whole = { ...classifier.entry.input, longSides: longSides['without-plates'], maxEnlargement };
  const seen = [
    {
      isProposed: true,
      readings: await scoreProposals({ text: lines.map(({ box }) => box), wraps: false }, run),
    },
    ...(await Promise.all(
      areas.map(async (area) => ({
        isProposed: false,
        readings: await slideWindows([area], classifier.entry.input, run),
      })),
    )),
    { isProposed: false, readings: await slideWindows(tiles, whole, run) },
  ];
  const rows: unknown[] = [];
  for (const { isProposed, readings } of seen) {
    for (const candidate of await rescorePlates(readings, { ...run, wraps: false })) {
      const box = cornerBounds(candidate.corners);
      const label = labelOf(file, box);
      if (label === undefined) continue;
      const evidence = evidenceOf(candidate, vehicleOf(box, vehicles), isProposed);
      const numbers = Object.entries(evidence).map(([name, value]) => [name, Number(value.toFixed(4))]);
      rows.push({ file, isPlate: label, ...Object.fromEntries(numbers) });
    }
  }
  return rows;
};

/** @returns undefined if the label is unclear */
const labelOf = (file: string, box: Box): 0 | 1 | undefined => {
  const plates = (photos.get(file)?.plates ?? []).map(({ bbox }) => toBox(bbox));
  if (plates.some((plate) => iou(plate, box) >= SAME_IOU)) return 1;
  const unknown = [...plates, ...(unlabelled[file] ?? []).map(toBox)];
  return unknown.some((plate) => intersectionOverSmaller(plate, box) >= TOUCHED) ? undefined : 0;
};

const { validation } = readJson<{ validation: string[] }>(new URL('split.json', HERE));
const rows: string[] = [];
for (const file of validation) rows.push(...(await gather(file)).map((row) => JSON.stringify(row)));
writeFileSync(new URL('candidates.json', HERE), `[\n${rows.join(',\n')}\n]\n`);
console.log(`${rows.length} candidates in ${validation.length} photos`);
