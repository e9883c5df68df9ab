import { chooseModels, type ChosenModels } from '../packs/choose';
import type { Manifest, ModelEntry, ModelInput } from '../../domain/manifest';
import { cascadeScales } from '../detect/cascade-scales';
import { planFurtherPasses, planPasses, type DetectorPass } from '../detect/detect';
import type { WantedScores } from '../fusion/detector-scores';
import type { TileCascade } from '../detect/detect-in-cascade';
import type { Expected } from '../../domain/detection';
import type { ObjectClass } from '../../domain/object-class';
import { DEFAULT_THRESHOLDS, type ImageOptions } from '../../domain/options';
import type { Size } from '../../domain/size';
import { presetOf, FIRST_SCALE, withPreset, type ScalePreset } from '../detect/quality-presets';
import type { SearchDepth } from './search-schedule';
import { planCloseUps, planTiles, type Tile } from '../pixels/tile';

/** Plates are sought on vehicles that are less sure than those that are hidden: a missed car must not lose its plate. */
const VEHICLE_SCORE = DEFAULT_THRESHOLDS.vehicle / 2;
/** What is left of a score where only one of two looks sees the vehicle: that one may carry a plate all the same. */
const SEEN_BY_HALF = 0.75;
/** Faces are looked for again at persons of this score, whether they are to be hidden or not. */
const PERSON_SCORE = DEFAULT_THRESHOLDS.person;

/** A detector and all its runs over a picture. */
export interface DetectorRuns {
  readonly entry: ModelEntry;
  readonly passes: readonly DetectorPass[];
  /** In place of looks, for a detector that looks from coarse to fine. */
  readonly cascades: readonly TileCascade[];
}

/** What is run over a picture, but for what depends on what is found. */
export interface SearchPlan {
  readonly tiles: readonly Tile[];
  readonly detectors: readonly DetectorRuns[];
  readonly textDetector: ModelEntry | undefined;
  readonly plateClassifier: ModelEntry | undefined;
  /** Finds faces of persons whose face was not found; undefined where that is not tried. */
  readonly faceDetector: ModelEntry | undefined;
  /** Lowest scores at which vehicles and persons tell where something else is. */
  readonly vehicleScore: number;
  readonly personScore: number;
  /** Lowest scores at which objects of the classes that are to be hidden are given. */
  readonly thresholds: ImageOptions['thresholds'];
  /** What the detectors are asked for. */
  readonly wanted: WantedScores;
}

/** How closely a picture is searched, and what is known of it beforehand. */
export interface SearchScope {
  /** `aimed` is a look at what is expected and nothing else. */
  readonly depth: Exclude<SearchDepth, 'none'> | 'aimed';
  /** Objects of the frame before, where they should be in this one, in image px. */
  readonly expected: readonly Expected[];
  /** A frame of a video: what is hidden by mistake costs less than a plate that is missed in every frame. */
  readonly isVideo: boolean;
  /** What is less sure than its threshold is given, too, down to this score; nothing else changes by it. */
  readonly floor?: number;
  /** Larger scales are looked at piece by piece: slower, with a fraction of the memory. */
  readonly sparesMemory?: boolean;
}
type Scope = Pick<SearchScope, 'depth' | 'floor' | 'sparesMemory' | 'isVideo'>;

/** A multiple of what every network of ours wants, with about as many pixels as a picture at its first scale. */
const LOW_MEMORY_WINDOW_PX = 768;

/** The same thresholds, none of them above `floor`. */
const withFloor = (
  { face, 'license-plate': plate, person, vehicle }: ImageOptions['thresholds'],
  floor: number,
): ImageOptions['thresholds'] => {
  const capped = (threshold: number): number => Math.min(floor, threshold);
  return {
    face: capped(face),
    'license-plate': capped(plate),
    person: capped(person),
    vehicle: capped(vehicle),
  };
};

const detects = (entry: ModelEntry, objectClass: ObjectClass): boolean => entry.classes.includes(objectClass);

/** What of the models is run for a frame that is looked at quickly: all text is hidden only if it is looked for. */
const isWhole = (
  { textDetector, plateClassifier }: ChosenModels,
  { plateSearch }: ImageOptions,
  { depth }: Scope,
): boolean =>
  depth === 'whole' ||
  (depth === 'quick' &&
    textDetector !== undefined &&
    (plateClassifier === undefined || plateSearch === 'plates-and-text'));

/** Tiles in which what is too small for a model's largest scale is seen enlarged; user's tiles do that by themselves. */
const closeUps = (
  size: Size,
  { tiling }: ImageOptions,
  input: ModelInput,
  { closeUp }: ScalePreset,
): DetectorPass[] => {
  if (!closeUp || tiling.kind !== 'whole') return [];
  const tiles = planCloseUps(size, closeUp.tilePx);
  const { windowPx } = input;
  const inWindows = windowPx === undefined ? {} : { size: [windowPx, windowPx] as const };
  const passes = planPasses(tiles, { ...inWindows, ...input, longSides: [closeUp.longSide] });
  return passes.map((pass) => ({ ...pass, isFirst: false }));
};

/** What a picture shows only when it is enlarged beyond what a model usually gains from is more often nothing. */
const BEYOND_USUAL = 0.3;

const strictly = (
  pass: DetectorPass,
  { maxEnlargement = Number.POSITIVE_INFINITY }: ModelInput,
): DetectorPass => {
  const { scaleX, scaleY } = pass.fit;
  // Sides are rounded to whole px.
  const isUsual = Math.min(scaleX, scaleY) <= maxEnlargement * 1.01;
  return isUsual ? pass : { ...pass, strictness: BEYOND_USUAL };
};

