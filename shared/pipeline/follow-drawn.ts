import type { VideoFrame } from '../ports/video';
import type { Box } from './boxes';
import { followBox, type BoxFollower } from './follow-box';
import { isSceneCut, signFrame, type FrameSignature } from './scene-cut';
import type { Moment } from './track-model';
import type { DrawnBox, FollowedBox } from './video-edits';

/** Says, frame by frame and in order, where the boxes are that a user drew. */
export interface DrawnFollower {
  /** @param isLast no frame comes after it. @returns what is to be hidden in it */
  step(frame: VideoFrame, isLast: boolean): readonly Box[];
  /** What became of the boxes, in their order. */
  followed(): readonly FollowedBox[];
}

interface Following {
  readonly drawn: DrawnBox;
  follower: BoxFollower | undefined;
  told: FollowedBox | undefined;
}

/** Players tell times that are a little off a frame's own. */
const TOLERANCE_US = 1_000;

const endOf = ({ timestampUs, durationUs }: VideoFrame): number => timestampUs + durationUs;

/** Whether the box was drawn on this frame. A moment behind the last frame's end still shows the last frame. */
const isDrawnOn = ({ timeUs }: DrawnBox, frame: VideoFrame, isLast: boolean): boolean =>
  isLast || endOf(frame) > timeUs + TOLERANCE_US;

/** The frame before is hidden in the same place: a player may be off by one. */
const isRightBefore = ({ timeUs }: DrawnBox, frame: VideoFrame): boolean =>
  endOf(frame) + frame.durationUs > timeUs;

const momentsOf = (): ((frame: VideoFrame) => Moment) => {
  let last: { readonly moment: Moment; readonly signature: FrameSignature } | undefined;
  return ({ raster, timestampUs }) => {
    const signature = signFrame(raster);
    const { position, scene } = last?.moment ?? { position: -1, scene: 0 };
    const isCut = last !== undefined && isSceneCut(last.signature, signature);
    const moment = { position: position + 1, seconds: timestampUs / 1e6, scene: isCut ? scene + 1 : scene };
    last = { moment, signature };
    return moment;
  };
};

const begin = (one: Following, frame: VideoFrame, moment: Moment): Box => {
  const { id, box } = one.drawn;
  one.follower = followBox(frame.raster, box, moment);
  one.told = { id, fromUs: frame.timestampUs, seenUntilUs: endOf(frame), untilUs: endOf(frame) };
  return box;
};

const goOn = (one: Following, follower: BoxFollower, frame: VideoFrame, moment: Moment): Box | undefined => {
  const box = follower.step(frame.raster, moment);
  if (!box || !one.told) return undefined;
  const untilUs = endOf(frame);
  one.told = { ...one.told, untilUs, ...(follower.isSeen() ? { seenUntilUs: untilUs } : {}) };
  return box;
};

const place = (one: Following, frame: VideoFrame, moment: Moment, isLast: boolean): Box | undefined => {
  if (one.follower) return goOn(one, one.follower, frame, moment);
  if (isDrawnOn(one.drawn, frame, isLast)) return begin(one, frame, moment);
  return isRightBefore(one.drawn, frame) ? one.drawn.box : undefined;
};

/** Follows drawn boxes through a video, each from its frame on. Frames have to come before anything in them is hidden. */
export const followDrawn = (boxes: readonly DrawnBox[]): DrawnFollower => {
  const all: Following[] = boxes.map((drawn) => ({ drawn, follower: undefined, told: undefined }));
  const momentOf = momentsOf();
  return {
    step: (frame, isLast) => {
      if (all.length === 0) return [];
      const moment = momentOf(frame);
      return all.flatMap((one) => place(one, frame, moment, isLast) ?? []);
    },
    followed: () => all.flatMap(({ told }) => told ?? []),
  };
};
