import type { VideoFrame } from '../../ports/video';
import type { ShownFrames, TimeRange, VideoEdits } from '../../domain/video-edits';

/** The time at which a frame is shown. */
type FrameTime = Pick<VideoFrame, 'timestampUs' | 'durationUs'>;

/** Tolerance for players, whose times differ a little from a frame's own. */
export const TOLERANCE_US = 1_000;

/** Whether a frame lies completely in the range: a track that is visible in the range must be hidden outside of it. */
export const isWithin = ({ timestampUs, durationUs }: FrameTime, { fromUs, untilUs }: TimeRange): boolean =>
  timestampUs >= fromUs - TOLERANCE_US && timestampUs + durationUs <= untilUs + TOLERANCE_US;

/** Whether a frame begins in the range. */
export const beginsIn = (
  { timestampUs }: Pick<FrameTime, 'timestampUs'>,
  { fromUs, untilUs }: TimeRange,
): boolean => timestampUs >= fromUs - TOLERANCE_US && timestampUs < untilUs - TOLERANCE_US;

/** Whether the range ended before the previous frame began: a player may be wrong by one frame. */
export const isBehind = ({ timestampUs, durationUs }: FrameTime, { untilUs }: TimeRange): boolean =>
  timestampUs - durationUs > untilUs;

/** Whether the frame, or one of its neighbours, overlaps the range. */
export const isNear = (frame: FrameTime, range: TimeRange): boolean =>
  frame.timestampUs + 2 * frame.durationUs > range.fromUs && !isBehind(frame, range);

/** Whether a track is visible in a frame. In doubt it is hidden. */
export const isShown = (
  { visibleTracks, ranges = [] }: Pick<VideoEdits, 'visibleTracks' | 'ranges'>,
  trackId: number,
  frame: FrameTime,
): boolean => {
  const own = ranges.filter((range) => range.trackId === trackId);
  return visibleTracks.includes(trackId)
    ? !own.some((range) => isNear(frame, range))
    : own.some((range) => isWithin(frame, range));
};

/** Records in which frames tracks are visible. */
interface ShownLog {
  /** @param frame frames in order */
  add(frame: Pick<VideoFrame, 'index'> & FrameTime): void;
  shown(): readonly ShownFrames[];
}

export const logShown = (edits: Pick<VideoEdits, 'visibleTracks' | 'ranges'>): ShownLog => {
  const tracks = new Set([...edits.visibleTracks, ...(edits.ranges ?? []).map(({ trackId }) => trackId)]);
  const all: ShownFrames[] = [];
  const open = new Map<number, ShownFrames>();
  return {
    add: (frame) => {
      for (const trackId of tracks) {
        const run = open.get(trackId);
        if (isShown(edits, trackId, frame)) {
          open.set(trackId, { trackId, firstFrame: run?.firstFrame ?? frame.index, lastFrame: frame.index });
        } else if (run) {
          all.push(run);
          open.delete(trackId);
        }
      }
    },
    shown: () => [...all, ...open.values()],
  };
};