/** Whether further looks were seen to help: packs may say more than boxes, which no mirror image shows as it is. */
const fusesPasses = ({ head, input }: ModelEntry): boolean => head === 'centernet' && !input.size;

/** Looks that are not joined: a vehicle which one of them shows may carry a plate, whatever the others show. */
const each = (passes: readonly DetectorPass[]): DetectorPass[] =>
  passes.map((pass) => ({ ...pass, tile: { ...pass.tile } }));

/** A detector's runs. @param isWanted whether anything of what it finds is to be hidden */
const runsOf = (
  entry: ModelEntry,
  size: Size,
  tiles: readonly Tile[],
  options: ImageOptions,
  { isWanted, isVideo, sparesMemory = false }: Scope & { readonly isWanted: boolean },
): DetectorRuns => {
  const { faces, objects, vehicleLongSides } = presetOf(options.quality);
  const usual = sparesMemory ? { ...entry.input, windowPx: LOW_MEMORY_WINDOW_PX } : entry.input;
  if (!isWanted) {
    return {
      entry,
      passes: each(planPasses(tiles, { ...usual, longSides: vehicleLongSides })),
      cascades: [],
    };
  }
  if (entry.refinement) {
    const scalesOf = (tile: Tile): TileCascade['scales'] => cascadeScales(tile, faces.cascade, sparesMemory);
    return { entry, passes: [], cascades: tiles.map((tile) => ({ tile, scales: scalesOf(tile) })) };
  }
  const effort: ScalePreset = detects(entry, 'face') ? faces : objects;
  const input = withPreset(usual, effort);
  const passes = [
    ...planPasses(tiles, input),
    ...closeUps(size, options, input, effort),
    ...(!isVideo && fusesPasses(entry) ? planFurtherPasses(tiles, usual, effort.further ?? []) : []),
  ];
  return { entry, passes: passes.map((pass) => strictly(pass, usual)), cascades: [] };
};

/** From which score on vehicles tell where a plate may be. */
const vehicleScoreOf = ({ classes, thresholds }: ImageOptions): number =>
  classes.includes('vehicle') ? Math.min(thresholds.vehicle, VEHICLE_SCORE * SEEN_BY_HALF) : VEHICLE_SCORE;

/** What the detectors are asked for: the client's thresholds, and what tells where else to look. */
const wantedScores = (
  classes: readonly ObjectClass[],
  thresholds: ImageOptions['thresholds'],
  others: Readonly<Partial<Record<ObjectClass, number>>>,
): WantedScores => {
  const wanted: Partial<Record<ObjectClass, number>> = { ...others };
  for (const name of classes) wanted[name] = Math.min(thresholds[name], others[name] ?? 1);
  return wanted;
};

/** Whether faces are looked for again at persons, and whether persons are looked for only to that end. */
const searchesAtPersons = (
  { classes, quality, hidesHeads = false }: ImageOptions,
  { depth }: Scope,
): { readonly isWanted: boolean; readonly isReasonEnough: boolean } => {
  const { atPersons } = presetOf(quality);
  const isPossible = classes.includes('face') && depth === 'whole';
  return {
    isWanted: isPossible && (atPersons !== 'never' || hidesHeads),
    isReasonEnough: isPossible && (atPersons === 'always' || hidesHeads),
  };
};

/** Decides which models look at a picture or frame, and at which scales. */
export const planSearch = (
  manifest: Manifest,
  size: Size,
  options: ImageOptions,
  scope: Scope,
): SearchPlan => {
  const { classes, plateSearch } = options;
  const tiles = planTiles(size, options.tiling);
  const atPersons = searchesAtPersons(options, scope);
  const models = chooseModels(manifest, classes, plateSearch, atPersons.isReasonEnough ? ['person'] : []);
  const isWanted = (entry: ModelEntry): boolean => classes.some((name) => detects(entry, name));
  const { detectors, textDetector, plateClassifier } = models;
  const detectsPersons = detectors.some((entry) => detects(entry, 'person'));
  const vehicleScore = vehicleScoreOf(options);
  const others = {
    ...(textDetector && { vehicle: vehicleScore }),
    ...(atPersons.isWanted && detectsPersons && { person: PERSON_SCORE }),
  };
  const thresholds = withFloor(options.thresholds, scope.floor ?? 1);
  const common = {
    tiles,
    plateClassifier,
    thresholds,
    wanted: wantedScores(classes, thresholds, others),
    vehicleScore,
    personScore: PERSON_SCORE,
  };
  if (!isWhole(models, options, scope)) {
    const quickly = (entry: ModelEntry): DetectorRuns => ({
      entry,
      passes: planPasses(tiles, withPreset(entry.input, FIRST_SCALE)),
      cascades: [],
    });
    const quick = scope.depth === 'aimed' ? [] : detectors.filter(isWanted).map(quickly);
    return { ...common, detectors: quick, textDetector: undefined, faceDetector: undefined };
  }
  return {
    ...common,
    detectors: detectors.map((entry) =>
      runsOf(entry, size, tiles, options, { ...scope, isWanted: isWanted(entry) }),
    ),
    textDetector,
    faceDetector:
      atPersons.isWanted && detectsPersons ? detectors.find((entry) => detects(entry, 'face')) : undefined,
  };
};
