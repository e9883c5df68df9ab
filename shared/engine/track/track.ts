import { moveBox } from '../../domain/boxes';
import type { Detection, Expected } from '../../domain/detection';
import type { LumaRaster, Raster } from '../../domain/raster';
import { STILL, type Shift } from '../motion/camera-motion';
import { motionBox, predictMotion } from './kalman';
import { OBJECT_CLASSES, perClass, type ObjectClass } from '../../catalogue/classes';
import { thresholdIn, type ClassThresholds } from '../../domain/options';
import { US_PER_SECOND } from '../../domain/plan';
import { isSceneCut, type FrameSignature } from '../motion/scene-cut';
import { associate, type Trackable } from './track-association';
import { continueTrack, joinEarlier, startTrack, pruneTracks } from './track-growth';
import { MAX_WINDOW_FRAMES, TENTATIVE, TRACKING } from './track-limits';
import {
  minLargePx,
  toScenePx,
  isConfirmed,
  isWithin,
  lastHit,
  firstHit,
  type Moment,
  type Track,
} from './track-model';
import { matchBackwards, updateTemplates, type SeenFrame } from './track-template';
import { placeInFrame, type FrameSize, type Origin } from './track-path';

/** A frame with its detections. */
export interface FrameDetections {
  readonly index: number;
  readonly timestampUs: number;
  readonly durationUs: number;
  /** Detected with `trackingThresholds`; those below the client's thresholds only continue tracks. */
  readonly detections: readonly Trackable[];
  readonly signature: FrameSignature;
  /** Camera motion since the frame before, in px of the frame; none if absent. */
  readonly shift?: Shift;
  /** Must be the same until the frame is returned; without them no templates are matched. */
  readonly pixels?: () => Raster | LumaRaster;
}

export interface TrackedDetection extends Detection {
  /** Number of the object in all frames of a scene, from 0. */
  readonly trackId: number;
  readonly origin: Origin;
}

/** A frame with all objects to hide in it. */
export interface TrackedFrame {
  readonly index: number;
  readonly timestampUs: number;
  readonly durationUs: number;
  /** Classes in their fixed order, tracks in the order of their ids. */
  readonly detections: readonly TrackedDetection[];
}

export interface TrackerOptions extends FrameSize {
  /** The client's thresholds: from these scores on a detection is hidden by itself. */
  readonly thresholds: ClassThresholds;
  /** Maximum number of frames held back, for low memory; `MAX_WINDOW_FRAMES` if absent. */
  readonly maxWindowFrames?: number;
}

/**
 * Predicts where tracks are at a time shortly after, in px of the frame.
 *
 * @param shift camera motion since the latest frame; none if unknown
 */
export type Prediction = (timestampUs: number, shift?: Shift) => readonly Expected[];

export interface Tracker {
  /** Takes a snapshot of the current tracks. @returns their prediction for a time, whatever is pushed meanwhile */
  predict(): Prediction;
  /** Takes the next frame. @returns the frames that are settled now, in order; often none or one */
  push(frame: FrameDetections): TrackedFrame[];
  /** @returns the frames still held back; nothing can be pushed after */
  finish(): TrackedFrame[];
}

/** A frame that is held back. */
interface HeldFrame {
  readonly frame: FrameDetections;
  readonly moment: Moment;
}

interface State {
  readonly options: TrackerOptions;
  readonly tracks: Record<ObjectClass, Track[]>;
  window: HeldFrame[];
  nextId: number;
  latest: { readonly moment: Moment; readonly signature: FrameSignature } | undefined;
  /** Sum of the camera's motion, not rounded; see `Moment.camera`. */
  camera: Shift;
}

const rounded = ({ x, y }: Shift): Shift => ({ x: Math.round(x), y: Math.round(y) });
const after = (camera: Shift, { x, y }: Shift): Shift => ({ x: camera.x - x, y: camera.y - y });

/** The moment of the next frame, with the camera's motion added up. */
const takeMoment = (state: State, { timestampUs, signature, shift = STILL }: FrameDetections): Moment => {
  const { latest } = state;
  const seconds = timestampUs / US_PER_SECOND;
  const isCut = !latest || isSceneCut(latest.signature, signature);
  state.camera = isCut ? STILL : after(state.camera, shift);
  const camera = rounded(state.camera);
  if (!latest) return { position: 0, seconds, scene: 0, camera };
  const { position, scene } = latest.moment;
  return { position: position + 1, seconds, scene: isCut ? scene + 1 : scene, camera };
};

const isAlive = (track: Track, at: Moment): boolean =>
  track.scene === at.scene && isWithin(lastHit(track).moment, at, TRACKING.lostSeconds);

/** All confirmed tracks, and at most `max` of the tentative ones: those with the best scores. */
const limitTentative = (tracks: readonly Track[], max: number): Track[] => [
  ...tracks.filter(isConfirmed),
  ...tracks
    .filter((track) => !isConfirmed(track))
    .sort((a, b) => b.bestScore - a.bestScore)
    .slice(0, max),
];

