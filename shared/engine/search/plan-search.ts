import { allModels, chooseModels, type ChosenModels } from '../packs/choose';
import type { Manifest, ModelEntry, ModelInput } from '../../domain/manifest';
import { boxArea } from '../../domain/boxes';
import { cascadeScales } from '../detect/cascade-windows';
import { planPasses, type DetectorPass } from '../detect/detect';
import type { WantedScores } from '../fusion/detector-scores';
import type { TileCascade } from '../detect/detect-in-cascade';
import type { Expected } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { perClass, type ObjectClass } from '../../catalogue/classes';
import {
  type ClassThresholds,
  type ImageOptions,
  DEFAULT_THRESHOLDS,
  readsText,
  thresholdIn,
} from '../../domain/options';
import type { UsedModel } from '../../domain/image-header';
import { presetOf, withScales } from '../detect/quality-presets';
import type { SearchDepth } from './search-schedule';
import type { Letterbox } from '../pixels/letterbox';
import { planTiles, type Tile } from '../pixels/tile';
import { planTextPasses } from '../text/find-text';

/**
 * Minimum score of vehicles that are searched for plates: lower than that of hidden ones, because a missed car must not
 * lose its plate.
 */
const VEHICLE_SCORE = DEFAULT_THRESHOLDS.vehicle / 2;
/** Factor on the minimum score for vehicles that only one of two passes detects: they may have a plate too. */
const SINGLE_PASS_FACTOR = 0.75;
/** Minimum score of persons at whom faces are searched again, whether persons are to be hidden or not. */
const PERSON_SCORE = DEFAULT_THRESHOLDS.person;

/** A detector and all its runs over an image. */
export interface DetectorRuns {
  readonly entry: ModelEntry;
  readonly passes: readonly DetectorPass[];
  /** Used instead of passes for a detector that runs as a cascade. */
  readonly cascades: readonly TileCascade[];
}

/** The detector of the class text, and its runs over an image. */
interface TextRuns {
  readonly entry: ModelEntry;
  readonly passes: readonly Letterbox[];
}

/** The models for an image, and all runs that do not depend on detections. */
export interface SearchPlan {
  readonly tiles: readonly Tile[];
  readonly detectors: readonly DetectorRuns[];
  readonly textDetector: ModelEntry | undefined;
  readonly plateClassifier: ModelEntry | undefined;
  /** Searches text that is to be hidden; undefined if this step is not planned. */
  readonly text: TextRuns | undefined;
  /** Searches faces again at persons without one; undefined if this step is not planned. */
  readonly faceDetector: ModelEntry | undefined;
  /** Minimum scores of vehicles and persons at which plates and faces are searched. */
  readonly vehicleScore: number;
  readonly personScore: number;
  /** Minimum scores of the objects to hide. */
  readonly thresholds: ClassThresholds;
  /** Minimum scores for the detectors. */
  readonly wanted: WantedScores;
}

/** Search depth of an image or frame, and the objects expected in it. */
export interface SearchScope {
  /** `aimed` searches only where objects are expected. */
  readonly depth: Exclude<SearchDepth, 'none'> | 'aimed';
  /** Objects of the frame before, at their predicted place in this one, in image px. */
  readonly expected: readonly Expected[];
  /** Whether it is a frame of a video, where a false detection costs less than a plate missed in every frame. */
  readonly isVideo: boolean;
  /** Minimum score of candidates, which are reported below the threshold; nothing else depends on it. */
  readonly floor?: number;
  /** Whether larger scales run in windows: slower, with a fraction of the memory. */
  readonly lowMemory?: boolean;
}
type Scope = Pick<SearchScope, 'depth' | 'floor' | 'lowMemory' | 'isVideo'> &
  Partial<Pick<SearchScope, 'expected'>>;

/**
 * Side of these windows in px: a multiple of every network's stride, with about as many pixels as an image at its first
 * scale.
 */
const LOW_MEMORY_WINDOW_PX = 768;

/** The thresholds, lowered to `floor` where they are above it. */
const withFloor = (thresholds: ClassThresholds, floor: number): ClassThresholds =>
  perClass(
    (name) => Math.min(floor, thresholdIn(thresholds, name)),
    Object.keys(thresholds) as ObjectClass[],
  );

const detects = (entry: ModelEntry, objectClass: ObjectClass): boolean => entry.classes.includes(objectClass);

/** Whether all models run: also in a quick search if text is hidden, because text is detected in every frame. */
const isWhole = (
  { textDetector, plateClassifier }: ChosenModels,
  { plates }: ImageOptions,
  { depth }: Scope,
): boolean =>
  depth === 'whole' ||
  (depth === 'quick' &&
    textDetector !== undefined &&
    (plateClassifier === undefined || plates === 'thorough'));

/** Gives each pass a tile of its own, so that passes are not fused: a vehicle of a single pass may have a plate. */
const unfused = (passes: readonly DetectorPass[]): DetectorPass[] =>
  passes.map((pass) => ({ ...pass, tile: { ...pass.tile } }));

/** A detector's runs. @param isWanted whether one of its classes is to be hidden */
const runsOf = (
  entry: ModelEntry,
  tiles: readonly Tile[],
  { qualityPreset }: ImageOptions,
  { isWanted, lowMemory = false }: Scope & { readonly isWanted: boolean },
): DetectorRuns => {
  const { maxScales, cascade, vehicleLongSide } = presetOf(qualityPreset);
  const usual = lowMemory ? { ...entry.input, windowPx: LOW_MEMORY_WINDOW_PX } : entry.input;
  if (!isWanted) {
    return {
      entry,
      passes: unfused(planPasses(tiles, { ...usual, longSides: [vehicleLongSide] })),
      cascades: [],
    };
  }
  if (entry.refinement) {
    const scalesOf = (tile: Tile): TileCascade['scales'] => cascadeScales(tile, cascade, lowMemory);
    return { entry, passes: [], cascades: tiles.map((tile) => ({ tile, scales: scalesOf(tile) })) };
  }
  return { entry, passes: planPasses(tiles, withScales(usual, maxScales)), cascades: [] };
};

