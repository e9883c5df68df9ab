import { hidingBox } from './box-template';
import {
  type Box,
  boxAround,
  boxArea,
  boxHeight,
  boxWidth,
  clipBox,
  iou,
  unionBox,
} from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import {
  correctMotion,
  raiseVelocityVariance,
  motionBox,
  motionDeviation,
  predictMotion,
  startMotion,
  type BoxMotion,
} from './kalman';
import { atTemplate, boundsOf, cornersBetween, enlarge, moveCorners } from './track-corners';
import { INFLATION, TRACKING } from './track-limits';
import {
  type Moment,
  type Observation,
  type Track,
  toFramePx,
  isWithin,
  moveDetection,
  secondsBetween,
  coastingShare,
  isCredible,
} from './track-model';
import { wholeBox } from './track-size';

/**
 * Origin of a tracked box: a hit, interpolation between two hits, or coasting. The values are stored with video plans.
 */
export type Origin = 'found' | 'interpolated' | 'carried';

export interface TrackPlace {
  readonly detection: Detection;
  readonly origin: Origin;
}

const mix = (a: number, b: number, share: number): number => a + (b - a) * share;

const mixBox = (a: Box, b: Box, share: number): Box => ({
  x1: mix(a.x1, b.x1, share),
  y1: mix(a.y1, b.y1, share),
  x2: mix(a.x2, b.x2, share),
  y2: mix(a.y2, b.y2, share),
});

const inflate = (box: Box, xPx: number, yPx: number, size: Size): Box => {
  const max = INFLATION.maxShareOfImage * Math.max(size.width, size.height);
  const x = Math.min(xPx, max, INFLATION.max * boxWidth(box));
  const y = Math.min(yPx, max, INFLATION.max * boxHeight(box));
  return { x1: box.x1 - x, y1: box.y1 - y, x2: box.x2 + x, y2: box.y2 + y };
};

/** The detection moved to another box, without its masks, which are valid in one frame only. */
const moveTo = ({ masks: _there, ...detection }: Detection, box: Box): Detection => {
  const { corners } = detection;
  return corners
    ? { ...detection, box, corners: moveCorners(corners, detection.box, box) }
    : { ...detection, box };
};

const fraction = (from: Moment, at: Moment, to: Moment): number =>
  to.seconds > from.seconds
    ? (at.seconds - from.seconds) / (to.seconds - from.seconds)
    : (at.position - from.position) / (to.position - from.position);

/**
 * A hit enlarged to the object's size in neighbouring hits. Corners and masks are dropped if it is enlarged, because
 * they would leave the added part visible.
 */
const wholeHit = (observations: readonly Observation[], index: number): Observation => {
  const own = observations[index] as Observation;
  const box = wholeBox(observations, index);
  if (boxArea(box) <= boxArea(own.detection.box)) return own;
  const { masks: _ofPart, ...detection } = own.detection;
  return { ...own, detection: enlarge(detection, box) };
};

/** Maximum time between neighbours for smoothing. */
const SMOOTH_SECONDS = 0.2;

/**
 * The detected box, joined with the mean of itself and its neighbours' interpolation.
 *
 * A detector's boxes jitter. Smoothing alone could uncover an edge that was detected, so nothing is taken away. Weak
 * hits are less exact, with their corners: they are joined with the whole interpolation.
 */
const smooth = (
  own: Observation,
  before: Observation | undefined,
  after: Observation | undefined,
  threshold: number,
): Detection => {
  const { detection, moment } = own;
  if (!before || !after || !isWithin(before.moment, after.moment, SMOOTH_SECONDS)) return detection;
  const share = fraction(before.moment, moment, after.moment);
  const expected = mixBox(before.detection.box, after.detection.box, share);
  if (detection.score < threshold) return enlarge(detection, unionBox(detection.box, expected));
  return { ...detection, box: unionBox(detection.box, mixBox(detection.box, expected, 0.5)) };
};

