import { plateSettingsOf, thresholdOf, type FullScanMode, type ModelInput } from '../../domain/manifest';
import { type Box, boxHeight, boxWidth, intersectionOverSmaller } from '../../domain/boxes';
import { type Corner, type Corners, cornerBounds, growCorners } from '../../domain/detection';
import { calibrate } from '../fusion/detector-scores';
import { CLASS_RULES } from '../../catalogue/class-rules';
import { fitTiles, RUNS_AT_ONCE, type ModelRun } from '../detect/detect';
import { runAll } from '../runtime/in-parallel';
import { type TileDetection, suppress } from '../fusion/merge';
import { DEFAULT_THRESHOLDS } from '../../domain/options';
import {
  type PlateCandidate,
  vehicleOf,
  evidenceOf,
  MEAN_SCORE_WEIGHTS,
  meanScore,
  neededOnVehicle,
  neededScore,
  probabilityOf,
} from './plate-evidence';
import { scoreWindows, scan, viewOn, windowAround, type PlateReading } from './plate-windows';
import type { Tile } from '../pixels/tile';

/** Margin around the corners, in plate heights: about the mean error of the network's corners. */
const CORNER_MARGIN = { along: 0.08, across: 0.06 } as const;
/** Overlap of readings of one plate. */
const SAME_PLATE = CLASS_RULES['license-plate'].overlap;
/** Maximum number of second passes: enough for a car park, and a bound on the time for an image full of text. */
const MAX_SECOND_PASSES = 48;
/** Whether two readings, at any angles, show one plate, or one of them shows the other and its surroundings. */
const isSamePlace = (a: Box, b: Box): boolean => intersectionOverSmaller(a, b) > SAME_PLATE.inside;
/** Windows that differ by less than these shares of their size count as the same window. */
const SAME_VIEW = { shift: 0.08, scale: 1.2 } as const;

const isSameView = (a: Box, b: Box): boolean => {
  const [width, height] = [boxWidth(a), boxHeight(a)];
  const scale = Math.max(width, 2 * height) / Math.max(boxWidth(b), 2 * boxHeight(b));
  return (
    Math.abs(a.x1 + a.x2 - b.x1 - b.x2) / 2 < SAME_VIEW.shift * Math.max(width, 2 * height) &&
    Math.abs(a.y1 + a.y2 - b.y1 - b.y2) / 2 < SAME_VIEW.shift * Math.max(width / 2, height) &&
    Math.max(scale, 1 / scale) < SAME_VIEW.scale
  );
};

const distinct = (boxes: readonly Box[]): Box[] => {
  const kept: Box[] = [];
  for (const box of boxes) if (!kept.some((known) => isSameView(known, box))) kept.push(box);
  return kept;
};

/** When areas away from vehicles are also scanned for plates without detected text. */
export type FullScanSetting = FullScanMode | 'never';

/** Where plates may be. */
export interface PlateProposals {
  /** Lines of text, and predicted places of tracked plates, in image px. */
  readonly text: readonly Box[];
  /** Parts of the image that are scanned at the manifest's scales if no plate was found in them. */
  readonly areas: readonly Tile[];
  /** Maximum number of areas to scan, largest first; small ones count for less. */
  readonly maxAreas: number;
  /** Vehicles, best scores first: place and width of a plate relative to its vehicle are evidence. */
  readonly vehicles: readonly Box[];
  /** Parts that are scanned at coarser scales, for plates on no detected vehicle. */
  readonly anywhere: readonly Tile[];
  /** When the parts in `anywhere` are scanned. */
  readonly scansAnywhere: FullScanSetting;
  /** Whether the image continues at its other side. */
  readonly wraps: boolean;
}

export const scoreProposals = async (
  { text, wraps }: Pick<PlateProposals, 'text' | 'wraps'>,
  run: ModelRun,
): Promise<PlateReading[]> => {
  const { window, minScores } = plateSettingsOf(run.model.entry);
  const windows = distinct(text).map((box) => windowAround(box, window, wraps));
  const readings = await scoreWindows(windows, run);
  return readings.filter(({ score }) => score >= minScores.proposed);
};

export const slideWindows = async (
  areas: readonly Tile[],
  input: ModelInput,
  run: ModelRun,
): Promise<PlateReading[]> => {
  const min = plateSettingsOf(run.model.entry).minScores.scanned;
  const runs = fitTiles(areas, input).map((fit) => () => scan(fit, run, min));
  return (await runAll(runs, RUNS_AT_ONCE)).flat();
};

const isConfident = ({ score }: TileDetection): boolean => score >= DEFAULT_THRESHOLDS['license-plate'];

/** The time of an area's scans, as a share of that of one at the largest scale. */
const scanShare = ({ width, height }: Tile, { longSides = [], maxEnlargement = 1 }: ModelInput): number =>
  Math.min(1, ((maxEnlargement * Math.max(width, height)) / Math.max(1, ...longSides)) ** 2);

