import type { Appearance } from '../motion/appearance';
import type { BoxTemplate } from './box-template';
import { moveBox } from '../../domain/boxes';
import type { Shift } from '../motion/camera-motion';
import { mapCorners } from '../../domain/corners';
import type { Detection } from '../../domain/detection';
import type { BoxMotion } from './kalman';
import { TRACKING } from './track-limits';

/** When a frame is shown. */
export interface Moment {
  /** Frames counted as they come, from 0. */
  readonly position: number;
  readonly seconds: number;
  /** Counts camera cuts: nothing is followed from one scene into another. */
  readonly scene: number;
  /**
   * How far the camera has moved since the scene began, in whole px. Tracks are kept in px of the scene, in which what
   * stands still does so under a camera that shakes: a place in the picture and this.
   */
  readonly camera: Shift;
}

/** A detection that belongs to a track, and the motion as known once it was seen. */
export interface Observation {
  readonly moment: Moment;
  /** In px of the scene, but for its outlines. */
  readonly detection: Detection;
  readonly motion: BoxMotion;
  /** How alike it looked, where it was recognised by its pattern alone: no detector found it. */
  readonly likeness?: number;
}

/** How a track looks, from one of its finds on. */
export interface TemplateTrack {
  readonly template: BoxTemplate;
  readonly since: Moment;
}

/** One object through the frames of one scene. */
export interface Track {
  /** Undefined as long as no find was sure: such a track is followed, and hidden in none of its frames until then. */
  id: number | undefined;
  readonly scene: number;
  /** In the order of time; what lies before the frames held back is forgotten but for the last two. */
  observations: Observation[];
  /** All finds, forgotten ones too. */
  hits: number;
  bestScore: number;
  /** Finds of at least the threshold. */
  confidentHits: number;
  /** Score from which the client wants an object of the class hidden. */
  readonly threshold: number;
  appearance: Appearance | undefined;
  /** As it was found last. */
  templateTrack?: TemplateTrack | undefined;
  /** As it was found first; lost where it was not recognised in a frame before. */
  templateBack?: TemplateTrack | 'lost';
}

/** Whether a find of it was sure, so that it is hidden. */
export const isEstablished = (track: Track): track is Track & { readonly id: number } =>
  track.id !== undefined;

const moveDetection = <T extends Detection>(detection: T, x: number, y: number): T => {
  if (x === 0 && y === 0) return detection;
  const { box, corners } = detection;
  const moved = { ...detection, box: moveBox(box, x, y) };
  return corners
    ? { ...moved, corners: mapCorners(corners, (corner) => [corner[0] + x, corner[1] + y]) }
    : moved;
};

/** From the picture to the scene; outlines are of one frame, and stay as they are. */
export const intoScene = <T extends Detection>(detection: T, { camera }: Moment): T =>
  moveDetection(detection, camera.x, camera.y);

/** From the scene to the picture. */
export const intoPicture = <T extends Detection>(detection: T, { camera }: Moment): T =>
  moveDetection(detection, -camera.x, -camera.y);

export const secondsBetween = (a: Moment, b: Moment): number => Math.abs(a.seconds - b.seconds);

/** Whether two moments are at most so far apart, in time or in a few frames. */
export const isWithin = (a: Moment, b: Moment, seconds: number): boolean =>
  secondsBetween(a, b) <= seconds || Math.abs(a.position - b.position) <= TRACKING.minFrames;