/** Linear interpolation between two hits, wider the farther from both. */
const interpolate = (before: Observation, after: Observation, at: Moment, size: Size): Detection => {
  const { corners: _ofOther, ...nearest } = before.detection;
  const share = fraction(before.moment, at, after.moment);
  const box = mixBox(before.detection.box, after.detection.box, share);
  const { corners: first } = before.detection;
  const { corners: last } = after.detection;
  const direct = {
    ...nearest,
    score: Math.min(before.detection.score, after.detection.score),
    box,
    ...(first && last ? { corners: cornersBetween(first, last, share, nearest.objectClass === 'text') } : {}),
  };
  const spread =
    INFLATION.bridge * Math.sqrt(share * (1 - share) * secondsBetween(before.moment, after.moment));
  return moveTo(direct, inflate(box, spread * boxWidth(box), spread * boxHeight(box), size));
};

/** Prediction beyond the first or last hit, wider by its deviation, and never smaller than the detection. */
const coast = (detection: Detection, motion: BoxMotion, seconds: number, size: Size): Detection => {
  const predicted = predictMotion(motion, seconds);
  const { x1, y1, x2, y2 } = motionBox(predicted);
  const halfWidth = Math.max(x2 - x1, boxWidth(detection.box)) / 2;
  const halfHeight = Math.max(y2 - y1, boxHeight(detection.box)) / 2;
  const x = (x1 + x2) / 2;
  const y = (y1 + y2) / 2;
  const box = boxAround(x, y, halfWidth, halfHeight);
  const deviation = motionDeviation(predicted);
  return moveTo(
    detection,
    inflate(box, INFLATION.deviations * deviation.x, INFLATION.deviations * deviation.y, size),
  );
};

/** The motion after the last of some hits, in the order of time or against it. */
const motionThrough = (hits: readonly Observation[]): BoxMotion => {
  const [first, ...rest] = hits as readonly [Observation, ...Observation[]];
  let motion = startMotion(first.detection.box);
  let previous = first;
  for (const next of rest) {
    const { box } = next.detection;
    const seconds = secondsBetween(previous.moment, next.moment);
    const isJump = iou(motionBox(predictMotion(motion, seconds)), box) < TRACKING.iou;
    // Raised before the prediction: only the time that passes lets the new place correct the velocity.
    const known = isJump ? raiseVelocityVariance(motion) : motion;
    motion = correctMotion(predictMotion(known, seconds), box);
    previous = next;
  }
  return motion;
};

/** Number of hits from which the motion beyond the first or last hit is estimated. */
const MOTION_HITS = 8;

/** The motion of a track's first hit, backwards in time. */
export const motionBefore = ({ observations }: Track): BoxMotion =>
  motionThrough(observations.slice(0, MOTION_HITS).toReversed());

/** The predicted place of a track before its hit number `first`, at any distance in time. */
export const backwardDetection = (
  { observations }: Track,
  first: number,
  at: Moment,
  size: Size,
): Detection => {
  const last = Math.min(observations.length, first + MOTION_HITS);
  const hits = observations.slice(first, last).map((_, i) => wholeHit(observations, first + i));
  const found = hits[0] as Observation;
  return coast(found.detection, motionThrough(hits.toReversed()), secondsBetween(found.moment, at), size);
};

/** The predicted place of a track after its hit number `last`, at any distance in time. */
const forwardDetection = ({ observations }: Track, last: number, at: Moment, size: Size): Detection => {
  const first = Math.max(0, last + 1 - MOTION_HITS);
  const hits = observations.slice(first, last + 1).map((_, i) => wholeHit(observations, first + i));
  const found = hits.at(-1) as Observation;
  return coast(found.detection, motionThrough(hits), secondsBetween(found.moment, at), size);
};

/** Time around a hit for which it alone predicts the place, before or after a jolt. */
const JOLT_SECONDS = 0.1;

/**
 * The interpolated box, joined with the prediction from each of the two hits near it.
 *
 * When the camera is jolted, interpolation misses both places, because the frame of the jolt is unknown. For an even
 * motion the three boxes are the same.
 */
