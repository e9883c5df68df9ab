import type { FrameHolding, VideoFrame } from '../../ports/video';
import { POLES, type Detection } from '../../domain/detection';
import type { ClassThresholds } from '../../domain/options';
import type { Size } from '../../domain/raster';
import { boundsFromView, viewRenderer, viewSide, type PoleView } from '../pixels/pole-view';
import { followTracks, type FollowedDetection, type FollowedFrame, type Follower } from './follow-tracks';

/** Follows the objects at one pole of a panorama, in the frames of its view: there a step over the pole is a step. */
const followPole = (thresholds: ClassThresholds, view: PoleView, maxWindowFrames: number): Follower => {
  const side = viewSide(view.size);
  const follower = followTracks(thresholds, { width: side, height: side }, maxWindowFrames);
  const render = viewRenderer(view);
  const toPanorama = (frames: readonly FollowedFrame[]): FollowedFrame[] =>
    frames.map(({ index, detections }) => ({
      index,
      detections: detections.map((one) => ({
        ...one,
        box: boundsFromView(view, one.box),
        atPole: { pole: view.pole, box: one.box },
      })),
    }));
  return {
    ...follower,
    push: (frame, detections) => {
      const inView = detections.flatMap(({ atPole, ...one }): Detection[] =>
        atPole?.pole === view.pole ? [{ ...one, box: atPole.box }] : [],
      );
      return toPanorama(follower.push({ ...frame, raster: render(frame.raster) }, inView));
    },
    finish: () => toPanorama(follower.finish()),
  };
};

/** Joins the frames of followers that settle them at different times. */
const createJoiner = (followers: number) => {
  const settled = Array.from({ length: followers }, (): FollowedFrame[] => []);
  return {
    add: (follower: number, frames: readonly FollowedFrame[]): void =>
      void settled[follower]?.push(...frames),
    /** The frames that all followers have settled. */
    take: (): FollowedFrame[] => {
      const count = Math.min(...settled.map(({ length }) => length));
      const [first = [], ...others] = settled.map((frames) => frames.splice(0, count));
      return first.map(({ index, detections }, i) => ({
        index,
        detections: [detections, ...others.map((frames) => frames[i]?.detections ?? [])].flatMap(
          // One number for each track: those of the followers take turns.
          (ofFollower, number): FollowedDetection[] =>
            ofFollower.map(({ trackId = 0, ...one }) => ({ ...one, trackId: trackId * followers + number })),
        ),
      }));
    },
  };
};

/**
 * Follows objects around a panorama: one that crosses the seam is one track, and those at the poles are followed in the
 * views of the poles. One that walks from a pole to the horizon becomes another track there.
 */
export const followSphere = (
  thresholds: ClassThresholds,
  size: Size,
  maxWindowFrames: number,
  pixelsOf?: FrameHolding['pixelsOf'],
): Follower => {
  const around = followTracks(thresholds, { ...size, wraps: true }, maxWindowFrames, pixelsOf);
  const atPoles = POLES.map((pole) => followPole(thresholds, { pole, size }, maxWindowFrames));
  const joiner = createJoiner(1 + atPoles.length);
  const push = (frame: VideoFrame, detections: readonly Detection[]): FollowedFrame[] => {
    const others = detections.filter((one) => !one.atPole);
    joiner.add(0, around.push(frame, others));
    atPoles.forEach((follower, i) => joiner.add(1 + i, follower.push(frame, detections)));
    return joiner.take();
  };
  return {
    predict: () => around.predict(),
    expect: (frame) => around.expect(frame),
    push,
    finish: () => {
      [around, ...atPoles].forEach((follower, i) => joiner.add(i, follower.finish()));
      return joiner.take();
    },
  };
};
