import type { VideoFrame } from '../../ports/video';
import {
  changesRendering,
  changesOnlyRendering,
  isVisible,
  type EditedPart,
  type ObjectEdit,
} from '../../domain/edits/edits';
import { US_PER_SECOND, type TimeRange } from '../../domain/plan';

/** The time at which a frame is shown. */
type FrameTime = Pick<VideoFrame, 'timestampUs' | 'durationUs'>;

/** Tolerance for players, whose times differ a little from a frame's own. */
export const TOLERANCE_US = 1_000;

/** Seconds of edits in whole µs, exact for all times that the contract accepts. */
export const toUs = (seconds: number): number => Math.round(seconds * US_PER_SECOND);

/** The range of an edit; undefined: all of the video. */
export const rangeOf = ({ start, end }: EditedPart): TimeRange | undefined =>
  start === undefined && end === undefined
    ? undefined
    : { fromUs: toUs(start ?? -Infinity), untilUs: toUs(end ?? Infinity) };

/** Whether a frame lies completely in the range: a track that is visible in the range must be hidden outside of it. */
export const isWithin = ({ timestampUs, durationUs }: FrameTime, { fromUs, untilUs }: TimeRange): boolean =>
  timestampUs >= fromUs - TOLERANCE_US && timestampUs + durationUs <= untilUs + TOLERANCE_US;

/** Whether a frame begins in the range. */
const beginsIn = ({ timestampUs }: Pick<FrameTime, 'timestampUs'>, { fromUs, untilUs }: TimeRange): boolean =>
  timestampUs >= fromUs - TOLERANCE_US && timestampUs < untilUs - TOLERANCE_US;

/** Whether the range ended before the previous frame began: a player may be wrong by one frame. */
export const isBehind = ({ timestampUs, durationUs }: FrameTime, { untilUs }: TimeRange): boolean =>
  Math.round(timestampUs - durationUs) > untilUs;

/** Whether the frame, or one of its neighbours, overlaps the range. */
export const isNear = (frame: FrameTime, range: TimeRange): boolean =>
  Math.round(frame.timestampUs + 2 * frame.durationUs) > range.fromUs && !isBehind(frame, range);

/**
 * Whether a track is visible in a frame. In doubt it is hidden. With a range, it is visible either only in the range, or
 * everywhere else.
 */
export const isShown = (edit: ObjectEdit, frame: FrameTime): boolean => {
  const range = changesOnlyRendering(edit) ? undefined : rangeOf(edit);
  if (isVisible(edit)) return !range || isWithin(frame, range);
  return range !== undefined && !isNear(frame, range);
};

/** Whether a track with these edits is hidden in some frames, whoever it shows. */
export const isKeptHidden = (edit: ObjectEdit): boolean => !isVisible(edit) || rangeOf(edit) !== undefined;

/** Whether edits say how a track is hidden: then it is hidden whatever its class and score are. */
export const isConfirmed = (edit: ObjectEdit): boolean => changesRendering(edit) && isKeptHidden(edit);

/** Whether edits say how a track is hidden in a frame. @param frame its duration is not needed */
export const changesRenderingIn = (edit: ObjectEdit, frame: Pick<FrameTime, 'timestampUs'>): boolean => {
  const range = changesOnlyRendering(edit) ? rangeOf(edit) : undefined;
  return isConfirmed(edit) && (!range || beginsIn(frame, range));
};
