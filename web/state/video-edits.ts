import type { DrawnBox, VideoEdits } from '#shared/pipeline/video-edits';

/** The video as it was found. */
export const NO_VIDEO_EDITS: VideoEdits = { visibleTracks: [], drawn: [] };

/** The same hidden things, in whatever order they were chosen. */
export const sameVideoEdits = (a: VideoEdits, b: VideoEdits): boolean =>
  a === b ||
  (a.visibleTracks.length === b.visibleTracks.length &&
    a.visibleTracks.every((track) => b.visibleTracks.includes(track)) &&
    JSON.stringify(a.drawn) === JSON.stringify(b.drawn));

/** Whether a person can say of it that it should be seen: what was found without tracking has no name. */
export const isTrack = ({ id }: { readonly id: number }): boolean => id >= 0;

export const withTrack = (edits: VideoEdits, track: number, isHidden: boolean): VideoEdits => ({
  ...edits,
  visibleTracks: [...edits.visibleTracks.filter((one) => one !== track), ...(isHidden ? [] : [track])],
});

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
export const carriedEdits = ({ drawn }: VideoEdits): VideoEdits => ({ ...NO_VIDEO_EDITS, drawn });
