import type { ModelInput } from '../catalogue/manifest';
import { boxHeight, boxWidth, growBox, type Box } from './boxes';
import { calibrate } from './calibration';
import { cornerBounds, growCorners } from './corners';
import { fitTiles, RUNS_AT_ONCE } from './detect';
import type { Corner, Corners } from './detection';
import { runAll } from './in-parallel';
import type { Found } from './merge';
import { suppress } from './nms';
import { DEFAULT_THRESHOLDS } from './options';
import { lookThrough, scan, windowAround, type Sighting } from './plate-windows';
import type { Pyramid } from './pyramid';
import type { LoadedModel } from './sessions';
import type { Tile } from './tile';

/** Raw scores from which a first look is followed by a second: low at text, where few are wrong. */
const LEAST_AT_TEXT = 0.1;
const LEAST_IN_SCAN = 0.3;
/** A scan sees a hundred windows where text proposes one, so a plate that nobody read needs more evidence. */
const SCAN_OPERATING_POINT = 0.85;
/**
 * At these sizes of the whole picture, px, it is scanned off vehicles, too: together they show plates of 35 to 400 px in
 * a width of 1280.
 */
const ANYWHERE_SCALES = { longSides: [480, 1440], maxEnlargement: 2 } as const;
/**
 * What is a plate is looked at through windows so many times as wide, too: how far corners are off has to do with
 * where they lie in a window, so a mean of all sits better than any of them.
 */
const OTHER_WIDTHS = [1.35, 0.8] as const;
/** What each of those counts in the mean; what the window of the usual width shows counts for the rest. */
const OTHER_WEIGHT = 0.2;
/** Corners are off by about so much, in plate heights; found is what they may have missed. */
const CORNER_MARGIN = { along: 0.08, across: 0.06 } as const;
/** Sightings of one plate. */
const SAME_PLATE = { iou: 0.3, inside: 0.7 } as const;
/** So many second looks are enough for a car park, and bound the time that a picture full of text takes. */
const MOST_SECOND_LOOKS = 48;
/** Proposals whose windows differ less than this, as shares of their size, show the same. */
const SAME_VIEW = { shift: 0.08, scale: 1.2 } as const;

const showsTheSame = (a: Box, b: Box): boolean => {
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
  for (const box of boxes) if (!kept.some((known) => showsTheSame(known, box))) kept.push(box);
  return kept;
};

/** Where plates may be. */
export interface PlateProposals {
  /** Lines of text, and places of plates that are followed, in image px. */
  readonly text: readonly Box[];
  /** Parts of the picture that are looked at all over, at the scales that the manifest names, if no plate is there. */
  readonly areas: readonly Tile[];
  /** So many of them at most, the largest. */
  readonly mostAreas: number;
  /** Parts that are looked at all over at coarser scales, for plates on nothing that is known. */
  readonly anywhere: readonly Tile[];
  /** The picture goes on at its other side. */
  readonly wraps: boolean;
}

const lookAtText = async (
  pyramid: Pyramid,
  { text, wraps }: PlateProposals,
  model: LoadedModel,
  signal: AbortSignal,
): Promise<Sighting[]> => {
  const windows = distinct(text).map((box) => windowAround(box, wraps));
  const sightings = await lookThrough(pyramid, windows, model, signal);
  return sightings.filter(({ score }) => score >= LEAST_AT_TEXT);
};

const scanAreas = async (
  pyramid: Pyramid,
  areas: readonly Tile[],
  input: ModelInput,
  model: LoadedModel,
  signal: AbortSignal,
): Promise<Sighting[]> => {
  const looks = fitTiles(areas, input).map((fit) => () => scan(pyramid, fit, model, LEAST_IN_SCAN, signal));
  return (await runAll(looks, RUNS_AT_ONCE)).flat();
};

