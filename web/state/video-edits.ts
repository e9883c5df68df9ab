import type { DrawnBox, TimeRange, VideoEdits } from '#shared/domain/video-edits';
import { sameShown } from './settings';

/** No edits. */
export const NO_VIDEO_EDITS: VideoEdits = { visibleTracks: [], drawn: [] };

const sortedRanges = ({ ranges = [] }: VideoEdits) => ranges.toSorted((a, b) => a.trackId - b.trackId);

/** Tracks that a person keeps hidden are hidden even if they show the person who stays visible. */
const sameShownTracks = (a: VideoEdits, b: VideoEdits): boolean =>
  sameShown(a, b) &&
  (a.show === undefined || JSON.stringify(a.decidedTracks ?? []) === JSON.stringify(b.decidedTracks ?? []));

/** Whether two edits hide the same objects, in any order. */
export const sameVideoEdits = (a: VideoEdits, b: VideoEdits): boolean =>
  a === b ||
  (a.visibleTracks.length === b.visibleTracks.length &&
    a.visibleTracks.every((track) => b.visibleTracks.includes(track)) &&
    JSON.stringify(sortedRanges(a)) === JSON.stringify(sortedRanges(b)) &&
    JSON.stringify(a.drawn) === JSON.stringify(b.drawn) &&
    JSON.stringify(a.muted ?? []) === JSON.stringify(b.muted ?? []) &&
    (a.mutesAudio ?? false) === (b.mutesAudio ?? false) &&
    sameShownTracks(a, b));

/** The edits of a video, with the person who stays visible. */
export const withShown = (edits: VideoEdits, { show }: { readonly show?: string }): VideoEdits =>
  show === undefined ? edits : { ...edits, show };

/** Whether a user can make the object visible. Detections without tracking have no identity. */
export const isTrack = ({ id }: { readonly id: number }): boolean => id >= 0;

export const withTrack = (edits: VideoEdits, track: number, isHidden: boolean): VideoEdits => ({
  ...edits,
  visibleTracks: [...edits.visibleTracks.filter((one) => one !== track), ...(isHidden ? [] : [track])],
});

/** The time range in which a track is hidden or visible against its default. */
export const rangeOf = ({ ranges = [] }: VideoEdits, track: number): TimeRange | undefined =>
  ranges.find(({ trackId }) => trackId === track);

/** @param range undefined: the same for the whole video */
export const withRange = (edits: VideoEdits, track: number, range: TimeRange | undefined): VideoEdits => {
  const others = (edits.ranges ?? []).filter(({ trackId }) => trackId !== track);
  return { ...edits, ranges: range ? [...others, { ...range, trackId: track }] : others };
};

/** Whether an object is kept visible, always or for a time range. */
export const hasTrackEdits = ({ visibleTracks, ranges = [] }: VideoEdits): boolean =>
  visibleTracks.length + ranges.length > 0;

/** @param range extended to the time at which the box was drawn; undefined: as long as tracking follows the object */
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
 * Edits that remain valid after a new detection. Tracks get new numbers, and an old number may belong to another
 * person, who must not become visible. Drawn boxes stay hidden, and muted parts stay silent.
 */
export const keptEdits = ({ drawn, muted }: VideoEdits): VideoEdits => ({
  ...NO_VIDEO_EDITS,
  drawn,
  ...(muted && { muted }),
});