/** The largest areas that contain the centre of no plate, as many as take the time of `maxAreas` large ones. */
const areasWithoutPlate = (
  { areas, maxAreas }: PlateProposals,
  plates: readonly TileDetection[],
  input: ModelInput,
): Tile[] => {
  let sum = 0;
  const holds = ({ x, y, width, height }: Tile, { box }: TileDetection): boolean =>
    Math.abs((box.x1 + box.x2) / 2 - x - width / 2) <= width / 2 &&
    Math.abs((box.y1 + box.y2) / 2 - y - height / 2) <= height / 2;
  return areas
    .filter((area) => !plates.some((plate) => holds(area, plate)))
    .sort((a, b) => b.width - a.width)
    .filter((area) => (sum += scanShare(area, input)) <= maxAreas);
};

const meanCorners = (places: readonly Corners[]): Corners => {
  const mean = (i: 0 | 1 | 2 | 3, axis: 0 | 1): number =>
    places.reduce((sum, corners) => sum + corners[i][axis], 0) / places.length;
  const cornerAt = (i: 0 | 1 | 2 | 3): Corner => [mean(i, 0), mean(i, 1)];
  return [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
};

/** What all passes over readings share. */
type Passes = ModelRun & Pick<PlateProposals, 'wraps'>;

/** Scores readings again in windows around them. @param widths factors on the width of a reading */
const scoreAgain = async (
  readings: readonly PlateReading[],
  widths: readonly number[],
  passes: Passes,
): Promise<PlateReading[][]> => {
  const { window } = plateSettingsOf(passes.model.entry);
  const views = readings.flatMap((reading) =>
    widths.map((width) => viewOn(reading, width, window, passes.wraps)),
  );
  const runs = await scoreWindows(views, passes);
  return readings.map((_, i) => runs.slice(i * widths.length, (i + 1) * widths.length));
};

/** Scores readings again in windows around them that are turned by an angle, to the side to which they are tilted. */
const scoreTurned = async (
  readings: readonly PlateReading[],
  degrees: number,
  passes: Passes,
): Promise<PlateReading[]> => {
  const { window } = plateSettingsOf(passes.model.entry);
  const views = readings.map((reading) => {
    const view = viewOn(reading, 1, window, passes.wraps);
    const side = Math.sign(tiltOf(reading.corners));
    return { ...view, angle: (side * degrees * Math.PI) / 180 };
  });
  return scoreWindows(views, passes);
};

/** Tilt of a plate's upper and lower edge, clockwise, in degrees. */
const tiltOf = ([upperLeft, upperRight, lowerRight, lowerLeft]: Corners): number =>
  (Math.atan2(
    upperRight[1] - upperLeft[1] + lowerRight[1] - lowerLeft[1],
    upperRight[0] - upperLeft[0] + lowerRight[0] - lowerLeft[0],
  ) *
    180) /
  Math.PI;

/** A reading, and the reading in the window around it. */
interface Rescored {
  readonly first: PlateReading;
  readonly second: PlateReading;
}

const rescoreOnce = async (readings: readonly PlateReading[], passes: Passes): Promise<Rescored[]> =>
  (await scoreAgain(readings, [1], passes)).map(([second], i) => ({
    first: readings[i] as PlateReading,
    second: second as PlateReading,
  }));

const meanOf = ({ first, second }: Rescored): number => (first.score + second.score) / 2;

/**
 * Replaces doubtful readings by those of turned windows, where these score high: the network was trained on plates that
 * are nearly level.
 */
const turnDoubtful = async (rescored: readonly Rescored[], passes: Passes): Promise<readonly Rescored[]> => {
  const { turned } = plateSettingsOf(passes.model.entry);
  if (!turned) return rescored;
  // Corners of a steep plate are tilted less than the plate, but to the right side. A covered one's are level.
  const isTilted = ({ second }: Rescored): boolean => Math.abs(tiltOf(second.corners)) >= turned.minTilt;
  const level = rescored.filter((one) => meanOf(one) >= turned.below);
  const isAtLevelPlate = ({ second }: Rescored): boolean =>
    level.some((one) => isSamePlace(one.second.box, second.box));
  const isDoubtful = (one: Rescored): boolean =>
    meanOf(one) >= turned.from && meanOf(one) < turned.below && isTilted(one) && !isAtLevelPlate(one);
  const doubtful = rescored.filter(isDoubtful);
  const levelReadings = doubtful.map(({ second }) => second);
  const views = await scoreTurned(levelReadings, turned.degrees, passes);
  const best = views.flatMap((first, i) =>
    first.score >= turned.minScore ? [{ replaced: doubtful[i] as Rescored, first }] : [],
  );
  const seen = await rescoreOnce(
    best.map(({ first }) => first),
    passes,
  );
  const better = new Map(
    best.flatMap(({ replaced }, i) => {
      const other = seen[i] as Rescored;
      return meanOf(other) >= turned.minScore ? [[replaced, other] as const] : [];
    }),
  );
  return rescored.map((one) => better.get(one) ?? one);
};

/**
 * Scores readings again in windows centred on them, doubtful ones also in turned windows, and promising ones also in
 * narrower and wider windows.
 *
 * @returns candidates with the mean corners of these windows
 */
export const rescorePlates = async (
  readings: readonly PlateReading[],
  passes: Passes,
): Promise<PlateCandidate[]> => {
  const { window, minScores } = plateSettingsOf(passes.model.entry);
  const seen = suppress(readings, SAME_PLATE).slice(0, MAX_SECOND_PASSES);
  const rescored = await turnDoubtful(await rescoreOnce(seen, passes), passes);
  const promising = rescored.filter((one) => meanOf(one) >= minScores.rescored);
  const seconds = promising.map(({ second }) => second);
  return (await scoreAgain(seconds, window.otherWidths, passes)).map((others, i) => {
    const { first, second } = promising[i] as Rescored;
    const places = [second, ...others].map(({ corners }) => corners);
    const scores = [first, second, ...others].map(({ score }) => score);
    return { scores, places, corners: meanCorners(places), isTurned: second.angle !== 0 };
  });
};

const toPlate = (candidate: PlateCandidate, score: number): TileDetection => {
  const corners = growCorners(candidate.corners, CORNER_MARGIN.along, CORNER_MARGIN.across);
  return {
    objectClass: 'license-plate',
    score,
    box: cornerBounds(corners),
    corners,
    cut: { x: false, y: false },
  };
};

/**
 * Finds plates with the plate classifier. Each proposal is scored, and promising ones are scored again in windows
 * around their reading, because most proposals are badly centred.
 *
 * @returns candidates with corners and calibrated scores of at least `min`; not yet merged
 */
export const classifyPlates = async (
  proposals: PlateProposals,
  run: ModelRun,
  min: number,
): Promise<TileDetection[]> => {
  const { model } = run;
  const { vehicles, anywhere, scansAnywhere, wraps } = proposals;
  const { input, evidence = MEAN_SCORE_WEIGHTS } = model.entry;
  const { plateScores, fullScan } = plateSettingsOf(model.entry);
  const wanted = scansAnywhere === 'without-plates' ? plateScores.images : plateScores.frames;
  const scoreOf = (candidate: PlateCandidate, isProposed: boolean): number => {
    const byMeanScore = (operatingPoint: number): number =>
      calibrate(meanScore(candidate), operatingPoint, 'license-plate');
    const box = cornerBounds(candidate.corners);
    const vehicle = vehicleOf(box, vehicles);
    // The weights were trained on photos of traffic: without a vehicle they do not apply, as to a print on a shirt.
    if (!vehicle) return byMeanScore(neededScore(box, isProposed, wanted, run.pyramid));
    const probability = probabilityOf(evidenceOf(candidate, vehicle, isProposed), evidence);
    const weighed = calibrate(probability, thresholdOf(model.entry, 'license-plate'), 'license-plate');
    return Math.max(weighed, byMeanScore(neededOnVehicle(box, wanted)));
  };
  /** Confident level plates, which are more exact than turned readings around them. */
  const known: TileDetection[] = [];
  const classifier = async (
    readings: readonly PlateReading[],
    isProposed: boolean,
  ): Promise<TileDetection[]> => {
    const candidates = await rescorePlates(readings, { ...run, wraps });
    const platesOf = (areTurned: boolean): TileDetection[] =>
      candidates
        .filter(({ isTurned = false }) => isTurned === areTurned)
        .map((one) => toPlate(one, scoreOf(one, isProposed)));
    const level = platesOf(false);
    known.push(...level.filter(isConfident));
    const turned = platesOf(true);
    const others = turned.filter((one) => !known.some(({ box }) => isSamePlace(box, one.box)));
    return [...level, ...others].filter(({ score }) => score >= min);
  };
  const read = await classifier(await scoreProposals(proposals, run), true);
  const scanned = await slideWindows(
    areasWithoutPlate(proposals, read.filter(isConfident), input),
    input,
    run,
  );
  const onVehicles = [...read, ...(await classifier(scanned, false))];
  if (scansAnywhere === 'never') return onVehicles;
  if (scansAnywhere === 'without-plates' && onVehicles.some(isConfident)) return onVehicles;
  const { longSides, maxEnlargement } = fullScan;
  const coarsely = { ...input, longSides: longSides[scansAnywhere], maxEnlargement };
  const seen = await slideWindows(anywhere, coarsely, run);
  return [...onVehicles, ...(await classifier(seen, false))];
};
