import type { Appearance } from '../motion/appearance';
import type { BoxTemplate } from './box-template';
import { moveBox, boxHeight, boxWidth } from '../../domain/boxes';
import { type Detection, mapCorners } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import type { Shift } from '../motion/camera-motion';
import type { BoxMotion } from './kalman';
import { TRACKING, TRUST } from './track-limits';

/** Longer side where the track is largest, in px. */
const largestSide = ({ observations }: Track): number =>
  observations.reduce((max, { detection: { box } }) => Math.max(max, boxWidth(box), boxHeight(box)), 0);

/** The longer side in px from which an object counts as large in a frame. */
export const minLargePx = ({ width, height }: Size): number =>
  Math.max(TRUST.largePx, TRUST.largeShare * Math.max(width, height));

const isTrusted = ({ bestScore, confidentHits, threshold }: Track): boolean =>
  bestScore >= threshold + TRUST.margin || confidentHits >= TRUST.confidentHits;

/**
 * Whether a track may be hidden in a frame.
 *
 * A true large object has confident hits in most frames. A large track without them is a texture on a wall or a table:
 * it is hidden only near its confident hits. A small object is hidden wherever it may be.
 */
export const isCredible = (track: Track, at: Moment): boolean =>
  isTrusted(track) ||
  largestSide(track) <= track.largePx ||
  track.observations.some(
    ({ detection, moment }) => detection.score >= track.threshold && isWithin(moment, at, TRUST.seconds),
  );

/**
 * The share of the maximum time for which a track coasts beyond its hits.
 *
 * Noise has one or two weak hits. A large object is seldom lost, and coasting a false one hides much.
 */
export const coastingShare = (track: Track): number => {
  const side = largestSide(track);
  if (side > track.largePx) {
    return Math.min(Math.max(TRUST.share, track.largePx / side), TRUST.sharePerHit * track.confidentHits);
  }
  const isTentative = track.hits <= TRUST.hits && track.bestScore < TRACKING.highScore;
  return isTentative ? TRUST.share : 1;
};

/** When a frame is shown. */
export interface Moment {
  /** Frames counted as they come, from 0. */
  readonly position: number;
  readonly seconds: number;
  /** Number of camera cuts so far: tracks end at a cut. */
  readonly scene: number;
  /**
   * How far the camera has moved since the scene began, in whole px. Tracks are kept in px of the scene: a place in the
   * frame plus this shift. There a static object stays in its place although the camera shakes.
   */
  readonly camera: Shift;
}

/** A detection of a track, and the motion as estimated with it. */
export interface Observation {
  readonly moment: Moment;
  /** In px of the scene, except its outlines. */
  readonly detection: Detection;
  readonly motion: BoxMotion;
  /** Correlation of the template where it alone matched, without a detection. */
  readonly likeness?: number;
}

/** The template of a track, followed from one of its hits on. */
export interface TemplateTrack {
  readonly template: BoxTemplate;
  readonly since: Moment;
}

/** One object through the frames of one scene. */
export interface Track {
  /** Undefined for a tentative track, one without a confident hit: it is followed, but not hidden. */
  id: number | undefined;
  readonly scene: number;
  /** In the order of time; of those before the frames held back only the last two are kept. */
  observations: Observation[];
  /** Number of all hits, forgotten ones included. */
  hits: number;
  bestScore: number;
  /** Number of hits at or above the threshold. */
  confidentHits: number;
  /** The client's threshold for the class. */
  readonly threshold: number;
  /** Longer side in px from which its object counts as large (`minLargePx`). */
  readonly largePx: number;
  appearance: Appearance | undefined;
  /** Template of the last hit. */
  templateTrack?: TemplateTrack | undefined;
  /** Template of the first hit; lost where an earlier frame did not match. */
  templateBack?: TemplateTrack | 'lost';
}

/** The hits of a track that is known by them: it has one at least. */
export const firstHit = ({ observations }: Pick<Track, 'observations'>): Observation =>
  observations[0] as Observation;
export const lastHit = ({ observations }: Pick<Track, 'observations'>): Observation =>
  observations.at(-1) as Observation;

/** Whether the track is confirmed: it has a confident hit, and is hidden. */
export const isConfirmed = (track: Track): track is Track & { readonly id: number } => track.id !== undefined;

/** Moves a detection; its outlines stay. */
export const moveDetection = <T extends Detection>(detection: T, x: number, y: number): T => {
  if (x === 0 && y === 0) return detection;
  const { box, corners } = detection;
  const moved = { ...detection, box: moveBox(box, x, y) };
  return corners
    ? { ...moved, corners: mapCorners(corners, (corner) => [corner[0] + x, corner[1] + y]) }
    : moved;
};

/** Converts from frame to scene px; outlines belong to one frame, and stay as they are. */
export const toScenePx = <T extends Detection>(detection: T, { camera }: Moment): T =>
  moveDetection(detection, camera.x, camera.y);

/** Converts from scene to frame px. */
export const toFramePx = <T extends Detection>(detection: T, { camera }: Moment): T =>
  moveDetection(detection, -camera.x, -camera.y);

export const secondsBetween = (a: Moment, b: Moment): number => Math.abs(a.seconds - b.seconds);

/** Whether two moments are at most so far apart, in time or in a few frames. */
export const isWithin = (a: Moment, b: Moment, seconds: number): boolean =>
  secondsBetween(a, b) <= seconds || Math.abs(a.position - b.position) <= TRACKING.minFrames;