const withJolt = ({ observations }: Track, index: number, at: Moment, straight: Detection): Detection => {
  const { motion } = observations[index] as Observation;
  const places = observations.slice(index, index + 2).flatMap(({ moment, detection: { box } }) => {
    if (secondsBetween(moment, at) > JOLT_SECONDS) return [];
    const x = motion.x.velocity * (at.seconds - moment.seconds);
    const y = motion.y.velocity * (at.seconds - moment.seconds);
    return [{ x1: box.x1 + x, y1: box.y1 + y, x2: box.x2 + x, y2: box.y2 + y }];
  });
  const box = places.reduce(unionBox, straight.box);
  if (boxArea(box) <= boxArea(straight.box)) return straight;
  return enlarge(straight, box, places);
};

const placeWithoutHit = (track: Track, index: number, at: Moment, size: Size): TrackPlace | undefined => {
  const { observations } = track;
  const before = observations[index]?.moment;
  const after = observations[index + 1]?.moment;
  if (before && after && isWithin(before, after, TRACKING.interpolateSeconds)) {
    const straight = interpolate(wholeHit(observations, index), wholeHit(observations, index + 1), at, size);
    return { detection: withJolt(track, index, at, straight), origin: 'interpolated' };
  }
  const share = coastingShare(track);
  if (before && isWithin(before, at, share * TRACKING.coastSeconds)) {
    return { detection: forwardDetection(track, index, at, size), origin: 'carried' };
  }
  if (after && isWithin(after, at, share * TRACKING.coastBackSeconds)) {
    return { detection: backwardDetection(track, index + 1, at, size), origin: 'carried' };
  }
  return undefined;
};

const placeOfHit = ({ observations, threshold }: Track, index: number): TrackPlace => {
  const whole = wholeHit(observations, index);
  const detection = smooth(whole, observations[index - 1], observations[index + 1], threshold);
  const { likeness } = whole;
  if (likeness === undefined) return { detection, origin: 'found' };
  return { detection: atTemplate(detection, hidingBox(detection.box, likeness)), origin: 'carried' };
};

/** A box that moves out of the frame is dropped when less than this is left, in px. */
const MIN_SIDE_PX = 2;

/** A size of frames, and whether they are panoramas, in which an object may go around more than once. */
export interface FrameSize extends Size {
  readonly wraps?: true;
}

/** A detection in a panorama: it begins inside, and may end beyond the right edge. */
const rolled = (detection: Detection, { width, height }: Size): Detection => {
  const { x1, y1, x2, y2 } = boundsOf(detection);
  const moved = moveDetection(detection, -width * Math.floor(x1 / width), 0);
  const left = x1 - width * Math.floor(x1 / width);
  const isAround = x2 - x1 >= width;
  const rows = clipBox({ x1, y1, x2, y2 }, width, height);
  return {
    ...moved,
    box: { ...rows, x1: isAround ? 0 : left, x2: isAround ? width : left + x2 - x1 },
  };
};

const inside = (detection: Detection, size: FrameSize): Detection =>
  size.wraps
    ? rolled(detection, size)
    : { ...detection, box: clipBox(boundsOf(detection), size.width, size.height) };

/** The place of a track in a frame and its origin; undefined if the track is not hidden in this frame. */
export const placeInFrame = (track: Track, at: Moment, size: FrameSize): TrackPlace | undefined => {
  if (at.scene !== track.scene || !isCredible(track, at)) return undefined;
  const { observations } = track;
  const index = observations.findLastIndex(({ moment }) => moment.position <= at.position);
  const isFound = observations[index]?.moment.position === at.position;
  const place = isFound ? placeOfHit(track, index) : placeWithoutHit(track, index, at, size);
  if (!place) return undefined;
  const detection = inside(toFramePx(place.detection, at), size);
  const { box } = detection;
  const isGone = boxWidth(box) < MIN_SIDE_PX || boxHeight(box) < MIN_SIDE_PX;
  if (isGone && place.origin !== 'found') return undefined;
  return { origin: place.origin, detection };
};