/**
 * A detector's runs in a quick search: its first scale, or the coarsest of its cascade while no tracked object is small
 * there. Small objects without a track wait for the next complete search.
 */
const quickRunsOf = (
  entry: ModelEntry,
  tiles: readonly Tile[],
  { qualityPreset }: ImageOptions,
  { expected = [] }: Scope,
): DetectorRuns => {
  const { classes, input, refinement } = entry;
  const longSide = presetOf(qualityPreset).cascade.coarse.min;
  const tracked = expected.filter(({ objectClass }) => classes.includes(objectClass));
  const isSmallIn = ({ width, height }: Tile, smallPx: number): boolean =>
    tracked.some(({ box }) => Math.sqrt(boxArea(box)) * longSide < smallPx * Math.max(width, height));
  const inputFor = (tile: Tile): ModelInput =>
    !refinement || isSmallIn(tile, refinement.smallPx)
      ? withScales(input, 1)
      : { ...input, longSides: [longSide] };
  return { entry, passes: tiles.flatMap((tile) => planPasses([tile], inputFor(tile))), cascades: [] };
};

/** Minimum score of vehicles on which plates are searched. */
const vehicleScoreOf = ({ classes, thresholds }: ImageOptions): number =>
  classes.includes('vehicle')
    ? Math.min(thresholds.vehicle, VEHICLE_SCORE * SINGLE_PASS_FACTOR)
    : VEHICLE_SCORE;

/**
 * Minimum scores for the detectors: the client's thresholds, and those of vehicles and persons at which plates and
 * faces are searched.
 */
const wantedScores = (
  classes: readonly ObjectClass[],
  thresholds: ClassThresholds,
  others: Readonly<Partial<Record<ObjectClass, number>>>,
): WantedScores => {
  const wanted: Partial<Record<ObjectClass, number>> = { ...others };
  for (const name of classes) wanted[name] = Math.min(thresholdIn(thresholds, name), others[name] ?? 1);
  return wanted;
};

/** Whether faces are searched again at persons, and whether a person detector runs only for this purpose. */
const searchesAtPersons = (
  { classes, qualityPreset, headFallback }: ImageOptions,
  { depth }: Scope,
): { readonly isWanted: boolean; readonly isOwnReason: boolean } => {
  const { isFaceSearchedAtPersons } = presetOf(qualityPreset);
  const isPossible = classes.includes('face') && depth === 'whole';
  return {
    isWanted: isPossible && (isFaceSearchedAtPersons || headFallback),
    isOwnReason: isPossible && headFallback,
  };
};

const modelsFor = (
  manifest: Manifest,
  options: ImageOptions,
  { isOwnReason }: ReturnType<typeof searchesAtPersons>,
): ChosenModels => chooseModels(manifest, options, isOwnReason ? ['person'] : []);

/** The models that processing with these options uses. */
export const usedModels = (manifest: Manifest, options: ImageOptions): readonly UsedModel[] => {
  const atPersons = searchesAtPersons(options, { depth: 'whole', isVideo: false });
  const searching = allModels(modelsFor(manifest, options, atPersons));
  const reading = readsText(options) ? manifest.models.filter(({ head }) => head === 'text-reader') : [];
  return [...new Set([...searching, ...reading])].map(({ id, sha256 }) => ({ id, sha256 }));
};

const textRuns = (
  { textClassDetector: entry }: ChosenModels,
  tiles: readonly Tile[],
  { qualityPreset }: ImageOptions,
  { depth, isVideo, lowMemory = false }: Scope,
): TextRuns | undefined => {
  if (!entry || depth === 'aimed') return undefined;
  const { images, frames } = presetOf(qualityPreset).text;
  const finer = isVideo ? frames : images;
  // Tracks cover the frames between complete searches. Large text that appears only there is found in the whole frame.
  const scales = depth === 'whole' ? finer : [];
  return { entry, passes: planTextPasses(tiles, entry.input, { scales, lowMemory }) };
};

/** Decides which models run on an image or frame, and at which scales. */
export const planSearch = (
  manifest: Manifest,
  size: Size,
  options: ImageOptions,
  scope: Scope,
): SearchPlan => {
  const { classes } = options;
  const tiles = planTiles(size, options.format);
  const atPersons = searchesAtPersons(options, scope);
  const models = modelsFor(manifest, options, atPersons);
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
    text: textRuns(models, tiles, options, scope),
    thresholds,
    wanted: wantedScores(classes, thresholds, others),
    vehicleScore,
    personScore: PERSON_SCORE,
  };
  if (!isWhole(models, options, scope)) {
    const quickly = (entry: ModelEntry): DetectorRuns => quickRunsOf(entry, tiles, options, scope);
    const quick = scope.depth === 'aimed' ? [] : detectors.filter(isWanted).map(quickly);
    return { ...common, detectors: quick, textDetector: undefined, faceDetector: undefined };
  }
  return {
    ...common,
    detectors: detectors.map((entry) =>
      runsOf(entry, tiles, options, { ...scope, isWanted: isWanted(entry) }),
    ),
    textDetector,
    faceDetector:
      atPersons.isWanted && detectsPersons ? detectors.find((entry) => detects(entry, 'face')) : undefined,
  };
};
