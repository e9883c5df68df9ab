import { perClass, type ObjectClass } from '../../catalogue/classes';
import { thresholdIn, type ClassThresholds } from '../../domain/options';

/**
 * Every constant of tracking. Scores are calibrated; times are in seconds, so that they mean the same at every frame
 * rate; shares are relative to the object's own size.
 *
 * @see ../../models/eval/video/eval-video.ts, which measures the effect of a change
 */
export const TRACKING = {
  /** Minimum IoU of a track's predicted box with a detection that continues it. */
  iou: 0.3,
  /** Detections with at least this score are assigned to tracks first. */
  highScore: 0.7,
  /** Detections with at least this share of the client's threshold continue a track; without a track they are noise. */
  lowScoreShare: 0.5,
  /** Time for which frames are held back, so that a track is also hidden in the frames before its first hit. */
  aheadSeconds: 1,
  /** Maximum time for which a track is hidden before its first hit … */
  coastBackSeconds: 0.5,
  /** … and for which it coasts after its last hit. */
  coastSeconds: 0.6,
  /** Maximum time between two hits across which the track is interpolated and hidden. */
  interpolateSeconds: 1,
  /** A track ends this long after its last hit; a later detection starts another track. */
  lostSeconds: 1,
  /** Minimum number of frames for coasting and interpolation, for videos with few frames per second. */
  minFrames: 2,
} as const;

/**
 * Tentative tracks: tracks without a confident hit so far. They are followed because a later confident hit confirms all
 * their weak hits.
 */
export const TENTATIVE = {
  /** Maximum number for each class; those with the best scores stay. */
  max: 32,
  /** Maximum number of them that are predicted, so that frames are searched there: most are noise. */
  maxPredicted: 4,
} as const;

/** When a track is hidden in frames without a confident hit. */
export const TRUST = {
  /** Longer side in px from which an object counts as large: detectors find true large objects with confidence. */
  largePx: 96,
  /** The same as a share of the frame's longer side, where that is more: what is large depends on the frame. */
  largeShare: 0.075,
  /** A large object is trusted after one hit with a score this much above the threshold … */
  margin: 0.15,
  /** … or by this many confident hits. */
  confidentHits: 5,
  /** Until then it is hidden only within this time of its confident hits, because noise has repeated weak hits too. */
  seconds: 0.2,
  /** Share of the coasting time that each confident hit of a large object adds. */
  sharePerHit: 0.25,
  /** A small object with at most this many hits, none of them confident, coasts for only a share of the time. */
  hits: 2,
  share: 0.3,
} as const;

/** Limits for detections that do not overlap the predicted box: small or fast objects, a jolt of the camera. */
export const JUMP = {
  /** Maximum distance between predicted and detected centre, in mean sides of the two boxes. */
  sides: 2.5,
  /** The same, for detections without an appearance. */
  sidesWithoutAppearance: 1.2,
  /** Minimum ratio of the smaller area to the larger. */
  areaRatio: 0.35,
  /** Minimum likeness (Bhattacharyya coefficient, 0..1) of the two appearances. */
  likeness: 0.75,
} as const;

/** Limits for two successive hits of which one is a part of the other. */
export const PART = {
  /** Minimum share of the smaller box that lies inside the larger. */
  inside: 0.6,
  /** Minimum ratio of the smaller area to the larger. */
  areaRatio: 0.2,
} as const;

/** Noise of the motion model, as shares of the box's own sides: a near object moves more px than a far one. */
export const MOTION_NOISE = {
  /** Standard deviation of a detector's box, in sides. */
  measured: 0.05,
  /** Standard deviation of the acceleration, in sides per s². */
  acceleration: 6,
  /** Standard deviation of the velocity of a track with one hit, in sides per s. */
  firstVelocity: 1.5,
  /** Factor on the velocity's deviation after a jump. */
  jumpFactor: 8,
  /** Factor on the two above for sizes, which change more slowly than positions. */
  sizeFactor: 0.25,
} as const;

/** How a hit that is smaller than the track's other hits is enlarged. */
export const SIZE_MEMORY = {
  /** Hits up to this long before and after count. */
  seconds: 0.8,
  /** Share of these hits, and their minimum number, that must support a length: a single one may be a mistake. */
  share: 0.2,
  hits: 2,
  /** A hit shorter than this share of that length is too short. */
  short: 0.9,
  /** Maximum factor by which a hit is lengthened: a post may cover three quarters of an object. */
  max: 4,
} as const;

/** How much larger than predicted a box without a detection is hidden. */
export const INFLATION = {
  /** In standard deviations of the prediction. */
  deviations: 1,
  /** Maximum on each side, in sides. */
  max: 0.4,
  /** Maximum on each side, as a share of the frame's longer side. */
  maxShareOfImage: 0.03,
  /** Between two hits: sides per √s of a Brownian bridge. */
  bridge: 0.3,
} as const;

/** Limits for following a box that a user drew, by its template alone. Scores are correlations, -1..1. */
export const FOLLOWING = {
  /** Cells of the template along the box's longer side … */
  cells: 24,
  /** … the minimum along the shorter one, and the maximum along the longer. */
  minCells: 8,
  maxCells: 64,
  /** The template of a smaller box, in px, includes some of its surroundings. */
  minPx: 12,
  /** Search distance around the predicted place, in the box's longer sides; twice as far after a miss. */
  reach: 0.6,
  maxReach: 1.2,
  /** Maximum change of size from frame to frame, and the extra likeness that a changed size needs. */
  scaleStep: 1.04,
  scaleCost: 0.01,
  /** Below this score the box is lost. */
  minScore: 0.7,
  /** From this score on a lost box is found again. */
  minScoreAgain: 0.78,
  /** From these likenesses to the recent and to the first template, the template is refreshed by this share. */
  refreshScore: 0.8,
  refreshLikeness: 0.5,
  refreshShare: 0.15,
  /** How much larger than matched the box is hidden, on each side in sides, and how much more after a miss. */
  margin: 0.06,
  doubtMargin: 0.25,
} as const;

/** Limits for following a track by its template where no detector finds it; other values are as above. */
export const TEMPLATE_TRACKING = {
  /** Coarser, because it runs on every frame: about 2 ms for each track. */
  cells: 16,
  minCells: 8,
  maxCells: 32,
  minScore: 0.75,
  /** Maximum tracks of each class, largest first: in a crowd all of them would take longer than the detectors. */
  maxPerFrame: 16,
  /** Maximum time after the last and before the first hit, or the same share of it as of the coasting time. */
  forwardSeconds: 1.5,
  backSeconds: 1,
} as const;

/** Maximum number of frames held back at any frame rate: each of them is a decoded image. */
export const MAX_WINDOW_FRAMES = 64;

/** Scores to ask detectors for, so that weak hits can continue tracks. */
export const trackingThresholds = (thresholds: ClassThresholds): Record<ObjectClass, number> =>
  perClass((name) => thresholdIn(thresholds, name) * TRACKING.lowScoreShare);
