import {
  type Box,
  boxHeight,
  boxWidth,
  clipBox,
  intersectionOverSmaller,
  outerPixels,
} from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { calibrate, type WantedScores } from '../fusion/detector-scores';
import { fitTiles, runDetector, RUNS_AT_ONCE, splitWrappedBox, type ModelRun } from '../detect/detect';
import { runAll } from '../runtime/in-parallel';
import { classifyPlates, type FullScanSetting } from './classify-plates';
import { fitLongSide, type Letterbox } from '../pixels/letterbox';
import type { TileDetection } from '../fusion/merge';
import { plateSettingsOf, thresholdOf } from '../../domain/manifest';
import type { PlateSearch } from '../../domain/options';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';
import { joinWords, uniteCandidates } from './text-lines';
import { tileOver, type Tile } from '../pixels/tile';

/** The proportions of a text region that counts as a plate. */
interface PlateShape {
  /** Width ÷ height. */
  readonly aspect: readonly [number, number];
  /** Width as a share of the vehicle's or the image's. */
  readonly width: readonly [number, number];
}

/** Shape of plates on a vehicle, where nearly any text of this size is a plate; two-line plates are almost square. */
const ON_VEHICLE: PlateShape = { aspect: [1, 9], width: [0.04, 0.6] };
/** Shape of plates elsewhere, where most text is a sign: only regions with a plate's proportions count. */
const ANYWHERE: PlateShape = { aspect: [1.5, 7], width: [0, 0.6] };
/** Plates are below this share of a vehicle's height; roof lights and taxi signs are above it. */
const PLATE_FROM_HEIGHT = 0.2;
/**
 * Share of a vehicle's height that its crop leaves out at the top: half of the share without plates, because boxes may
 * be too low.
 */
const CROP_FROM_HEIGHT = PLATE_FROM_HEIGHT / 2;
/**
 * Maximum number of scanned large vehicles without a plate, largest first; small ones count for less. More if no text
 * is detected on vehicles.
 */
const MAX_SCANS = { read: 4, unread: 8 } as const;
/** Minimum width of a vehicle, in image px: narrower ones show no readable plate. */
const MIN_VEHICLE_PX = 40;
/** Long side to which a vehicle's crop is scaled, in px. */
const VEHICLE_CROP_PX = 640;
/** Maximum enlargement of a crop: beyond it no more strokes become visible. */
const MAX_CROP_ENLARGEMENT = 3;
/** Margin of a crop, as shares of the vehicle's sides: boxes end at the bumper. */
const CROP_MARGIN = { x: 0.03, y: 0.08 } as const;
/** Share of a text inside a vehicle from which the shape for vehicles applies. */
const ON_VEHICLE_SHARE = 0.6;
/** Factor on the score of text on no vehicle, which needs a little more evidence. */
const ANYWHERE_PENALTY = 0.98;
/** Text whose intersection with a classified plate is this share of the smaller box is that plate. */
const SAME_PLATE = 0.4;

/** Margin from a line of text to the plate's edge, in text heights: rim and country strip contain no text. */
const PLATE_MARGIN = { x: 0.2, y: 0.08 } as const;

const aroundText = (text: Box): Box => {
  const height = boxHeight(text);
  return {
    x1: text.x1 - PLATE_MARGIN.x * height,
    y1: text.y1 - PLATE_MARGIN.y * height,
    x2: text.x2 + PLATE_MARGIN.x * height,
    y2: text.y2 + PLATE_MARGIN.y * height,
  };
};

const within = (value: number, [low, high]: readonly [number, number]): boolean =>
  value >= low && value <= high;

const isPlateShaped = (box: Box, shape: PlateShape, referenceWidth: number): boolean =>
  within(boxWidth(box) / boxHeight(box), shape.aspect) && within(boxWidth(box) / referenceWidth, shape.width);

const isLowOnVehicle = (plate: Box, vehicle: Box): boolean =>
  (plate.y1 + plate.y2) / 2 >= vehicle.y1 + boxHeight(vehicle) * PLATE_FROM_HEIGHT;

const cropOf = (vehicle: Box, size: Size): Tile => {
  const margin = boxWidth(vehicle) * CROP_MARGIN.x;
  const crop = outerPixels(
    clipBox(
      {
        x1: vehicle.x1 - margin,
        y1: vehicle.y1 + boxHeight(vehicle) * CROP_FROM_HEIGHT,
        x2: vehicle.x2 + margin,
        y2: vehicle.y2 + boxHeight(vehicle) * CROP_MARGIN.y,
      },
      size.width,
      size.height,
    ),
  );
  return tileOver(crop);
};

/** The score of a text region with a plate's shape, or undefined if the rule excludes it. */
const scoreByShape = (
  box: Box,
  raw: number,
  vehicles: readonly Detection[],
  imageWidth: number,
): number | undefined => {
  const vehicle = vehicles.find((vehicle) => intersectionOverSmaller(vehicle.box, box) > ON_VEHICLE_SHARE);
  if (vehicle && isPlateShaped(box, ON_VEHICLE, boxWidth(vehicle.box)) && isLowOnVehicle(box, vehicle.box)) {
    return raw;
  }
  return isPlateShaped(box, ANYWHERE, imageWidth) ? raw * ANYWHERE_PENALTY : undefined;
};

