import type { Manifest } from '../../domain/manifest';
import type { Box } from '../../domain/boxes';
import type { Detection, Expected } from '../../domain/detection';
import { detect, fitTiles } from '../detect/detect';
import { detectInCascade } from '../detect/detect-in-cascade';
import { personsWithoutFace, findFacesOf, headsAsFaces } from './faces-of-persons';
import { runAll } from '../runtime/in-parallel';
import type { FullScanSetting } from '../plates/classify-plates';
import { mergeDetections, type TileDetection } from '../fusion/merge';
import type { ObjectClass } from '../../catalogue/classes';
import { DEFAULT_THRESHOLDS, thresholdIn, type ImageOptions } from '../../domain/options';
import { planSearch, type SearchPlan, type SearchScope } from './plan-search';
import { doubtfulPlates } from '../plates/doubtful-plates';
import { findPlates } from '../plates/plates';
import type { Pyramid } from '../pixels/pyramid';
import { findText } from '../text/find-text';
import type { Sessions } from '../inference/sessions';

export const COMPLETE_SEARCH: SearchScope = { depth: 'whole', expected: [], isVideo: false };

interface SearchPorts {
  readonly sessions: Sessions;
  readonly manifest: Manifest;
}

/** How far and how long an image is searched. */
interface SearchRun {
  /** Gets the share of the network runs that are done. */
  readonly onProgress?: (share: number) => void;
  readonly signal: AbortSignal;
  /** Search depth and predictions of a video's frame; an image is searched completely. */
  readonly scope?: SearchScope | undefined;
}

/** The context that all steps of a search share. */
interface Search {
  readonly pyramid: Pyramid;
  readonly options: ImageOptions;
  readonly plan: SearchPlan;
  readonly sessions: Sessions;
  readonly onStep: () => void;
  readonly signal: AbortSignal;
}

const countRuns = ({ detectors, textDetector, text, tiles }: SearchPlan): number =>
  detectors.reduce((total, { passes, cascades }) => total + passes.length + cascades.length, 0) +
  (text?.passes.length ?? 0) +
  (textDetector ? fitTiles(tiles, textDetector.input).length : 0);

const boxesOf = (objects: readonly Expected[], objectClass: ObjectClass): Box[] =>
  objects.filter((one) => one.objectClass === objectClass).map(({ box }) => box);

const aboveThreshold = (found: readonly Detection[], objectClass: ObjectClass, min: number): Detection[] =>
  found.filter((one) => one.objectClass === objectClass && one.score >= min);

/** Runs every detector in every tile at every scale. */
const runDetectors = async ({
  pyramid,
  plan,
  sessions,
  onStep,
  signal,
}: Search): Promise<TileDetection[]> => {
  const { detectors, wanted } = plan;
  const runs = detectors.map(({ entry, passes, cascades }) => async () => {
    const model = await sessions.get(entry);
    const search = { pyramid, model, wanted, onStep, signal };
    return cascades.length === 0 ? detect(passes, search) : detectInCascade(cascades, search);
  });
  return (await runAll(runs, Math.max(1, runs.length))).flat();
};

/**
 * When areas without vehicles are scanned for plates. In videos always: a plate that is missed in one completely
 * searched frame is usually missed in all. In images only if no plate was found: most further candidates are false.
 */
const scansAnywhereIn = ({ isVideo, depth }: SearchScope): FullScanSetting => {
  if (!isVideo) return 'without-plates';
  return depth === 'whole' ? 'always' : 'never';
};

const searchPlates = async (
  { pyramid, options, plan, sessions, onStep, signal }: Search,
  objects: Promise<readonly Detection[]>,
  scope: SearchScope,
): Promise<TileDetection[]> => {
  const { tiles, textDetector, plateClassifier, vehicleScore, wanted } = plan;
  if (!textDetector && !plateClassifier) return [];
  const vehicles = objects.then((found) => aboveThreshold(found, 'vehicle', vehicleScore));
  vehicles.catch(() => undefined); // Progress is reported by the detectors themselves.
  const plateModels = {
    text: textDetector && (await sessions.get(textDetector)),
    classifier: plateClassifier && (await sessions.get(plateClassifier)),
  };
  const expected = boxesOf(scope.expected, 'license-plate');
  const scansAnywhere = scansAnywhereIn(scope);
  const search = options.plates;
  const plates = await findPlates(plateModels, {
    ...{ pyramid, tiles, wanted, search, onStep, signal },
    ...{ vehicles, expected, scansAnywhere },
  });
  if (scope.floor === undefined) return plates;
  const certain = aboveThreshold(await objects, 'vehicle', DEFAULT_THRESHOLDS.vehicle);
  return [...plates, ...doubtfulPlates(certain, plates, thresholdIn(options.thresholds, 'license-plate'))];
};

/** Searches text in any direction, which has to be merged by its quadrilaterals. */
const searchText = async ({
  pyramid,
  options,
  plan,
  sessions,
  onStep,
  signal,
}: Search): Promise<Detection[]> => {
  const { text, wanted } = plan;
  if (!text) return [];
  const model = await sessions.get(text.entry);
  const threshold = thresholdIn(options.thresholds, 'text');
  return findText(text.passes, { pyramid, model, min: wanted.text ?? threshold, threshold, onStep, signal });
};

/** Searches faces again at persons without a detected face. */
const searchPersons = async (
  { pyramid, options, plan, sessions, signal }: Search,
  objects: Promise<readonly Detection[]>,
): Promise<TileDetection[]> => {
  const { faceDetector, personScore, wanted } = plan;
  if (!faceDetector) return [];
  const found = await objects;
  const min = options.thresholds.face;
  const withoutFace = personsWithoutFace(
    aboveThreshold(found, 'person', personScore),
    aboveThreshold(found, 'face', min),
  );
  const model = await sessions.get(faceDetector);
  const faces = await findFacesOf(withoutFace, { pyramid, model, wanted, signal });
  if (!options.headFallback) return faces;
  return [
    ...faces,
    ...headsAsFaces(personsWithoutFace(withoutFace, aboveThreshold(faces, 'face', min)), min),
  ];
};

/**
 * Finds all objects to hide: runs every detector on every tile at every scale, then searches plates on vehicles and
 * faces at persons, and merges the results to one detection for each object.
 *
 * @returns classes in their fixed order, best first
 */
export const findObjects = async (
  pyramid: Pyramid,
  options: ImageOptions,
  { sessions, manifest }: SearchPorts,
  { onProgress = () => undefined, signal, scope = COMPLETE_SEARCH }: SearchRun,
): Promise<Detection[]> => {
  const { width, height } = pyramid;
  const plan = planSearch(manifest, pyramid, options, scope);
  const runs = countRuns(plan);
  let done = 0;
  const onStep = (): void => onProgress(Math.min(1, ++done / runs));
  const search: Search = { pyramid, options, plan, sessions, onStep, signal };
  const detecting = runDetectors(search);
  const objects = detecting.then((found) => mergeDetections(found, width, height));
  objects.catch(() => undefined); // Progress is reported by `detecting` itself.
  // All searches are awaited, even if one fails: no run of an image may continue after the image has failed.
  const text: Detection[] = [];
  const found = await runAll(
    [
      () => detecting,
      () => searchPersons(search, objects),
      () => searchPlates(search, objects, scope),
      async () => {
        text.push(...(await searchText(search)));
        return [];
      },
    ],
    4,
  );
  const all = [...mergeDetections(found.flat(), width, height), ...text];
  return all.filter(
    ({ objectClass, score }) =>
      options.classes.includes(objectClass) && score >= thresholdIn(plan.thresholds, objectClass),
  );
};
