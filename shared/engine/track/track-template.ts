import {
  type BoxTemplateMatch,
  cutBoxTemplate,
  expectedBox,
  matchBoxTemplate,
  reachOf,
  refreshBoxTemplate,
} from './box-template';
import { boxArea, moveBox } from '../../domain/boxes';
import type { LumaRaster, Raster } from '../../domain/raster';
import { correctMotion, predictMotion, type BoxMotion } from './kalman';
import { atTemplate } from './track-corners';
import { TEMPLATE_TRACKING, TRACKING } from './track-limits';
import { motionBefore } from './track-path';
import {
  type Moment,
  type Observation,
  type TemplateTrack,
  type Track,
  toFramePx,
  secondsBetween,
  lastHit,
  firstHit,
  coastingShare,
} from './track-model';

/** A frame with its decoded pixels, before redaction. */
export interface SeenFrame {
  readonly moment: Moment;
  /** Valid until those of another frame are read. */
  readonly pixels: () => Raster | LumaRaster;
}

const beginTemplate = (
  { pixels, moment }: SeenFrame,
  { detection }: Observation,
): TemplateTrack | undefined => {
  const template = cutBoxTemplate(pixels(), toFramePx(detection, moment).box, TEMPLATE_TRACKING);
  return template && { template, since: moment };
};

const isInReach = (track: Track, { since }: TemplateTrack, at: Moment, seconds: number): boolean =>
  secondsBetween(since, at) <= seconds * coastingShare(track);

/** A match in a frame, with the motion predicted for it. */
interface FrameMatch extends BoxTemplateMatch {
  readonly motion: BoxMotion;
}

/** Matches the template in a frame. @param motion predicted for the frame. @param near the nearest observation */
const matchAt = (
  { pixels, moment: { camera } }: SeenFrame,
  { template }: TemplateTrack,
  motion: BoxMotion,
  near: Observation,
): FrameMatch | undefined => {
  const expected = expectedBox(motion, near.detection.box);
  const inFrame = moveBox(expected, -camera.x, -camera.y);
  const found = matchBoxTemplate(pixels(), template, inFrame, reachOf(motion, expected, true));
  if (found.score < TEMPLATE_TRACKING.minScore) return undefined;
  return { ...found, box: moveBox(found.box, camera.x, camera.y), motion };
};

const observe = (
  { threshold }: Track,
  near: Observation,
  { moment }: SeenFrame,
  { box, score, motion }: FrameMatch,
): Observation => {
  const { masks: _elsewhere, ...detection } = near.detection;
  return {
    moment,
    detection: { ...atTemplate(detection, box), score: threshold * TRACKING.lowScoreShare },
    motion: correctMotion(motion, box),
    likeness: score,
  };
};

/** Matches a track's template in a frame without a detection of it, from its place in the frame before. */
const matchForwards = (track: Track, frame: SeenFrame): void => {
  const { templateTrack } = track;
  if (!templateTrack || !isInReach(track, templateTrack, frame.moment, TEMPLATE_TRACKING.forwardSeconds)) {
    return;
  }
  const near = lastHit(track);
  const motion = predictMotion(near.motion, secondsBetween(near.moment, frame.moment));
  const found = matchAt(frame, templateTrack, motion, near);
  if (!found) return;
  track.templateTrack = { ...templateTrack, template: refreshBoxTemplate(templateTrack.template, found) };
  track.observations.push(observe(track, near, frame, found));
};

const isSeenIn = ({ observations }: Track, { moment }: SeenFrame): boolean =>
  observations.at(-1)?.moment.position === moment.position;

const areaOf = (track: Track): number => boxArea(lastHit(track).detection.box);

/**
 * Stores the templates of the tracks detected in a frame, and matches those of the others.
 *
 * @param alive tracks that were followed up to the frame before. @param tracks all tracks, including new ones
 */
export const updateTemplates = (
  alive: readonly Track[],
  tracks: readonly Track[],
  frame: SeenFrame,
): void => {
  const missed = alive.filter((track) => !isSeenIn(track, frame)).sort((a, b) => areaOf(b) - areaOf(a));
  for (const track of tracks) {
    if (isSeenIn(track, frame)) {
      track.templateTrack = beginTemplate(frame, lastHit(track));
    }
  }
  for (const track of missed.slice(0, TEMPLATE_TRACKING.maxPerFrame)) matchForwards(track, frame);
};

/**
 * Matches a track's template in the frames before its first hit, the latest of them first.
 *
 * A later call continues where the coasting time had ended: further hits may have extended it.
 *
 * @param frames in the order of time
 */
export const matchBackwards = (track: Track, frames: readonly SeenFrame[]): void => {
  for (const frame of frames.toReversed()) {
    const near = firstHit(track);
    if (frame.moment.position === near.moment.position) {
      track.templateBack ??= beginTemplate(frame, near) ?? 'lost';
    }
    if (frame.moment.position >= near.moment.position) continue;
    const templateTrack = track.templateBack;
    if (frame.moment.scene !== track.scene || !templateTrack || templateTrack === 'lost') return;
    if (!isInReach(track, templateTrack, frame.moment, TEMPLATE_TRACKING.backSeconds)) return;
    const motion = predictMotion(motionBefore(track), secondsBetween(near.moment, frame.moment));
    const found = matchAt(frame, templateTrack, motion, near);
    if (!found) {
      track.templateBack = 'lost';
      return;
    }
    track.templateBack = { ...templateTrack, template: refreshBoxTemplate(templateTrack.template, found) };
    track.observations.unshift(observe(track, near, frame, found));
  }
};
