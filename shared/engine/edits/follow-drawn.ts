import { STILL } from '../motion/camera-motion';
import type { VideoFrame } from '../../ports/video';
import type { Box } from '../../domain/boxes';
import { isBehind, isNear, rangeOf, TOLERANCE_US, toUs } from './edit-range';
import { followBox, type BoxFollower } from '../track/follow-box';
import { isSceneCut, signFrame, type FrameSignature } from '../motion/scene-cut';
import type { Moment } from '../track/track-model';
import { type AreaEdit, type FollowedArea, drawnShapeBounds } from '../../domain/edits/edits';
import { type TimeRange, US_PER_SECOND } from '../../domain/plan';

/** Where a drawn area is hidden in a frame. */
export interface DrawnPlace {
  readonly area: AreaEdit;
  /** The box to hide, with a margin for the uncertainty of tracking. */
  readonly box: Box;
  /** The last place at which its content was recognised, without a margin. */
  readonly seen: Box;
}

interface Following {
  readonly index: number;
  readonly area: AreaEdit;
  /** Bounds of the area where it was drawn. */
  readonly drawn: Box;
  readonly atUs: number;
  /** Includes the moment at which it was drawn. */
  readonly range: TimeRange | undefined;
  follower: BoxFollower | undefined;
  /** The last hidden place. */
  box: Box;
  reported: FollowedArea | undefined;
}

const endOf = ({ timestampUs, durationUs }: VideoFrame): number => timestampUs + durationUs;

/** Whether the box was drawn on this frame. At a time after the end of the video players show the last frame. */
const isDrawnOn = ({ atUs }: Following, frame: VideoFrame, isLast: boolean): boolean =>
  isLast || endOf(frame) > atUs + TOLERANCE_US;

/** Whether it is the frame before the one drawn on, which is hidden too: a player may be wrong by one frame. */
const isRightBefore = ({ atUs }: Following, frame: VideoFrame): boolean =>
  Math.round(endOf(frame) + frame.durationUs) > atUs;

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
  const until = endOf(frame) / US_PER_SECOND;
  const { from, seen_until } = one.reported ?? { from: frame.timestampUs / US_PER_SECOND, seen_until: until };
  one.reported = { area: one.index, from, seen_until: isSeen ? until : seen_until, until };
  one.box = box;
  return box;
};

const begin = (one: Following, frame: VideoFrame, moment: Moment): Box => {
  one.follower = followBox(frame.raster, one.drawn, moment);
  return hide(one, frame, one.drawn, true);
};

/** Follows the box into the next frame. A lost box stays hidden at its last place if the user has set an end. */
const continueFollowing = (
  one: Following,
  follower: BoxFollower,
  frame: VideoFrame,
  moment: Moment,
): Box | undefined => {
  const box = follower.step(frame.raster, moment) ?? (one.range && one.box);
  return box && hide(one, frame, box, follower.isMatched());
};

const place = (one: Following, frame: VideoFrame, moment: Moment, isLast: boolean): Box | undefined => {
  const { drawn, follower, range } = one;
  // Before the range is asked: the first frame of a video may begin after a range that ends at the moment of drawing.
  if (!follower && isDrawnOn(one, frame, isLast)) return begin(one, frame, moment);
  if (range && isBehind(frame, range)) return undefined;
  if (follower) return continueFollowing(one, follower, frame, moment);
  if (range && isNear(frame, range)) return hide(one, frame, drawn, true);
  return isRightBefore(one, frame) ? drawn : undefined;
};

const following = (area: AreaEdit, index: number): Following => {
  const drawn = drawnShapeBounds(area);
  const atUs = toUs(area.at ?? 0);
  const given = rangeOf(area);
  const range = given && {
    fromUs: Math.min(given.fromUs, atUs),
    untilUs: Math.max(given.untilUs, atUs),
  };
  return { index, area, drawn, atUs, range, follower: undefined, box: drawn, reported: undefined };
};

/**
 * Follows drawn areas through a video, each from its frame on. Frames must not be redacted yet.
 *
 * @param wraps whether the frames are panoramas, in which an area goes on at the other edge
 */
export const followDrawn = (areas: readonly AreaEdit[] = [], wraps = false) => {
  const all = areas.map(following).filter(({ area }) => area.hidden !== false);
  const momentOf = momentsOf();
  return {
    /** Takes the next frame. @param isLast whether it is the last one. @returns the places to hide in it */
    step: (shown: VideoFrame, isLast: boolean): readonly DrawnPlace[] => {
      if (all.length === 0) return [];
      const moment = momentOf(shown);
      const frame = wraps ? { ...shown, raster: { ...shown.raster, wraps } } : shown;
      return all.flatMap((one): readonly DrawnPlace[] => {
        const box = place(one, frame, moment, isLast);
        const { area, drawn, follower } = one;
        return box ? [{ area, box, seen: follower?.matchedBox() ?? drawn }] : [];
      });
    },
    /** The time ranges in which the areas were followed, in the order of the areas. */
    followed: (): readonly FollowedArea[] => all.flatMap(({ reported }) => reported ?? []),
  };
};
