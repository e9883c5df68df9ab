import { boxHeight, boxWidth, clipBox, unionBox, type Box } from './boxes';
import { mapCorners } from './corners';
import type { Corner, Corners, Detection } from './detection';
import type { Appearance } from './appearance';
import {
  correctMotion,
  motionBox,
  motionDeviation,
  predictMotion,
  startMotion,
  type BoxMotion,
} from './kalman';
import { INFLATION, TENTATIVE, TRACKING } from './track-limits';

/** When a frame is shown. */
export interface Moment {
  /** Frames counted as they come, from 0. */
  readonly position: number;
  readonly seconds: number;
  /** Counts camera cuts: nothing is followed from one scene into another. */
  readonly scene: number;
}

/** A detection that belongs to a track, and the motion as known once it was seen. */
export interface Observation {
  readonly moment: Moment;
  readonly detection: Detection;
  readonly motion: BoxMotion;
}

/** One object through the frames of one scene. */
export interface Track {
  readonly id: number;
  readonly scene: number;
  /** In the order of time; what lies before the frames held back is forgotten but for the last two. */
  observations: Observation[];
  /** All finds, forgotten ones too. */
  finds: number;
  bestScore: number;
  appearance: Appearance | undefined;
}

/** How a tracked box came about: seen by a detector, between two finds, or beyond the first or last of them. */
export type Origin = 'found' | 'interpolated' | 'carried';

export interface Place {
  readonly detection: Detection;
  readonly origin: Origin;
}

export const secondsBetween = (a: Moment, b: Moment): number => Math.abs(a.seconds - b.seconds);

/** Whether two moments are at most so far apart, in time or in a few frames. */
export const isWithin = (a: Moment, b: Moment, seconds: number): boolean =>
  secondsBetween(a, b) <= seconds || Math.abs(a.position - b.position) <= TRACKING.leastFrames;

const mix = (a: number, b: number, share: number): number => a + (b - a) * share;

const mixBox = (a: Box, b: Box, share: number): Box => ({
  x1: mix(a.x1, b.x1, share),
  y1: mix(a.y1, b.y1, share),
  x2: mix(a.x2, b.x2, share),
  y2: mix(a.y2, b.y2, share),
});

const inflate = (box: Box, xPx: number, yPx: number): Box => {
  const x = Math.min(xPx, INFLATION.most * boxWidth(box));
  const y = Math.min(yPx, INFLATION.most * boxHeight(box));
  return { x1: box.x1 - x, y1: box.y1 - y, x2: box.x2 + x, y2: box.y2 + y };
};

/** Takes a tilted plate's corners along with its box. */
const moveCorners = (corners: Corners, from: Box, to: Box): Corners =>
  mapCorners(corners, ([x, y]) => [
    to.x1 + ((x - from.x1) * boxWidth(to)) / boxWidth(from),
    to.y1 + ((y - from.y1) * boxHeight(to)) / boxHeight(from),
  ]);

const moveTo = (detection: Detection, box: Box): Detection => {
  const { corners } = detection;
  return corners
    ? { ...detection, box, corners: moveCorners(corners, detection.box, box) }
    : { ...detection, box };
};

const fraction = (from: Moment, at: Moment, to: Moment): number =>
  to.seconds > from.seconds
    ? (at.seconds - from.seconds) / (to.seconds - from.seconds)
    : (at.position - from.position) / (to.position - from.position);

/** As far apart as a smooth motion can be told from neighbours. */
const SMOOTH_SECONDS = 0.2;

/**
 * The box found, joined with the mean of itself and where its neighbours say that it is.
 *
 * A detector's boxes tremble; smoothing alone would uncover an edge that it did find, so nothing is taken away.
 */
const smooth = (
  own: Observation,
  before: Observation | undefined,
  after: Observation | undefined,
): Detection => {
  const { detection, moment } = own;
  if (!before || !after || !isWithin(before.moment, after.moment, SMOOTH_SECONDS)) return detection;
  const share = fraction(before.moment, moment, after.moment);
  const expected = mixBox(before.detection.box, after.detection.box, share);
  return { ...detection, box: unionBox(detection.box, mixBox(detection.box, expected, 0.5)) };
};

const mixCorner = ([ax, ay]: Corner, [bx, by]: Corner, share: number): Corner => [
  mix(ax, bx, share),
  mix(ay, by, share),
];

const mixCorners = (a: Corners, b: Corners, share: number): Corners => [
  mixCorner(a[0], b[0], share),
  mixCorner(a[1], b[1], share),
  mixCorner(a[2], b[2], share),
  mixCorner(a[3], b[3], share),
];

