import {
  boxHeight,
  boxWidth,
  clipBox,
  intersectionOverSmaller,
  outerPixels,
  type Box,
} from '../../domain/boxes';
import type { Size } from '../../domain/size';
import { calibrate } from '../inference/calibration';
import { fitTiles, runDetector, RUNS_AT_ONCE, unwrap } from '../detect/detect';
import type { WantedScores } from '../fusion/detector-scores';
import type { Detection } from '../../domain/detection';
import { runAll } from '../runtime/in-parallel';
import { classifyPlates, type ScansAnywhere } from './classify-plates';
import { fitLongSide, type Letterbox } from '../pixels/letterbox';
import type { Found } from '../fusion/merge';
import { plateSettingsOf, thresholdOf } from '../../domain/manifest';
import type { PlateSearch } from '../../domain/options';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';
import { joinWords, uniteCandidates } from './text-lines';
import type { Tile } from '../pixels/tile';

/** What a text region must look like to be taken for a plate. */
interface PlateShape {
  /** Width ÷ height. */
  readonly aspect: readonly [number, number];
  /** Width as a share of the vehicle's or the picture's. */
  readonly width: readonly [number, number];
}

/** On a vehicle nearly any text of that size is its plate; two-line plates are almost square. */
const ON_VEHICLE: PlateShape = { aspect: [1, 9], width: [0.04, 0.6] };
/** Elsewhere most text is a sign: only what has a plate's proportions counts. */
const ANYWHERE: PlateShape = { aspect: [1.5, 7], width: [0, 0.6] };
/** Plates hang below this share of a vehicle's height (roof lights and taxi signs above). */
const PLATE_FROM_HEIGHT = 0.2;
/** The roof is cut off: half the height that is ruled out, for boxes that sit too low. */
const CROP_FROM_HEIGHT = PLATE_FROM_HEIGHT / 2;
/**
 * So many of the largest vehicles whose plate was not read are scanned: others are too far to be read by anybody. More
 * of them where no vehicle is read.
 */
const MAX_SCANS = { read: 4, unread: 8 } as const;
/** Narrower vehicles show no readable plate, in image px. */
const MIN_VEHICLE_PX = 40;
/** Long side that a vehicle's crop is scaled to. */
const VEHICLE_CROP_PX = 640;
/** Enlarging a small vehicle further shows no more strokes. */
const MAX_CROP_ENLARGEMENT = 3;
/** A crop takes in this much around the vehicle: boxes end at the bumper. */
const CROP_MARGIN = { x: 0.03, y: 0.08 } as const;
/** Text this far inside a vehicle is judged by the vehicle's rule. */
const ON_VEHICLE_SHARE = 0.6;
/** Off any vehicle, text needs a little more evidence to be taken for a plate. */
const ANYWHERE_PENALTY = 0.98;
/** Text that lies in a plate of the network's to this share of the smaller is that plate. */
const SAME_PLATE = 0.4;

/** From a line of text to the plate around it, in text heights: rim and country strip carry no strokes. */
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

const hangsLow = (plate: Box, vehicle: Box): boolean =>
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
  return { x: crop.x1, y: crop.y1, width: boxWidth(crop), height: boxHeight(crop), wraps: false };
};

/** A plate-shaped text region's score, or undefined where the rule says it is none. */
const scoreByShape = (
  box: Box,
  raw: number,
  vehicles: readonly Detection[],
  pictureWidth: number,
): number | undefined => {
  const vehicle = vehicles.find((vehicle) => intersectionOverSmaller(vehicle.box, box) > ON_VEHICLE_SHARE);
  if (vehicle && isPlateShaped(box, ON_VEHICLE, boxWidth(vehicle.box)) && hangsLow(box, vehicle.box)) {
    return raw;
  }
  return isPlateShaped(box, ANYWHERE, pictureWidth) ? raw * ANYWHERE_PENALTY : undefined;
};

const toPlate = (
  { box, score, cut }: Found,
  model: LoadedModel,
  vehicles: readonly Detection[],
  { width: pictureWidth, wraps }: { width: number; wraps: boolean },
): Found[] => {
  const operatingPoint = thresholdOf(model.entry, 'license-plate');
  const raw = scoreByShape(box, score, vehicles, pictureWidth);
  if (raw === undefined) return [];
  const plate: Found = {
    objectClass: 'license-plate',
    score: calibrate(raw, operatingPoint, 'license-plate'),
    box: aroundText(box),
    cut,
  };
  return unwrap(plate, pictureWidth, wraps);
};

