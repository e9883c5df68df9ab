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
const SCAN_OPERATING_POINT = 0.8;
/**
 * At these sizes of the whole picture, px, it is scanned off vehicles, too: frames for plates of 35 to 400 px in a width of
 * 1280, pictures in which no plate was found for those of 100 px and more: at 960 px, too, it takes 50 ms of a core.
 */
const ANYWHERE_SCALES = { always: [480, 1440], 'without-plates': [480] } as const;
const ANYWHERE_ENLARGEMENT = 2;
/**
 * What may be a plate is looked at through windows so many times as wide, too: what is a plate is one in each. How far
 * corners are off has to do with where they lie in a window, so a mean of all sits better than any of them.
 */
const OTHER_WIDTHS = [1.35, 0.8] as const;
/** What each of those counts in the corners' mean; what the window of the usual width shows counts for the rest. */
const OTHER_WEIGHT = 0.2;
/** What two looks give less than this share of the score that is wanted, the next two hardly ever save. */
const DOUBTFUL = 0.8;
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

/** When plates that nobody reads are looked for off vehicles, too: always, where no other plate was found, or never. */
export type ScansAnywhere = keyof typeof ANYWHERE_SCALES | 'never';

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
  /** When they are. */
  readonly scansAnywhere: ScansAnywhere;
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

const isSure = ({ score }: Found): boolean => score >= DEFAULT_THRESHOLDS['license-plate'];

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

const meanScore = (looks: readonly Sighting[]): number =>
  looks.reduce((sum, { score }) => sum + score, 0) / looks.length;

/** Looks at what was seen through windows so many times as wide. @returns of each, what each window shows */
const lookAround = async (
  pyramid: Pyramid,
  sightings: readonly Sighting[],
  widths: readonly number[],
  model: LoadedModel,
  { wraps }: Pick<PlateProposals, 'wraps'>,
  signal: AbortSignal,
): Promise<Sighting[][]> => {
  const windows = sightings.flatMap(({ box }) =>
    widths.map((width) => windowAround(growBox(box, (width - 1) / 2), wraps)),
  );
  const looks = await lookThrough(pyramid, windows, model, signal);
  return sightings.map((_, i) => looks.slice(i * widths.length, (i + 1) * widths.length));
};

/** Looks again at what was seen, from closer and from farther at what may be a plate then, and where exactly it is. */
const lookAgain = async (
  pyramid: Pyramid,
  sightings: readonly Sighting[],
  model: LoadedModel,
  { operatingPoint, least, wraps }: { operatingPoint: number; least: number; wraps: boolean },
  signal: AbortSignal,
): Promise<Found[]> => {
  const look = (at: readonly Sighting[], widths: readonly number[]): Promise<Sighting[][]> =>
    lookAround(pyramid, at, widths, model, { wraps }, signal);
  const scoreOf = (looks: readonly Sighting[]): number =>
    calibrate(meanScore(looks), operatingPoint, 'license-plate');
  const seen = suppress(sightings, SAME_PLATE).slice(0, MOST_SECOND_LOOKS);
  const twice = (await look(seen, [1])).map((again, i): Sighting[] => [seen[i] as Sighting, ...again]);
  const doubted = twice.filter((looks) => scoreOf(looks) >= DOUBTFUL * least);
  const firsts = doubted.map(([first]) => first as Sighting);
  const judged = (await look(firsts, OTHER_WIDTHS)).flatMap((others, i) => {
    const looks = [...(doubted[i] as Sighting[]), ...others];
    const score = scoreOf(looks);
    return score >= least ? [{ second: looks[1] as Sighting, score }] : [];
  });
  const seconds = judged.map(({ second }) => second);
  return (await look(seconds, [1, ...OTHER_WIDTHS])).map(([usual, ...others], i) => {
    const seenAt = meanCorners(usual as Sighting, others);
    const corners = growCorners(seenAt, CORNER_MARGIN.along, CORNER_MARGIN.across);
    const cut = { x: false, y: false };
    const { score } = judged[i] as { score: number };
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
  const { wraps, anywhere, scansAnywhere } = proposals;
  const judge = (sightings: readonly Sighting[], operatingPoint: number): Promise<Found[]> =>
    lookAgain(pyramid, sightings, model, { operatingPoint, least, wraps }, signal);
  const atText = await lookAtText(pyramid, proposals, model, signal);
  const read = await judge(atText, model.entry.thresholds['license-plate'] ?? 0.5);
  const { input } = model.entry;
  const scanned = await scanAreas(pyramid, stillBare(proposals, read.filter(isSure)), input, model, signal);
  const onVehicles = [...read, ...(await judge(scanned, SCAN_OPERATING_POINT))];
  if (scansAnywhere === 'never') return onVehicles;
  if (scansAnywhere === 'without-plates' && onVehicles.some(isSure)) return onVehicles;
  const longSides = ANYWHERE_SCALES[scansAnywhere];
  const coarsely = { ...input, longSides, maxEnlargement: ANYWHERE_ENLARGEMENT };
  const seen = await scanAreas(pyramid, anywhere, coarsely, model, signal);
  return [...onVehicles, ...(await judge(seen, SCAN_OPERATING_POINT))];
};
