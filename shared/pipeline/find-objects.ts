import type { Manifest, ModelEntry } from '../catalogue/manifest';
import { chooseModels, type ChosenModels } from '../catalogue/choose';
import type { Box } from './boxes';
import { detect, fitTiles, type WantedScores } from './detect';
import type { Detection, Expected } from './detection';
import { runAll } from './in-parallel';
import { mergeDetections, type Found } from './merge';
import type { ObjectClass } from './object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from './options';
import { findPlates } from './plates';
import type { Pyramid } from './pyramid';
import { effortOf, FIRST_SCALE, withEffort, type SearchEffort } from './search-effort';
import type { SearchDepth } from './search-schedule';
import type { Sessions } from './sessions';
import { planTiles, type Tile } from './tile';

/** Plates are sought on vehicles that are less sure than those that are hidden: a missed car must not lose its plate. */
const CARRIER_SCORE = DEFAULT_THRESHOLDS.vehicle / 2;

/** What the detectors are asked for: the client's thresholds, and vehicles wherever plates are sought as text. */
const wantedScores = ({ classes, thresholds }: ImageOptions, isTextSought: boolean): WantedScores => {
  const wanted: Partial<Record<ObjectClass, number>> = {};
  for (const objectClass of classes) wanted[objectClass] = thresholds[objectClass];
  if (isTextSought) wanted.vehicle = Math.min(wanted.vehicle ?? 1, CARRIER_SCORE);
  return wanted;
};

/** A detector at the scales that are worth their time. @param isWanted whether anything of what it finds is to be hidden */
const atScales = (
  entry: ModelEntry,
  isWanted: boolean,
  { faces, objects, carrierLongSides }: SearchEffort,
): ModelEntry => {
  const { input } = entry;
  if (!isWanted) return { ...entry, input: { ...input, longSides: carrierLongSides } };
  return { ...entry, input: withEffort(input, entry.classes.includes('face') ? faces : objects) };
};

/** How closely a picture is searched, and what is known of it beforehand. */
export interface SearchScope {
  readonly depth: Exclude<SearchDepth, 'none'>;
  /** Objects of the frame before, where they should be in this one, in image px. */
  readonly expected: readonly Expected[];
  /** A frame of a video: what is hidden by mistake costs less than a plate that is missed in every frame. */
  readonly isVideo: boolean;
  /** What is less sure than its threshold is given, too, down to this score; nothing else changes by it. */
  readonly floor?: number;
  /** Larger scales are looked at piece by piece: slower, with a fraction of the memory. */
  readonly sparesMemory?: boolean;
}

/** A multiple of what every network of ours wants, with about as many pixels as a picture at its first scale. */
const SPARING_WINDOW_PX = 768;

export const ALL: SearchScope = { depth: 'whole', expected: [], isVideo: false };

/** The same options with no threshold above `floor`. */
const withFloor = (options: ImageOptions, floor: number): ImageOptions => {
  const { face, 'license-plate': plate, person, vehicle } = options.thresholds;
  const atMost = (threshold: number): number => Math.min(floor, threshold);
  return {
    ...options,
    thresholds: {
      face: atMost(face),
      'license-plate': atMost(plate),
      person: atMost(person),
      vehicle: atMost(vehicle),
    },
  };
};

const inWindows = (entry: ModelEntry): ModelEntry => ({
  ...entry,
  input: { ...entry.input, windowPx: SPARING_WINDOW_PX },
});

/** The models as they are used for a scope. */
const modelsFor = (
  manifest: Manifest,
  { classes, plateSearch, quality }: ImageOptions,
  { depth, sparesMemory = false }: SearchScope,
): ChosenModels => {
  const models = chooseModels(manifest, classes, plateSearch);
  const isWanted = (entry: ModelEntry): boolean =>
    entry.classes.some((objectClass) => classes.includes(objectClass));
  const { detectors, textDetector, plateJudge } = models;
  // What hides all text has to look for it in each frame.
  if (depth === 'whole' || (textDetector && (!plateJudge || plateSearch === 'plates-and-text'))) {
    const effort = effortOf(quality);
    const scaled = detectors.map((entry) => atScales(entry, isWanted(entry), effort));
    return { ...models, detectors: sparesMemory ? scaled.map(inWindows) : scaled };
  }
  const atFirstScale = (entry: ModelEntry) => ({ ...entry, input: withEffort(entry.input, FIRST_SCALE) });
  return { ...models, textDetector: undefined, detectors: detectors.filter(isWanted).map(atFirstScale) };
};

const countRuns = ({ detectors, textDetector }: ChosenModels, tiles: readonly Tile[]): number =>
  [...detectors, ...(textDetector ? [textDetector] : [])].reduce(
    (total, { input }) => total + fitTiles(tiles, input).length,
    0,
  );

const boxesOf = (objects: readonly Expected[], objectClass: ObjectClass): Box[] =>
  objects.filter((one) => one.objectClass === objectClass).map(({ box }) => box);

/**
 * Finds everything that is to be hidden: every detector in every tile at every scale, merged to one detection each.
 *
 * @param onProgress share of the network runs that are done
 * @param scope of a video's frames; a picture is searched as a whole
 * @returns classes in their fixed order, best first
 */
export const findObjects = async (
  pyramid: Pyramid,
  options: ImageOptions,
  ports: { readonly sessions: Sessions; readonly manifest: Manifest },
  onProgress: (share: number) => void,
  signal: AbortSignal,
  scope: SearchScope = ALL,
): Promise<Detection[]> => {
  const tiles = planTiles(pyramid, options.tiling);
  const models = modelsFor(ports.manifest, options, scope);
  const isTextSought = models.textDetector !== undefined;
  const carrierScore = wantedScores(options, isTextSought).vehicle ?? 1;
  const asked = withFloor(options, scope.floor ?? 1);
  const wanted = wantedScores(asked, isTextSought);
  const runs = countRuns(models, tiles);
  let done = 0;
  const onStep = (): void => onProgress(Math.min(1, ++done / runs));

  const { width, height } = pyramid;
  const { detectors, textDetector, plateJudge } = models;
  const detecting = runAll(
    detectors.map((entry) => async () => {
      const model = await ports.sessions.get(entry);
      return detect(pyramid, tiles, { ...model, entry }, wanted, onStep, signal);
    }),
    Math.max(1, detectors.length),
  ).then((each) => each.flat());
  const searchPlates = async (): Promise<Found[]> => {
    if (!textDetector && !plateJudge) return [];
    const vehicles = detecting.then((found) =>
      mergeDetections(found, width, height).filter(
        ({ objectClass, score }) => objectClass === 'vehicle' && score >= carrierScore,
      ),
    );
    vehicles.catch(() => undefined); // told by `detecting` itself
    const plateModels = {
      text: textDetector && (await ports.sessions.get(textDetector)),
      judge: plateJudge && (await ports.sessions.get(plateJudge)),
    };
    const expected = boxesOf(scope.expected, 'license-plate');
    const clues = { vehicles, expected, isScanned: scope.isVideo && scope.depth === 'whole' };
    const search = options.plateSearch ?? 'plates';
    return findPlates(pyramid, tiles, plateModels, clues, wanted, search, onStep, signal);
  };
  // Each is waited for, whatever becomes of the other: no run of a picture goes on when the picture has failed.
  const found = await runAll([() => detecting, searchPlates], 2);
  const all = mergeDetections(found.flat(), width, height);
  return all.filter(
    ({ objectClass, score }) => asked.classes.includes(objectClass) && score >= asked.thresholds[objectClass],
  );
};