/** Between two finds: the straight way, wider the farther from both. */
const bridge = (before: Observation, after: Observation, at: Moment): Detection => {
  const { corners: _ofOther, ...nearest } = before.detection;
  const share = fraction(before.moment, at, after.moment);
  const box = mixBox(before.detection.box, after.detection.box, share);
  const { corners: first } = before.detection;
  const { corners: last } = after.detection;
  const direct = {
    ...nearest,
    score: Math.min(before.detection.score, after.detection.score),
    box,
    ...(first && last ? { corners: mixCorners(first, last, share) } : {}),
  };
  const spread =
    INFLATION.bridge * Math.sqrt(share * (1 - share) * secondsBetween(before.moment, after.moment));
  return moveTo(direct, inflate(box, spread * boxWidth(box), spread * boxHeight(box)));
};

/** Beyond the first or last find: where its motion leads, wider by how unsure that is, and never smaller. */
const carry = (detection: Detection, motion: BoxMotion, seconds: number): Detection => {
  const predicted = predictMotion(motion, seconds);
  const { x1, y1, x2, y2 } = motionBox(predicted);
  const halfWidth = Math.max(x2 - x1, boxWidth(detection.box)) / 2;
  const halfHeight = Math.max(y2 - y1, boxHeight(detection.box)) / 2;
  const x = (x1 + x2) / 2;
  const y = (y1 + y2) / 2;
  const box = { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight };
  const deviation = motionDeviation(predicted);
  return moveTo(
    detection,
    inflate(box, INFLATION.deviations * deviation.x, INFLATION.deviations * deviation.y),
  );
};

/** Finds that the motion before the first of them is told from. */
const BACKWARD_FINDS = 8;

/** The motion of a track against time, at its find `first`. */
const backwardMotion = (observations: readonly Observation[], first: number): BoxMotion => {
  const known = observations.slice(first, first + BACKWARD_FINDS).reverse();
  const start = known[0] as Observation;
  let motion = startMotion(start.detection.box);
  let previous = start;
  for (const next of known.slice(1)) {
    const moved = predictMotion(motion, secondsBetween(previous.moment, next.moment));
    motion = correctMotion(moved, next.detection.box);
    previous = next;
  }
  return motion;
};

/** Noise is found once or twice and never surely: it is not carried far. */
const carryShare = ({ finds, bestScore }: Track): number =>
  finds <= TENTATIVE.finds && bestScore < TRACKING.highScore ? TENTATIVE.share : 1;

/** Where a track was before its find number `first`, however long before. */
export const backwardDetection = (track: Track, first: number, at: Moment): Detection => {
  const found = track.observations[first] as Observation;
  const motion = backwardMotion(track.observations, first);
  return carry(found.detection, motion, secondsBetween(found.moment, at));
};

/** Where a track is after its last find, however long after. */
export const forwardDetection = (last: Observation, at: Moment): Detection =>
  carry(last.detection, last.motion, secondsBetween(last.moment, at));

const unseen = (track: Track, index: number, at: Moment): Place | undefined => {
  const before = track.observations[index];
  const after = track.observations[index + 1];
  if (before && after && isWithin(before.moment, after.moment, TRACKING.interpolateSeconds)) {
    return { detection: bridge(before, after, at), origin: 'interpolated' };
  }
  const share = carryShare(track);
  if (before && isWithin(before.moment, at, share * TRACKING.carryForwardSeconds)) {
    return { detection: forwardDetection(before, at), origin: 'carried' };
  }
  if (after && isWithin(after.moment, at, share * TRACKING.carryBackSeconds)) {
    return { detection: backwardDetection(track, index + 1, at), origin: 'carried' };
  }
  return undefined;
};

/** What is left of a box that moved out of the picture, in px, before it is dropped. */
const LEAST_SIDE_PX = 2;

/** Where a track is in a frame, and how that is known; undefined where it is not. */
export const placeInFrame = (
  track: Track,
  at: Moment,
  size: { readonly width: number; readonly height: number },
): Place | undefined => {
  if (at.scene !== track.scene) return undefined;
  const { observations } = track;
  const index = observations.findLastIndex(({ moment }) => moment.position <= at.position);
  const own = observations[index];
  const place: Place | undefined =
    own?.moment.position === at.position
      ? { detection: smooth(own, observations[index - 1], observations[index + 1]), origin: 'found' }
      : unseen(track, index, at);
  if (!place) return undefined;
  const box = clipBox(place.detection.box, size.width, size.height);
  const isGone = boxWidth(box) < LEAST_SIDE_PX || boxHeight(box) < LEAST_SIDE_PX;
  if (isGone && place.origin !== 'found') return undefined;
  return { origin: place.origin, detection: { ...place.detection, box } };
};
