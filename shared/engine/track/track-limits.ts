import type { ObjectClass } from '../../domain/object-class';

/**
 * All that tracking is tuned by, in one place. Scores are calibrated ones; times are seconds, so that they mean the
 * same at every frame rate; shares are of the object's own size.
 *
 * @see ../../models/eval/video/eval-video.ts, which measures what a change does
 */
export const TRACKING = {
  /** Least IoU of a track's predicted box with a detection that continues it (spec/compatibility). */
  iou: 0.3,
  /** Detections this sure are given to tracks first (spec/compatibility). */
  highScore: 0.7,
  /** Detections of at least this share of the image threshold continue a track; alone they are noise. */
  lowScoreShare: 0.5,
  /** How far frames are held back, so that a track found late is hidden before it was found. */
  aheadSeconds: 1,
  /** A track is carried back over at most this time before it was first found … */
  carryBackSeconds: 0.5,
  /** … and forward over at most this time after it was last found. */
  carryForwardSeconds: 0.6,
  /** Between two finds at most this far apart, the way from one to the other is hidden. */
  interpolateSeconds: 1,
  /** What is found later than this after a track's last find is another track. */
  lostSeconds: 1,
  /** Few frames a second do not shorten what is carried or bridged to less than this number of frames. */
  minFrames: 2,
} as const;

/** Tracks without a sure find so far: what is found weakly again and again and surely at last was there all the time. */
export const TENTATIVE = {
  /** Of each class, those that were found best. */
  max: 32,
} as const;

/** How far a track is believed in frames without a sure find. */
export const TRUST = {
  /** Objects with a longer side than this, in px, are found surely where they are truly there. */
  largePx: 96,
  /** A large one is confirmed by one find this much above the threshold … */
  margin: 0.15,
  /** … or by so many sure finds. */
  confidentHits: 5,
  /** Until then it is hidden within this time of its sure finds alone: noise, too, is found again and again, weakly. */
  seconds: 0.2,
  /** Each sure find of a large one adds this share of the time for which it is carried. */
  sharePerHit: 0.25,
  /** A small one found so often at most, and never surely, is carried for a share of the time. */
  hits: 2,
  share: 0.3,
} as const;

/** Where boxes of successive frames do not overlap: small or fast objects, a jolt of the camera. */
export const JUMP = {
  /** Farthest way between predicted and found centre, in mean sides of the two boxes. */
  sides: 2.5,
  /** The same, for detections that come without an appearance. */
  sidesUnseen: 1.2,
  /** Least ratio of the smaller area to the larger. */
  areaRatio: 0.35,
  /** Least likeness (Bhattacharyya coefficient) of the two appearances. */
  likeness: 0.75,
} as const;

/** Where of two successive finds one is a part of the other. */
export const PART = {
  /** Classes whose objects do not lie within others of their class. */
  classes: ['license-plate'] as readonly ObjectClass[],
  /** Least share of the smaller that lies inside the larger. */
  inside: 0.6,
  /** Least ratio of the smaller area to the larger. */
  areaRatio: 0.2,
} as const;

/** Noise of the motion model, as shares of the box's own sides: a near object moves more px than a far one. */
export const MOTION_NOISE = {
  /** Standard deviation of a detector's box, in sides. */
  measured: 0.05,
  /** Standard deviation of the acceleration, in sides per s². */
  acceleration: 6,
  /** Standard deviation of the velocity of a track found once, in sides per s. */
  firstVelocity: 1.5,
  /** So many times more unsure is the velocity of a box that jumped. */
  jumpFactor: 8,
  /** Sizes change more slowly than places: factor on the two above. */
  sizeFactor: 0.25,
} as const;

/** How a find that is smaller than its track's other finds is made whole. */
export const SIZE_MEMORY = {
  /** Finds this far before and after count. */
  seconds: 0.8,
  /** An object is as long as this share of them says, and at least so many: one alone may be a mistake. */
  share: 0.2,
  hits: 2,
  /** Below this share of that length, a find is too short. */
  short: 0.9,
  /** A find is lengthened to at most this many times its own length. */
  max: 2.5,
} as const;

/** How much larger than predicted an unseen box is hidden. */
export const INFLATION = {
  /** In standard deviations of the prediction. */
  deviations: 1,
  /** At most, on each side, in sides. */
  max: 0.4,
  /** At most, on each side, as a share of the picture's longer side. */
  maxShareOfImage: 0.03,
  /** Between two finds: sides per √s of a Brownian bridge. */
  bridge: 0.3,
} as const;

/** How what a user has boxed in is recognised again, without a detector. Scores are correlations, -1..1. */
export const FOLLOWING = {
  /** Cells of the pattern along the box's longer side … */
  cells: 24,
  /** … at least so many along the shorter one, and at most so many along the longer. */
  minCells: 8,
  maxCells: 64,
  /** Of smaller boxes, in px, some of what is around them belongs to the pattern. */
  minPx: 12,
  /** How far from the expected place it is looked for, in the box's longer sides; twice as far once it was missed. */
  reach: 0.6,
  maxReach: 1.2,
  /** How much larger or smaller it may become from frame to frame, and how much more alike it then has to look. */
  scaleStep: 1.04,
  scaleCost: 0.01,
  /** Below it, it is lost. */
  minScore: 0.7,
  /** From there on what was lost is taken for found again. */
  minScoreAgain: 0.78,
  /** What looks this much alike, and this much as at first, changes the pattern by so large a share. */
  refreshScore: 0.8,
  refreshLikeness: 0.5,
  refreshShare: 0.15,
  /** How much larger than found it is hidden, on each side in sides, and how much more where it was not recognised. */
  margin: 0.06,
  doubtMargin: 0.25,
} as const;

/** How a track is recognised by its pattern where no detector finds it; what is not named is as above. */
export const TEMPLATE_TRACKING = {
  /** Coarser: it is done frame by frame. Some 2 ms for each track. */
  cells: 16,
  minCells: 8,
  maxCells: 32,
  minScore: 0.75,
  /** Of each class, the largest first: in a crowd all of them would take longer than the detectors. */
  maxPerFrame: 16,
  /** It is looked for within this time after it was found last and before it was found first, or the share that it is carried. */
  forwardSeconds: 1.5,
  backSeconds: 1,
} as const;

/** Frames held back at most, however many there are in a second: each of them is a decoded picture. */
export const MAX_WINDOW_FRAMES = 64;

/** The scores to ask detectors for, so that a track's weak finds are known too. */
export const trackingThresholds = (
  thresholds: Readonly<Record<ObjectClass, number>>,
): Record<ObjectClass, number> => ({
  face: thresholds.face * TRACKING.lowScoreShare,
  'license-plate': thresholds['license-plate'] * TRACKING.lowScoreShare,
  person: thresholds.person * TRACKING.lowScoreShare,
  vehicle: thresholds.vehicle * TRACKING.lowScoreShare,
});
