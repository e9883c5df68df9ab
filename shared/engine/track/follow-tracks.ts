import type { FrameHolding, VideoFrame } from '../../ports/video';
import { describeAppearance } from '../motion/appearance';
import { shiftBetween, STILL, viewFrame, type CameraView, type Shift } from '../motion/camera-motion';
import type { Detection, Expected } from '../../domain/detection';
import { type Size, RGBA } from '../../domain/raster';
import type { ClassThresholds } from '../../domain/options';
import { signFrame } from '../motion/scene-cut';
import { createTracker, type Prediction } from './track';
import type { Trackable } from './track-association';
import type { FrameSize } from './track-path';
import { MAX_WINDOW_FRAMES } from './track-limits';

export interface FollowedDetection extends Detection {
  /** Absent without tracking. */
  readonly trackId?: number;
}

/** A frame with all objects to hide in it. */
export interface FollowedFrame {
  readonly index: number;
  readonly detections: readonly FollowedDetection[];
}

/**
 * Decides the objects to hide in each frame, in order. Frames are returned with a delay, because later detections also
 * apply to earlier frames.
 */
export interface Follower {
  /** Predicts where the current tracks are in later frames. */
  predict(): Prediction;
  /** Predicts where they are in the frame that is pushed next. */
  expect(frame: VideoFrame): readonly Expected[];
  /** @returns the frames that are settled now */
  push(frame: VideoFrame, detections: readonly Detection[]): readonly FollowedFrame[];
  /** @returns all frames still held back */
  finish(): readonly FollowedFrame[];
}

/** Memory for frames that are held back: the larger the frames, the fewer, but at least the minimum. */
export interface HeldMemory {
  readonly maxBytes: number;
  readonly bytesPerPx: number;
}

const DECODED: HeldMemory = { maxBytes: 384 * 1024 ** 2, bytesPerPx: RGBA };
const MIN_HELD_FRAMES = 4;

export const maxHeldFrames = ({ width, height }: Size, { maxBytes, bytesPerPx } = DECODED): number => {
  const frames = Math.floor(maxBytes / (width * height * bytesPerPx));
  return Math.max(MIN_HELD_FRAMES, Math.min(MAX_WINDOW_FRAMES, frames));
};

/** Measures the camera's motion since the frame before, for frames in order. */
const createCameraMeter = (): ((frame: VideoFrame) => Shift) => {
  let seen: { readonly index: number; readonly view: CameraView; readonly shift: Shift } | undefined;
  return ({ index, raster }) => {
    if (seen?.index === index) return seen.shift;
    const view = viewFrame(raster);
    const shift = seen ? shiftBetween(seen.view, view) : STILL;
    seen = { index, view, shift };
    return shift;
  };
};

const withAppearances = (detections: readonly Detection[], { raster }: VideoFrame): Trackable[] =>
  detections.map((detection) => ({ ...detection, appearance: describeAppearance(raster, detection.box) }));

/** @param maxWindowFrames see `TrackerOptions`. @param pixelsOf the pixels of a frame that is held back */
export const followTracks = (
  thresholds: ClassThresholds,
  { width, height, wraps }: FrameSize,
  maxWindowFrames: number,
  pixelsOf: FrameHolding['pixelsOf'] = ({ raster }) => raster,
): Follower => {
  const size = { width, height, ...(wraps && { wraps }) };
  const tracker = createTracker({ ...size, thresholds, maxWindowFrames });
  const shiftOf = createCameraMeter();
  return {
    predict: () => tracker.predict(),
    expect: (frame) => tracker.predict()(frame.timestampUs, shiftOf(frame)),
    push: (frame, detections) => {
      const { index, timestampUs, durationUs } = frame;
      return tracker.push({
        index,
        timestampUs,
        durationUs,
        shift: shiftOf(frame),
        detections: withAppearances(detections, frame),
        signature: signFrame(frame.raster),
        // It is kept as long as the frame is held back, with all variables around it: none of them may be the raster.
        pixels: () => (wraps ? { ...pixelsOf(frame), wraps } : pixelsOf(frame)),
      });
    },
    finish: () => tracker.finish(),
  };
};
