import { STILL } from '../motion/camera-motion';
import type { VideoFrame } from '../../ports/video';
import type { Box } from '../../domain/boxes';
import { isBehind, isNear, TOLERANCE_US } from './edit-range';
import { followBox, type BoxFollower } from '../track/follow-box';
import { isSceneCut, signFrame, type FrameSignature } from '../motion/scene-cut';
import type { Moment } from '../track/track-model';
import type { DrawnBox, FollowedBox } from '../../domain/video-edits';
import { US_PER_SECOND } from '../../domain/time-units';

/** Where a drawn area is hidden in a frame. */
export interface DrawnPlace {
  readonly drawn: DrawnBox;
  /** The box to hide, with a margin for the uncertainty of tracking. */
  readonly box: Box;
  /** The last place at which its content was recognised, without a margin. */
  readonly seen: Box;
}

/** Follows the areas that a user drew, frame by frame. */
export interface DrawnFollower {
  /** Takes the next frame. @param isLast whether it is the last one. @returns the places to hide in it */
  step(frame: VideoFrame, isLast: boolean): readonly DrawnPlace[];
  /** The time ranges in which the boxes were followed, in the order of the boxes. */
  followed(): readonly FollowedBox[];
}

interface Following {
  readonly drawn: DrawnBox;
  follower: BoxFollower | undefined;
  /** The last hidden place. */
  box: Box;
  reported: FollowedBox | undefined;
}

const endOf = ({ timestampUs, durationUs }: VideoFrame): number => timestampUs + durationUs;

/** Whether the box was drawn on this frame. At a time after the end of the video players show the last frame. */
const isDrawnOn = ({ timeUs }: DrawnBox, frame: VideoFrame, isLast: boolean): boolean =>
  isLast || endOf(frame) > timeUs + TOLERANCE_US;

/** Whether it is the frame before the one drawn on, which is hidden too: a player may be wrong by one frame. */
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

/** Hides the box in a frame, and records the time. */
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

/** Follows the box into the next frame. A lost box stays hidden at its last place if the user has set an end. */
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
      return all.flatMap((one): readonly DrawnPlace[] => {
        const box = place(one, frame, moment, isLast);
        const { drawn, follower } = one;
        return box ? [{ drawn, box, seen: follower?.matchedBox() ?? drawn.box }] : [];
      });
    },
    followed: () => all.flatMap(({ reported }) => reported ?? []),
  };
};