const predictionOf = ({ tracks, latest, camera, options: { wraps, width } }: State): Prediction => {
  const followed = OBJECT_CLASSES.flatMap((objectClass) => {
    const alive = tracks[objectClass].filter((track) => latest && isAlive(track, latest.moment));
    return limitTentative(alive, TENTATIVE.maxPredicted).map(lastHit);
  });
  return (timestampUs, shift = STILL) => {
    const { x, y } = rounded(after(camera, shift));
    return followed.map(({ moment, motion, detection: { objectClass } }) => {
      const seconds = Math.max(0, timestampUs / US_PER_SECOND - moment.seconds);
      const box = moveBox(motionBox(predictMotion(motion, seconds)), -x, -y);
      return { objectClass, box: wraps ? moveBox(box, -width * Math.floor(box.x1 / width), 0) : box };
    });
  };
};

const seenFrames = (window: readonly HeldFrame[]): SeenFrame[] =>
  window.flatMap(({ moment, frame: { pixels } }) => (pixels ? [{ moment, pixels }] : []));

const followClass = (state: State, objectClass: ObjectClass, held: HeldFrame): void => {
  const { moment, frame } = held;
  const threshold = thresholdIn(state.options.thresholds, objectClass);
  const alive = state.tracks[objectClass].filter((track) => isAlive(track, moment));
  const found: readonly Trackable[] = frame.detections
    .filter((detection) => detection.objectClass === objectClass)
    .map((detection) => toScenePx(detection, moment));
  const { wraps, width } = state.options;
  const limits = { threshold, turnPx: wraps && width };
  const own = { threshold, largePx: minLargePx(state.options) };
  const { matches, unmatched } = associate(alive, found, moment, limits);
  for (const match of matches) continueTrack(match, moment);
  const started = unmatched.map((detection) => startTrack(detection, moment, own));
  const known = limitTentative([...state.tracks[objectClass], ...started], TENTATIVE.max);
  for (const track of known) if (track.confidentHits > 0) track.id ??= state.nextId++;
  const tracks = joinEarlier(known, state.options);
  state.tracks[objectClass] = tracks;
  const confirmed = tracks.filter(isConfirmed);
  for (const seen of seenFrames([held])) updateTemplates(alive.filter(isConfirmed), confirmed, seen);
};

/** Matches templates backwards before a frame is returned: objects that are detected later may be in it. */
const searchBackwards = ({ tracks, window }: State, held: HeldFrame): void => {
  const later = OBJECT_CLASSES.flatMap((objectClass) => tracks[objectClass])
    .filter(isConfirmed)
    .filter((track) => track.scene === held.moment.scene)
    .filter((track) => firstHit(track).moment.position > held.moment.position);
  if (later.length === 0) return;
  const frames = seenFrames([held, ...window]);
  for (const track of later) matchBackwards(track, frames);
};

const emitFirst = (state: State): TrackedFrame[] => {
  const held = state.window.shift();
  if (!held) return [];
  const { index, timestampUs, durationUs } = held.frame;
  searchBackwards(state, held);
  const detections = OBJECT_CLASSES.flatMap((objectClass) =>
    state.tracks[objectClass].filter(isConfirmed).flatMap((track) => {
      const place = placeInFrame(track, held.moment, state.options);
      return place ? [{ ...place.detection, trackId: track.id, origin: place.origin }] : [];
    }),
  );
  for (const objectClass of OBJECT_CLASSES) {
    state.tracks[objectClass] = pruneTracks(state.tracks[objectClass], held.moment);
  }
  return [{ index, timestampUs, durationUs, detections }];
};

/** Whether no later frame can change the oldest frame held back. */
const isSettled = ({ window, options }: State): boolean => {
  const first = window[0]?.moment;
  const last = window.at(-1)?.moment;
  if (!first || !last) return false;
  return (
    first.scene !== last.scene ||
    window.length > (options.maxWindowFrames ?? MAX_WINDOW_FRAMES) ||
    !isWithin(first, last, TRACKING.aheadSeconds)
  );
};

const emitSettled = (state: State): TrackedFrame[] => {
  const settled: TrackedFrame[] = [];
  while (isSettled(state)) settled.push(...emitFirst(state));
  return settled;
};

/**
 * Follows objects from frame to frame, so that they are also hidden in frames without a detection.
 *
 * Frames are returned in order, delayed by a window of time, so that an object is also hidden before its first hit. A
 * detection above the client's threshold is always covered. Memory is bounded by the window, whatever the length of the
 * video; each class is tracked by itself, and a camera cut ends all tracks.
 */
export const createTracker = (options: TrackerOptions): Tracker => {
  const state: State = {
    options,
    tracks: perClass(() => []),
    window: [],
    nextId: 0,
    latest: undefined,
    camera: STILL,
  };
  return {
    predict: () => predictionOf(state),
    push: (frame) => {
      const moment = takeMoment(state, frame);
      state.latest = { moment, signature: frame.signature };
      const held: HeldFrame = { frame, moment };
      state.window.push(held);
      for (const objectClass of OBJECT_CLASSES) followClass(state, objectClass, held);
      return emitSettled(state);
    },
    finish: () => {
      const rest: TrackedFrame[] = [];
      while (state.window.length > 0) rest.push(...emitFirst(state));
      return rest;
    },
  };
};