/** The largest areas in which no plate has its centre yet. */
const stillBare = ({ areas, mostAreas }: PlateProposals, plates: readonly Found[]): Tile[] => {
  const holds = ({ x, y, width, height }: Tile, { box }: Found): boolean =>
    Math.abs((box.x1 + box.x2) / 2 - x - width / 2) <= width / 2 &&
    Math.abs((box.y1 + box.y2) / 2 - y - height / 2) <= height / 2;
  return areas
    .filter((area) => !plates.some((plate) => holds(area, plate)))
    .sort((a, b) => b.width - a.width)
    .slice(0, mostAreas);
};

const meanCorners = (usual: Sighting, others: readonly Sighting[]): Corners => {
  const mean = (i: 0 | 1 | 2 | 3, axis: 0 | 1): number =>
    others.reduce(
      (sum, { corners }) => sum + OTHER_WEIGHT * (corners[i][axis] - usual.corners[i][axis]),
      usual.corners[i][axis],
    );
  const cornerAt = (i: 0 | 1 | 2 | 3): Corner => [mean(i, 0), mean(i, 1)];
  return [cornerAt(0), cornerAt(1), cornerAt(2), cornerAt(3)];
};

/** Looks again at what was seen, and once more, closer and from farther, at what is a plate then. */
const lookAgain = async (
  pyramid: Pyramid,
  sightings: readonly Sighting[],
  model: LoadedModel,
  { operatingPoint, least, wraps }: { operatingPoint: number; least: number; wraps: boolean },
  signal: AbortSignal,
): Promise<Found[]> => {
  const around = ({ box }: Sighting, width: number): Tile =>
    windowAround(growBox(box, (width - 1) / 2), wraps);
  const first = suppress(sightings, SAME_PLATE).slice(0, MOST_SECOND_LOOKS);
  const windows = first.map((sighting) => around(sighting, 1));
  const plates = (await lookThrough(pyramid, windows, model, signal)).flatMap((second, i) => {
    const seen = first[i] as Sighting;
    const score = calibrate((seen.score + second.score) / 2, operatingPoint, 'license-plate');
    return score >= least ? [{ seen, second, score }] : [];
  });
  const others = plates.flatMap(({ seen }) => OTHER_WIDTHS.map((width) => around(seen, width)));
  const looks = await lookThrough(pyramid, others, model, signal);
  return plates.map(({ second, score }, i) => {
    const seen = meanCorners(second, looks.slice(i * OTHER_WIDTHS.length, (i + 1) * OTHER_WIDTHS.length));
    const corners = growCorners(seen, CORNER_MARGIN.along, CORNER_MARGIN.across);
    const cut = { x: false, y: false };
    return { objectClass: 'license-plate', score, box: cornerBounds(corners), corners, cut };
  });
};

/**
 * Finds plates with the network that was trained for it: each proposal is looked at, and what looks like a plate is
 * looked at again through windows around what was seen, because most proposals sit badly.
 *
 * @returns candidates with corners and calibrated scores, at least `least`; not yet merged
 */
export const judgePlates = async (
  pyramid: Pyramid,
  proposals: PlateProposals,
  model: LoadedModel,
  least: number,
  signal: AbortSignal,
): Promise<Found[]> => {
  const { wraps, anywhere } = proposals;
  const judge = (sightings: readonly Sighting[], operatingPoint: number): Promise<Found[]> =>
    lookAgain(pyramid, sightings, model, { operatingPoint, least, wraps }, signal);
  const atText = await lookAtText(pyramid, proposals, model, signal);
  const read = await judge(atText, model.entry.thresholds['license-plate'] ?? 0.5);
  const sure = read.filter(({ score }) => score >= DEFAULT_THRESHOLDS['license-plate']);
  const { input } = model.entry;
  const scanned = await scanAreas(pyramid, stillBare(proposals, sure), input, model, signal);
  const unread = await judge(scanned, SCAN_OPERATING_POINT);
  const coarsely = { ...input, ...ANYWHERE_SCALES };
  const seen = await scanAreas(pyramid, anywhere, coarsely, model, signal);
  return [...read, ...unread, ...(await judge(seen, SCAN_OPERATING_POINT))];
};
