import { likeness, type Appearance } from '../motion/appearance';
import { assign, FORBIDDEN } from './assignment';
import type { Box, Detection } from '../../domain/boxes';
import { boxArea, boxHeight, boxWidth, intersectionOverSmaller, iou } from '../../domain/boxes';
import { CLASS_RULES } from '../../catalogue/class-rules';
import type { ObjectClass } from '../../catalogue/classes';
import { motionBox, predictMotion } from './kalman';
import { JUMP, PART, TRACKING } from './track-limits';
import { isConfirmed, secondsBetween, type Moment, type Observation, type Track } from './track-model';

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

/** Ratio of the smaller area to the larger, 0..1. */
const areaRatio = (a: Box, b: Box): number =>
  Math.min(boxArea(a), boxArea(b)) / Math.max(boxArea(a), boxArea(b));

/** Whether one box is a part of the other: detectors may find different parts of an object in different frames. */
export const isPart = (a: Box, b: Box, objectClass: ObjectClass): boolean =>
  CLASS_RULES[objectClass].isNeverNested === true &&
  intersectionOverSmaller(a, b) >= PART.inside &&
  areaRatio(a, b) >= PART.areaRatio;

const partCost: Cost = ({ track, predicted }, { box, objectClass }) => {
  const last = (track.observations.at(-1) as Observation).detection.box;
  const isOne = isPart(last, box, objectClass) || isPart(predicted, box, objectClass);
  return isOne ? 1 - areaRatio(last, box) : FORBIDDEN;
};

const distanceInSides = (a: Box, b: Box): number => {
  const side = (boxWidth(a) + boxHeight(a) + boxWidth(b) + boxHeight(b)) / 4;
  return Math.hypot((a.x1 + a.x2 - b.x1 - b.x2) / 2, (a.y1 + a.y2 - b.y1 - b.y2) / 2) / side;
};

/** Cost of a jump: the boxes are far apart, but similar in size and colours. */
const jumpCost: Cost = ({ track, predicted }, { box, appearance }) => {
  const last = (track.observations.at(-1) as Observation).detection.box;
  const similarity = appearance && track.appearance ? likeness(appearance, track.appearance) : undefined;
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

const matchRound = (
  { candidates, detections }: Unmatched,
  isInRound: (detection: Trackable) => boolean,
  cost: Cost,
  matches: TrackMatch[],
): Unmatched => {
  const eligible = detections.filter(isInRound);
  const columns = assign(
    candidates.map((candidate) => eligible.map((detection) => cost(candidate, detection))),
  );
  const taken = new Set<Trackable>();
  const left = candidates.filter(({ track }, row) => {
    const detection = eligible[columns[row] ?? -1];
    if (!detection) return true;
    taken.add(detection);
    matches.push({ track, detection, isJump: cost !== overlapCost });
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
 * @param threshold score from which a detection is confident
 * @returns the pairs, and the detections without a track
 * @see Zhang et al., ByteTrack, ECCV 2022, algorithm 1
 */
export const associate = (
  tracks: readonly Track[],
  detections: readonly Trackable[],
  at: Moment,
  threshold: number,
): { readonly matches: readonly TrackMatch[]; readonly unmatched: readonly Trackable[] } => {
  const matches: TrackMatch[] = [];
  const candidates = tracks.map((track) => {
    const { motion, moment } = track.observations.at(-1) as Observation;
    return { track, predicted: motionBox(predictMotion(motion, secondsBetween(moment, at))) };
  });
  const isConfident = ({ score }: Trackable): boolean => score >= threshold;
  let left = detections;
  const match = (
    own: readonly Candidate[],
    isInRound: (detection: Trackable) => boolean,
    cost: Cost,
  ): readonly Candidate[] => {
    const rest = matchRound({ candidates: own, detections: left }, isInRound, cost, matches);
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