const toPlate = (
  { box, score, cut }: TileDetection,
  model: LoadedModel,
  vehicles: readonly Detection[],
  { width: imageWidth, wraps }: { width: number; wraps: boolean },
): TileDetection[] => {
  const operatingPoint = thresholdOf(model.entry, 'license-plate');
  const raw = scoreByShape(box, score, vehicles, imageWidth);
  if (raw === undefined) return [];
  const plate: TileDetection = {
    objectClass: 'license-plate',
    score: calibrate(raw, operatingPoint, 'license-plate'),
    box: aroundText(box),
    cut,
  };
  return splitWrappedBox(plate, imageWidth, wraps);
};

/** The parts of vehicles in which plates are expected. */
export const cropsOf = (pyramid: Pyramid, vehicles: readonly Detection[]): Tile[] =>
  vehicles.filter(({ box }) => boxWidth(box) >= MIN_VEHICLE_PX).map(({ box }) => cropOf(box, pyramid));

const fitCrop = (crop: Tile, multipleOf: number): Letterbox => {
  const longSide = Math.max(crop.width, crop.height) * MAX_CROP_ENLARGEMENT;
  return fitLongSide(crop, Math.min(VEHICLE_CROP_PX, longSide), multipleOf);
};

/** The parts of an image in which text is detected. */
interface TextAreas {
  readonly tiles: readonly Tile[];
  /**
   * The parts of vehicles in which plates are expected; a promise, so that tiles are searched before vehicles are
   * known.
   */
  readonly crops: Promise<readonly Tile[]>;
  /** Long sides, in px; the manifest's if absent. */
  readonly longSides?: readonly number[];
}

/**
 * Runs the text detector on every tile, and on each vehicle enlarged.
 *
 * @returns words and joined lines with raw scores
 */
export const readText = async (
  { tiles, crops, longSides }: TextAreas,
  { model, onStep, ...run }: ModelRun & { readonly onStep: () => void },
): Promise<readonly TileDetection[]> => {
  const { input } = model.entry;
  const read = async (fits: readonly Letterbox[]): Promise<TileDetection[]> => {
    const runs = fits.map((fit) => async () => {
      const words = await runDetector(fit, { ...run, model, minimum: { 'license-plate': 0 } });
      onStep();
      return [...words, ...joinWords(words)];
    });
    return (await runAll(runs, RUNS_AT_ONCE)).flat();
  };
  const inTiles = await read(fitTiles(tiles, longSides ? { ...input, longSides } : input));
  const enlarged = (await crops).map((crop) => fitCrop(crop, input.multipleOf ?? 1));
  return [...inTiles, ...(await read(enlarged))];
};

/** The models for plates. */
export interface PlateModels {
  /** Without it only predicted plates and scanned areas are classified. */
  readonly text: LoadedModel | undefined;
  /** Without it shape and place of text decide. */
  readonly classifier: LoadedModel | undefined;
}

/** A search for plates. */
export interface PlateSearchJob {
  readonly pyramid: Pyramid;
  readonly tiles: readonly Tile[];
  readonly wanted: WantedScores;
  readonly search: PlateSearch;
  /** Vehicles of the same image: a plate is small in the image, but not in its vehicle's crop. */
  readonly vehicles: Promise<readonly Detection[]>;
  /** Plates of the frames before, at their predicted places, in image px. */
  readonly expected: readonly Box[];
  /** When plates without text are also searched away from vehicles. */
  readonly scansAnywhere: FullScanSetting;
  readonly onStep: () => void;
  readonly signal: AbortSignal;
}

/**
 * Finds license plates: text regions and places on vehicles that the classifier accepts; with `thorough` also
 * all text with the shape and place of a plate.
 *
 * @returns candidates, not yet merged
 */
export const findPlates = async (
  { text, classifier }: PlateModels,
  job: PlateSearchJob,
): Promise<TileDetection[]> => {
  const { pyramid, tiles, wanted, search, vehicles: vehiclesFound, expected, scansAnywhere, signal } = job;
  const min = wanted['license-plate'] ?? 1;
  const cropsFound = vehiclesFound.then((found) => cropsOf(pyramid, found));
  cropsFound.catch(() => undefined); // Progress is reported by the detectors themselves.
  const isRead = !classifier || scansAnywhere !== 'always' || search !== 'usual';
  // Where areas are scanned, text on vehicles or at more scales gave no more plates and took longer (decision 12).
  const reading = isRead
    ? { tiles, crops: cropsFound }
    : { tiles, crops: Promise.resolve([]), longSides: plateSettingsOf(classifier.entry).textLongSides };
  const lines = text ? await readText(reading, { pyramid, model: text, onStep: job.onStep, signal }) : [];
  const vehicles = await vehiclesFound;
  const wraps = tiles.some((tile) => tile.wraps);
  const pick = (): TileDetection[] => {
    if (!text) return [];
    const plates = lines.flatMap((line) => toPlate(line, text, vehicles, { width: pyramid.width, wraps }));
    return uniteCandidates(plates.filter(({ score }) => score >= min));
  };
  if (!classifier) return pick();
  const proposals = {
    text: [...expected, ...lines.map(({ box }) => box)],
    areas: text ? await cropsFound : [],
    vehicles: vehicles.map(({ box }) => box),
    maxAreas: isRead ? MAX_SCANS.read : MAX_SCANS.unread,
    anywhere: tiles,
    scansAnywhere,
    wraps,
  };
  const classified = await classifyPlates(proposals, { pyramid, model: classifier, signal }, min);
  const plates = classified.flatMap((plate) => splitWrappedBox(plate, pyramid.width, wraps));
  if (search === 'usual') return plates;
  const isKnown = ({ box }: TileDetection): boolean =>
    plates.some((plate) => intersectionOverSmaller(plate.box, box) > SAME_PLATE);
  return [...plates, ...pick().filter((candidate) => !isKnown(candidate))];
};
