/**
 * All values that decide whether a face stays visible, with their reasons. Measured by `npm run eval:subjects`.
 * `MIN_FACE_SCORE` and `MIN_SAMPLE_PX` are in `domain/subject.ts`, because the page chooses samples by them.
 */

/**
 * Minimum similarity to a subject. Other persons reach at most .50, and .54 if the subject has a single photo, which is
 * more often similar by chance.
 */
const SHOW_THRESHOLD = { onePhoto: 0.6, morePhotos: 0.55 } as const;

/** @param samples number of sample photos */
export const showThreshold = (samples: number): number =>
  samples < 2 ? SHOW_THRESHOLD.onePhoto : SHOW_THRESHOLD.morePhotos;

/** A face is compared with this number of its most similar samples: one sample alone may be similar by chance. */
export const BEST_SAMPLES = 2;

/** Two faces of one image that are both similar to the subject: the better one is shown only with this lead. */
export const MIN_LEAD = 0.1;

/** Minimum shorter side of a face that may be shown: smaller faces have too little detail for a comparison. */
export const MIN_SHOWN_PX = 40;

/**
 * Minimum similarity of a face to its mirror image. It is lower for faces seen from the side, which are too similar to
 * each other: two persons in profile reached .67.
 */
export const MIN_SYMMETRY = 0.85;

/**
 * An embedding is the mean of the square around the face and of squares that lie higher by these shares of their side.
 * With these, three photos of a person show .81 of the right ones instead of .73, and other persons are as similar as
 * before.
 */
export const CROP_RISES = [0.06, 0.12] as const;

/** Time between compared frames of a track, in µs. */
export const COMPARE_EVERY_US = 200_000;

/** Minimum number of compared frames of a track that agree. */
export const MIN_AGREEING_FRAMES = 3;

/** Below this similarity, a frame contradicts: the track may have changed to another person, and stays hidden. */
export const CONTRADICTION = 0.3;

/** A track stays hidden between agreeing frames that are farther apart than this, in µs. */
export const MAX_GAP_US = 1_000_000;

/** Share of a face that the region of a person must cover, so that the person is the owner of the face. */
export const MIN_OWNED_SHARE = 0.75;

/** A face stays hidden if the regions of other objects cover more than this share of it. */
export const MAX_COVERED_SHARE = 0.25;

/** Maximum distance between the top of a body and that of its face, in heights of the face: hair and hats. */
export const MAX_HAIR = 1;