/** The vehicles' parts that carry plates. */
export const cropsOf = (pyramid: Pyramid, vehicles: readonly Detection[]): Tile[] =>
  vehicles.filter(({ box }) => boxWidth(box) >= MIN_VEHICLE_PX).map(({ box }) => cropOf(box, pyramid));

const fitCrop = (crop: Tile, multipleOf: number): Letterbox => {
  const longSide = Math.max(crop.width, crop.height) * MAX_CROP_ENLARGEMENT;
  return fitLongSide(crop, Math.min(VEHICLE_CROP_PX, longSide), multipleOf);
};

/** What of a picture is read for text. */
interface Reading {
  readonly tiles: readonly Tile[];
  /** The vehicles' parts that carry plates: tiles are looked at before they are known. */
  readonly crops: Promise<readonly Tile[]>;
  /** At which size, in px; the manifest's where it is not said. */
  readonly longSides?: readonly number[];
}

/**
 * Reads for text in every tile, and on each vehicle enlarged.
 *
 * @returns words and lines of them with raw scores
 */
export const readText = async (
  pyramid: Pyramid,
  { tiles, crops, longSides }: Reading,
  model: LoadedModel,
  onStep: () => void,
  signal: AbortSignal,
): Promise<readonly Found[]> => {
  const { input } = model.entry;
  const read = async (fits: readonly Letterbox[]): Promise<Found[]> => {
    const runs = fits.map((fit) => async () => {
      const words = await runDetector(pyramid, fit, model, { 'license-plate': 0 }, signal);
      onStep();
      return [...words, ...joinWords(words)];
    });
    return (await runAll(runs, RUNS_AT_ONCE)).flat();
  };
  const inTiles = await read(fitTiles(tiles, longSides ? { ...input, longSides } : input));
  const enlarged = (await crops).map((crop) => fitCrop(crop, input.multipleOf ?? 1));
  return [...inTiles, ...(await read(enlarged))];
};

/** The models that plates are found with. */
export interface PlateModels {
  /** Where there is none, only plates that are expected are found. */
  readonly text: LoadedModel | undefined;
  /** Where there is none, text is judged by shape and place alone. */
  readonly classifier: LoadedModel | undefined;
}

/** What tells where plates may be. */
export interface PlateClues {
  /** In the same picture; a plate is small in the picture, but not on its car. */
  readonly vehicles: Promise<readonly Detection[]>;
  /** Plates of the frames before, where they should be by now, in image px. */
  readonly expected: readonly Box[];
  /** When plates that nobody reads are looked for off vehicles, too. */
  readonly scansAnywhere: ScansAnywhere;
  /** Text is read on each vehicle, and as closely as the manifest says. */
  readonly isReadClosely: boolean;
}

/**
 * Finds license plates: text, and whatever else on a vehicle, that the network takes for one; with `plates-and-text`
 * also all text that is shaped and placed like one.
 *
 * @returns candidates, not yet merged
 */
export const findPlates = async (
  pyramid: Pyramid,
  tiles: readonly Tile[],
  { text, classifier }: PlateModels,
  { vehicles: vehiclesFound, expected, scansAnywhere, isReadClosely }: PlateClues,
  wanted: WantedScores,
  search: PlateSearch,
  onStep: () => void,
  signal: AbortSignal,
): Promise<Found[]> => {
  const min = wanted['license-plate'] ?? 1;
  const cropsFound = vehiclesFound.then((found) => cropsOf(pyramid, found));
  cropsFound.catch(() => undefined); // told by the detectors themselves
  const isRead = !classifier || isReadClosely || search !== 'plates';
  // Beside scans, reading vehicles, or more closely, found nothing more and took longer than the scans (decision 12).
  const reading = isRead
    ? { tiles, crops: cropsFound }
    : { tiles, crops: Promise.resolve([]), longSides: plateSettingsOf(classifier.entry).textLongSides };
  const lines = text ? await readText(pyramid, reading, text, onStep, signal) : [];
  const vehicles = await vehiclesFound;
  const wraps = tiles.some((tile) => tile.wraps);
  const pick = (): Found[] => {
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
  const classified = await classifyPlates(pyramid, proposals, classifier, min, signal);
  const plates = classified.flatMap((plate) => unwrap(plate, pyramid.width, wraps));
  if (search === 'plates') return plates;
  const isKnown = ({ box }: Found): boolean =>
    plates.some((plate) => intersectionOverSmaller(plate.box, box) > SAME_PLATE);
  return [...plates, ...pick().filter((candidate) => !isKnown(candidate))];
};
