import { appearanceSimilarity, type Appearance } from '../motion/appearance';
import { type Box, areaRatio, boxHeight, boxWidth, intersectionOverSmaller, iou } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { CLASS_RULES } from '../../catalogue/class-rules';
import type { ObjectClass } from '../../catalogue/classes';
import { motionBox, predictMotion } from './kalman';
import { JUMP, PART, TRACKING } from './track-limits';
import { isConfirmed, secondsBetween, lastHit, moveDetection, type Moment, type Track } from './track-model';

/** Cost of a pair that must not be assigned. */
export const FORBIDDEN = Number.POSITIVE_INFINITY;

/** Internal cost of a forbidden pair: above any sum of real costs, but finite, so that sums stay comparable. */
const FORBIDDEN_COST = 1e6;

/**
 * Assigns each row at most one column: as many pairs as possible, at minimum total cost.
 *
 * The Hungarian method with potentials, O(rows² · columns). A greedy choice of the nearest pair would exchange tracks
 * where objects cross.
 *
 * @param costs `costs[row][column]`, 0..1000, or `FORBIDDEN`
 * @returns for each row its column, or -1
 * @see Kuhn 1955; in this form Jonker and Volgenant 1987
 */
export const assign = (costs: readonly (readonly number[])[]): number[] => {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return new Array<number>(rows).fill(-1);
  if (rows > columns) return invert(assign(transpose(costs)), rows);
  const rowOf = matchAll(costs, rows, columns);
  const result = new Array<number>(rows).fill(-1);
  for (let column = 1; column <= columns; column++) {
    const row = (rowOf[column] as number) - 1;
    if (row >= 0 && costs[row]?.[column - 1] !== FORBIDDEN) result[row] = column - 1;
  }
  return result;
};

const transpose = (costs: readonly (readonly number[])[]): number[][] =>
  (costs[0] ?? []).map((_, column) => costs.map((row) => row[column] as number));

const invert = (columnToRow: readonly number[], rows: number): number[] => {
  const result = new Array<number>(rows).fill(-1);
  columnToRow.forEach((row, column) => {
    if (row >= 0) result[row] = column;
  });
  return result;
};

/** @returns by column, counted from 1, the row matched to it, counted from 1; 0 for none */
const matchAll = (costs: readonly (readonly number[])[], rows: number, columns: number): Int32Array => {
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOf = new Int32Array(columns + 1);
  const cost = (row: number, column: number): number =>
    Math.min(FORBIDDEN_COST, costs[row - 1]?.[column - 1] as number) -
    (rowPotential[row] as number) -
    (columnPotential[column] as number);
  for (let row = 1; row <= rows; row++) {
    augment(row, columns, cost, { rowOf, rowPotential, columnPotential });
  }
  return rowOf;
};

interface Matching {
  readonly rowOf: Int32Array;
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
}

/** Assigns one more row at minimum cost, and moves earlier rows where that is cheaper. */
const augment = (
  row: number,
  columns: number,
  cost: (row: number, column: number) => number,
  { rowOf, rowPotential, columnPotential }: Matching,
): void => {
  const cheapest = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
  const cameFrom = new Int32Array(columns + 1);
  const isUsed = new Uint8Array(columns + 1);
  rowOf[0] = row;
  let column = 0;
  do {
    isUsed[column] = 1;
    const current = rowOf[column] as number;
    let next = 0;
    let step = Number.POSITIVE_INFINITY;
    for (let j = 1; j <= columns; j++) {
      if (isUsed[j]) continue;
      const reduced = cost(current, j);
      if (reduced < (cheapest[j] as number)) {
        cheapest[j] = reduced;
        cameFrom[j] = column;
      }
      if ((cheapest[j] as number) < step) {
        step = cheapest[j] as number;
        next = j;
      }
    }
    for (let j = 0; j <= columns; j++) {
      if (isUsed[j]) {
        rowPotential[rowOf[j] as number] = (rowPotential[rowOf[j] as number] as number) + step;
        columnPotential[j] = (columnPotential[j] as number) - step;
      } else cheapest[j] = (cheapest[j] as number) - step;
    }
    column = next;
  } while (rowOf[column] !== 0);
  while (column !== 0) {
    const previous = cameFrom[column] as number;
    rowOf[column] = rowOf[previous] as number;
    column = previous;
  }
};

/** A detection as the tracker takes it. */
export interface Trackable extends Detection {
  /** Colours of the object, for boxes that jump. */
  readonly appearance?: Appearance;
}

export interface TrackMatch {
  readonly track: Track;
  readonly detection: Trackable;
  /** Whether its box does not overlap the predicted one. */
  readonly isJump: boolean;
}

interface Candidate {
  readonly track: Track;
  readonly predicted: Box;
}

type Cost = (candidate: Candidate, detection: Trackable) => number;

const overlapCost: Cost = ({ predicted }, { box }) => {
  const overlap = iou(predicted, box);
  return overlap >= TRACKING.iou ? 1 - overlap : FORBIDDEN;
};

/** Whether one box is a part of the other: detectors may find different parts of an object in different frames. */
export const isPart = (a: Box, b: Box, objectClass: ObjectClass): boolean =>
  CLASS_RULES[objectClass].isNeverNested === true &&
  intersectionOverSmaller(a, b) >= PART.inside &&
  areaRatio(a, b) >= PART.areaRatio;

const partCost: Cost = ({ track, predicted }, { box, objectClass }) => {
  const last = lastHit(track).detection.box;
  const isOne = isPart(last, box, objectClass) || isPart(predicted, box, objectClass);
  return isOne ? 1 - areaRatio(last, box) : FORBIDDEN;
};

