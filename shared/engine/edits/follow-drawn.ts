import { STILL } from '../motion/camera-motion';
import type { VideoFrame } from '../../ports/video';
import type { Box } from '../../domain/boxes';
import { isBehind, isNear, TOLERANCE_US } from './edit-range';
import { followBox, type BoxFollower } from '../track/follow-box';
import { isSceneCut, signFrame, type FrameSignature } from '../motion/scene-cut';
import type { Moment } from '../track/track-model';
import type { DrawnBox, FollowedBox } from '../../domain/video-edits';
import { US_PER_SECOND } from '../../domain/time-units';

/** Returns, frame by frame and in order, where the boxes are that a user drew. */
export interface DrawnFollower {
  /** @param isLast no frame comes after it. @returns the boxes to hide in it */
  step(frame: VideoFrame, isLast: boolean): readonly Box[];
  /** How the boxes were followed, in their order. */
  followed(): readonly FollowedBox[];
}

interface Following {
  readonly drawn: DrawnBox;
  follower: BoxFollower | undefined;
  /** Where it was hidden last. */
  box: Box;
  reported: FollowedBox | undefined;
}

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
    const moment: Moment = {
      position: position + 1,
      seconds: timestampUs / US_PER_SECOND,
      scene: isCut ? scene + 1 : scene,
      camera: STILL,
    };
    last = { moment, signature };
    return moment;
  };
};

/** Hides it in a frame, and records that. */
const hide = (one: Following, frame: VideoFrame, box: Box, isSeen: boolean): Box => {
  const untilUs = endOf(frame);
  const { fromUs, seenUntilUs } = one.reported ?? { fromUs: frame.timestampUs, seenUntilUs: untilUs };
  one.reported = { id: one.drawn.id, fromUs, seenUntilUs: isSeen ? untilUs : seenUntilUs, untilUs };
  one.box = box;
  return box;
};

const begin = (one: Following, frame: VideoFrame, moment: Moment): Box => {
  const { box } = one.drawn;
  one.follower = followBox(frame.raster, box, moment);
  return hide(one, frame, box, true);
};

/** A lost box stays hidden at its last place, if a person set an end. */
const continueFollowing = (
  one: Following,
  follower: BoxFollower,
  frame: VideoFrame,
  moment: Moment,
): Box | undefined => {
  const box = follower.step(frame.raster, moment) ?? (one.drawn.range && one.box);
  return box && hide(one, frame, box, follower.isMatched());
};

const place = (one: Following, frame: VideoFrame, moment: Moment, isLast: boolean): Box | undefined => {
  const { drawn, follower } = one;
  if (drawn.range && isBehind(frame, drawn.range)) return undefined;
  if (follower) return continueFollowing(one, follower, frame, moment);
  if (isDrawnOn(drawn, frame, isLast)) return begin(one, frame, moment);
  if (drawn.range && isNear(frame, drawn.range)) return hide(one, frame, drawn.box, true);
  return isRightBefore(drawn, frame) ? drawn.box : undefined;
};

/** Follows drawn boxes through a video, each from its frame on. Frames must not be redacted yet. */
export const followDrawn = (boxes: readonly DrawnBox[]): DrawnFollower => {
  const all: Following[] = boxes.map((drawn) => ({
    drawn,
    follower: undefined,
    box: drawn.box,
    reported: undefined,
  }));
  const momentOf = momentsOf();
  return {
    step: (frame, isLast) => {
      if (all.length === 0) return [];
      const moment = momentOf(frame);
      return all.flatMap((one) => place(one, frame, moment, isLast) ?? []);
    },
    followed: () => all.flatMap(({ reported }) => reported ?? []),
  };
};
