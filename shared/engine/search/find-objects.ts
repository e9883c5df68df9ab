import type { Manifest } from '../../domain/manifest';
import type { Box } from '../../domain/boxes';
import { detect, fitTiles } from '../detect/detect';
import { detectInCascade } from '../detect/detect-in-cascade';
import type { Detection, Expected } from '../../domain/detection';
import { personsWithoutFace, findFacesOf, headsAsFaces } from './faces-of-persons';
import { runAll } from '../runtime/in-parallel';
import type { ScansAnywhere } from '../plates/classify-plates';
import { mergeDetections, type Found } from '../fusion/merge';
import type { ObjectClass } from '../../domain/object-class';
import type { ImageOptions } from '../../domain/options';
import { planSearch, type SearchPlan, type SearchScope } from './plan-search';
import { findPlates } from '../plates/plates';
import type { Pyramid } from '../pixels/pyramid';
import { presetOf } from '../detect/quality-presets';
import type { Sessions } from '../inference/sessions';

export const ALL: SearchScope = { depth: 'whole', expected: [], isVideo: false };

interface SearchPorts {
  readonly sessions: Sessions;
  readonly manifest: Manifest;
}

/** What all steps of a search share. */
interface Search {
  readonly pyramid: Pyramid;
  readonly options: ImageOptions;
  readonly plan: SearchPlan;
  readonly sessions: Sessions;
  readonly onStep: () => void;
  readonly signal: AbortSignal;
}

const countRuns = ({ detectors, textDetector, tiles }: SearchPlan): number =>
  detectors.reduce((total, { passes, cascades }) => total + passes.length + cascades.length, 0) +
  (textDetector ? fitTiles(tiles, textDetector.input).length : 0);

const boxesOf = (objects: readonly Expected[], objectClass: ObjectClass): Box[] =>
  objects.filter((one) => one.objectClass === objectClass).map(({ box }) => box);

const aboveThreshold = (found: readonly Detection[], objectClass: ObjectClass, min: number): Detection[] =>
  found.filter((one) => one.objectClass === objectClass && one.score >= min);

/** Every detector in every tile at every scale. */
const runDetectors = async ({ pyramid, plan, sessions, onStep, signal }: Search): Promise<Found[]> => {
  const { detectors, wanted } = plan;
  const runs = detectors.map(({ entry, passes, cascades }) => async () => {
    const model = await sessions.get(entry);
    const search = { pyramid, model, wanted, onStep, signal };
    return cascades.length === 0 ? detect(passes, search) : detectInCascade(cascades, search);
  });
  return (await runAll(runs, Math.max(1, runs.length))).flat();
};

/**
 * When to scan away from vehicles. A plate missed in one frame is missed in all; in images most further candidates
 * beside a plate are false.
 */
const scansAnywhereIn = ({ isVideo, depth }: SearchScope): ScansAnywhere => {
  if (!isVideo) return 'without-plates';
  return depth === 'whole' ? 'always' : 'never';
};

const searchPlates = async (
  { pyramid, options, plan, sessions, onStep, signal }: Search,
  objects: Promise<readonly Detection[]>,
  scope: SearchScope,
): Promise<Found[]> => {
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
  const isReadClosely = scansAnywhere !== 'always' || presetOf(options.quality).readsScannedFrames;
  const clues = { vehicles, expected, scansAnywhere, isReadClosely };
  const search = options.plateSearch ?? 'plates';
  return findPlates(pyramid, tiles, plateModels, clues, wanted, search, onStep, signal);
};

/** Faces that are found only at a person. */
const searchPersons = async (
  { pyramid, options, plan, sessions, signal }: Search,
  objects: Promise<readonly Detection[]>,
): Promise<Found[]> => {
  const { faceDetector, personScore, wanted } = plan;
  if (!faceDetector) return [];
  const found = await objects;
  const min = options.thresholds.face;
  const bare = personsWithoutFace(
    aboveThreshold(found, 'person', personScore),
    aboveThreshold(found, 'face', min),
  );
  const faces = await findFacesOf(bare, pyramid, await sessions.get(faceDetector), wanted, signal);
  if (!options.hidesHeads) return faces;
  return [...faces, ...headsAsFaces(personsWithoutFace(bare, aboveThreshold(faces, 'face', min)), min)];
};

/**
 * Finds all objects to hide: runs every detector on every tile at every scale, then searches plates on vehicles and
 * faces at persons, and merges the results to one detection for each object.
 *
 * @param onProgress share of the network runs that are done
 * @param scope of a video's frames; an image is searched completely
 * @returns classes in their fixed order, best first
 */
export const findObjects = async (
  pyramid: Pyramid,
  options: ImageOptions,
  { sessions, manifest }: SearchPorts,
  onProgress: (share: number) => void,
  signal: AbortSignal,
  scope: SearchScope = ALL,
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
  // Waits for all, whatever the others do: no run of an image continues after the image has failed.
  const found = await runAll(
    [() => detecting, () => searchPersons(search, objects), () => searchPlates(search, objects, scope)],
    3,
  );
  const all = mergeDetections(found.flat(), width, height);
  return all.filter(
    ({ objectClass, score }) =>
      options.classes.includes(objectClass) && score >= plan.thresholds[objectClass],
  );
};