const distanceInSides = (a: Box, b: Box): number => {
  const side = (boxWidth(a) + boxHeight(a) + boxWidth(b) + boxHeight(b)) / 4;
  return Math.hypot((a.x1 + a.x2 - b.x1 - b.x2) / 2, (a.y1 + a.y2 - b.y1 - b.y2) / 2) / side;
};

/** Cost of a jump: the boxes are far apart, but similar in size and colours. */
const jumpCost: Cost = ({ track, predicted }, { box, appearance }) => {
  const last = lastHit(track).detection.box;
  const similarity =
    appearance && track.appearance ? appearanceSimilarity(appearance, track.appearance) : undefined;
  const distance = Math.min(distanceInSides(predicted, box), distanceInSides(last, box));
  const reach = similarity === undefined ? JUMP.sidesWithoutAppearance : JUMP.sides;
  const isPlausible =
    areaRatio(last, box) >= JUMP.areaRatio && distance <= reach && (similarity ?? 1) >= JUMP.likeness;
  return isPlausible ? distance / reach + (1 - (similarity ?? JUMP.likeness)) : FORBIDDEN;
};

/** Whether a track has the two hits from which its motion is known. */
const hasMotion = ({ track }: Candidate): boolean => track.hits > 1;

/** Tracks and detections that are not yet assigned. */
interface Unmatched {
  readonly candidates: readonly Candidate[];
  readonly detections: readonly Trackable[];
}

/**
 * The detection where the track expects it: in a panorama the same place returns after each turn, and a track that
 * crosses the seam goes on counting.
 *
 * @param turnPx width of the panorama; undefined for other frames
 */
const unrolled = (detection: Trackable, { predicted }: Candidate, turnPx: number | undefined): Trackable => {
  if (turnPx === undefined) return detection;
  const { box } = detection;
  const turns = Math.round((predicted.x1 + predicted.x2 - box.x1 - box.x2) / (2 * turnPx));
  return moveDetection(detection, turns * turnPx, 0);
};

/** One round of the assignment. */
interface Round {
  readonly isInRound: (detection: Trackable) => boolean;
  readonly cost: Cost;
  /** See `unrolled`. */
  readonly turnPx: number | undefined;
}

const matchRound = (
  { candidates, detections }: Unmatched,
  { isInRound, cost, turnPx }: Round,
  matches: TrackMatch[],
): Unmatched => {
  const eligible = detections.filter(isInRound);
  const columns = assign(
    candidates.map((candidate) =>
      eligible.map((detection) => cost(candidate, unrolled(detection, candidate, turnPx))),
    ),
  );
  const taken = new Set<Trackable>();
  const left = candidates.filter((candidate, row) => {
    const detection = eligible[columns[row] ?? -1];
    if (!detection) return true;
    taken.add(detection);
    const { track } = candidate;
    matches.push({ track, detection: unrolled(detection, candidate, turnPx), isJump: cost !== overlapCost });
    return false;
  });
  return { candidates: left, detections: detections.filter((detection) => !taken.has(detection)) };
};

/**
 * Assigns the detections of a frame to the tracks of one class.
 *
 * ByteTrack's order: confident detections first, then weak ones for the remaining tracks, so that tracks of half
 * occluded or blurred objects continue; then tentative tracks; finally jumps, by appearance. Confirmed tracks may jump
 * before tentative tracks without motion are continued: a fast plate would otherwise continue each weak hit that it
 * passes, as a further track.
 *
 * @param tracks of the frame's scene, with a recent hit
 * @param limits score from which a detection is confident, and the width of a panorama
 * @returns the pairs, and the detections without a track
 * @see Zhang et al., ByteTrack, ECCV 2022, algorithm 1
 */
export const associate = (
  tracks: readonly Track[],
  detections: readonly Trackable[],
  at: Moment,
  { threshold, turnPx }: { readonly threshold: number; readonly turnPx?: number | undefined },
): { readonly matches: readonly TrackMatch[]; readonly unmatched: readonly Trackable[] } => {
  const matches: TrackMatch[] = [];
  const candidates = tracks.map((track) => {
    const { motion, moment } = lastHit(track);
    return { track, predicted: motionBox(predictMotion(motion, secondsBetween(moment, at))) };
  });
  const isConfident = ({ score }: Trackable): boolean => score >= threshold;
  let left = detections;
  const match = (
    own: readonly Candidate[],
    isInRound: (detection: Trackable) => boolean,
    cost: Cost,
  ): readonly Candidate[] => {
    const rest = matchRound({ candidates: own, detections: left }, { isInRound, cost, turnPx }, matches);
    left = rest.detections;
    return rest.candidates;
  };
  let confirmed: readonly Candidate[] = candidates.filter(({ track }) => isConfirmed(track));
  const tentative = candidates.filter(({ track }) => !isConfirmed(track));
  confirmed = match(confirmed, ({ score }) => score >= TRACKING.highScore, overlapCost);
  confirmed = match(confirmed, () => true, overlapCost);
  confirmed = match(confirmed, () => true, partCost);
  const moving = match(tentative.filter(hasMotion), () => true, overlapCost);
  match(confirmed, isConfident, jumpCost);
  const single = match(
    tentative.filter((one) => !hasMotion(one)),
    () => true,
    overlapCost,
  );
  const parted = match([...moving, ...single], () => true, partCost);
  match(parted, isConfident, jumpCost);
  return { matches, unmatched: left };
};
