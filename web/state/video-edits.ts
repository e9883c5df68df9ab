import type { DrawnBox, TimeRange, VideoEdits } from '#shared/domain/video-edits';

/** The video as it was found. */
export const NO_VIDEO_EDITS: VideoEdits = { visibleTracks: [], drawn: [] };

const sortedRanges = ({ ranges = [] }: VideoEdits) => ranges.toSorted((a, b) => a.trackId - b.trackId);

/** The same hidden things, in whatever order they were chosen. */
export const sameVideoEdits = (a: VideoEdits, b: VideoEdits): boolean =>
  a === b ||
  (a.visibleTracks.length === b.visibleTracks.length &&
    a.visibleTracks.every((track) => b.visibleTracks.includes(track)) &&
    JSON.stringify(sortedRanges(a)) === JSON.stringify(sortedRanges(b)) &&
    JSON.stringify(a.drawn) === JSON.stringify(b.drawn));

/** Whether a person can say of it that it should be seen: what was found without tracking has no name. */
export const isTrack = ({ id }: { readonly id: number }): boolean => id >= 0;

export const withTrack = (edits: VideoEdits, track: number, isHidden: boolean): VideoEdits => ({
  ...edits,
  visibleTracks: [...edits.visibleTracks.filter((one) => one !== track), ...(isHidden ? [] : [track])],
});

/** When a track is the other way round. */
export const rangeOf = ({ ranges = [] }: VideoEdits, track: number): TimeRange | undefined =>
  ranges.find(({ trackId }) => trackId === track);

/** @param range undefined: the track is the same all the time */
export const withRange = (edits: VideoEdits, track: number, range: TimeRange | undefined): VideoEdits => {
  const others = (edits.ranges ?? []).filter(({ trackId }) => trackId !== track);
  return { ...edits, ranges: range ? [...others, { ...range, trackId: track }] : others };
};

/** Whether somebody is to be seen, always or for a while. */
export const hasTrackEdits = ({ visibleTracks, ranges = [] }: VideoEdits): boolean =>
  visibleTracks.length + ranges.length > 0;

/** @param range grows to the moment at which the box was drawn; undefined: as long as it is recognised */
export const withDrawnRange = (edits: VideoEdits, id: number, range: TimeRange | undefined): VideoEdits => {
  const ranged = ({ range: _before, ...box }: DrawnBox): DrawnBox => {
    if (!range) return box;
    const fromUs = Math.min(range.fromUs, box.timeUs);
    return { ...box, range: { fromUs, untilUs: Math.max(range.untilUs, box.timeUs) } };
  };
  return { ...edits, drawn: edits.drawn.map((box) => (box.id === id ? ranged(box) : box)) };
};

export const withDrawn = (edits: VideoEdits, box: Omit<DrawnBox, 'id'>): VideoEdits => ({
  ...edits,
  drawn: [...edits.drawn, { ...box, id: Math.max(0, ...edits.drawn.map(({ id }) => id)) + 1 }],
});

export const withoutDrawn = (edits: VideoEdits, id: number): VideoEdits => ({
  ...edits,
  drawn: edits.drawn.filter((box) => box.id !== id),
});

/**
 * What is left of the edits when the video is searched anew: tracks get other numbers, and under an old one may be
 * somebody who must not be seen. What was drawn stays hidden.
 */
export const keptEdits = ({ drawn }: VideoEdits): VideoEdits => ({ ...NO_VIDEO_EDITS, drawn });
