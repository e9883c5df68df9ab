import {
  type AreaEdit,
  type Edits,
  type ObjectEdit,
  changesOnlyRendering,
  isVisible,
} from '#shared/domain/edits/edits';
import type { Bbox } from '#shared/domain/boxes';
import type { HiddenArea } from '#shared/domain/hidden-areas';
import {
  editOf,
  nextKey,
  NO_ITEM_EDITS,
  withEdit,
  withHides,
  type AlwaysHidden,
  type ItemEdits,
} from './edit-history';
import { isSameState } from './history';
import { hasSameVisibleSubject } from './settings';

/** Edits of a video, with the settings that edits can change. */
export type VideoEdits = ItemEdits &
  Pick<Edits, 'show' | 'audio' | 'keep_metadata' | 'reasons' | 'class_reasons' | 'case'>;

/** A part of a video, in seconds; without an end, it lasts to the end of the video. */
export interface TimeRange {
  readonly start: number;
  readonly end?: number;
}

/** Shortest time of an area: `start` must be before `end`. */
const MIN_HIDDEN_S = 0.001;

/** A box on a frame of a video. */
export type DrawnBox = Pick<AreaEdit, 'at' | 'start' | 'end'> & { readonly bbox: Bbox };

export const timeRangeOf = ({ start, end }: Partial<TimeRange>): TimeRange | undefined =>
  start === undefined && end === undefined
    ? undefined
    : { start: start ?? 0, ...(end !== undefined && { end }) };

const rangeOfEdit = (edit: ObjectEdit): TimeRange | undefined =>
  changesOnlyRendering(edit) ? undefined : timeRangeOf(edit);

/** The time range in which a track is hidden or visible against its default. */
export const rangeOf = (edits: ItemEdits, track: number): TimeRange | undefined => {
  const edit = editOf(edits, track);
  return edit && rangeOfEdit(edit);
};

/** Whether a track is hidden, apart from its range. */
export const isTrackHidden = (edits: ItemEdits, track: number): boolean => {
  const edit = editOf(edits, track);
  return edit === undefined || isVisible(edit) === (rangeOfEdit(edit) !== undefined);
};

/** Whether an edit decides nothing about the frames in which a track is hidden. */
const decidesNothing = ({ hidden, deleted, start, end }: ObjectEdit): boolean =>
  (hidden ?? deleted ?? start ?? end) === undefined;

/** Whether a person decided in which frames a track is visible. */
export const isTrackDecided = (edits: ItemEdits, track: number): boolean => {
  const edit = editOf(edits, track);
  return edit !== undefined && !changesOnlyRendering(edit) && !decidesNothing(edit);
};

/** Whether edits make a track visible, always or for a time range. */
export const showsTrack = (edit: ObjectEdit): boolean => isVisible(edit) || rangeOfEdit(edit) !== undefined;

/** Whether an object is kept visible, always or for a time range. */
export const hasTrackEdits = ({ objects }: ItemEdits): boolean => objects.some(showsTrack);

const objectsThatMatter = ({ objects, show }: VideoEdits): readonly ObjectEdit[] =>
  // Tracks that a person keeps hidden are hidden even if they show the person who stays visible; else they are anyway.
  (show === undefined
    ? objects.filter((edit) => showsTrack(edit) || edit.method || edit.reason || edit.bbox || edit.type_label)
    : objects
  ).toSorted((a, b) => a.id - b.id);

const statedBy = ({ reasons = [], class_reasons = {}, case: details = {} }: VideoEdits) => [
  reasons,
  class_reasons,
  details,
];
const placesOf = ({ areas, hides = [], mute = [] }: VideoEdits) => [areas, hides, mute];

/** Whether two edits hide the same objects, in any order. */
export const sameVideoEdits = (a: VideoEdits, b: VideoEdits): boolean =>
  a === b ||
  (hasSameVisibleSubject(a, b) &&
    a.audio === b.audio &&
    (a.keep_metadata ?? false) === (b.keep_metadata ?? false) &&
    isSameState(objectsThatMatter(a), objectsThatMatter(b)) &&
    isSameState(placesOf(a), placesOf(b)) &&
    isSameState(statedBy(a), statedBy(b)));

/** The edits of a video, with the person who stays visible. */
export const withShown = (edits: ItemEdits, { show }: { readonly show?: string }): VideoEdits =>
  show === undefined ? edits : { ...edits, show };

/** The edits of a video, which say whether some fields of its metadata are kept. */
export const withKept = (
  edits: VideoEdits,
  { keepMetadata = false }: { readonly keepMetadata?: boolean },
): VideoEdits => ({ ...edits, keep_metadata: keepMetadata });

/** Whether a user can make the object visible. Detections without tracking have no identity. */
export const isTrack = ({ id }: { readonly id: number }): boolean => id >= 0;

/** What stays of an edit of a track when it is shown or hidden. */
const keptOf = ({ reason, bbox, at, type_label }: Partial<ObjectEdit>): Partial<ObjectEdit> => ({
  ...(reason !== undefined && { reason }),
  ...(bbox && { bbox }),
  ...(at !== undefined && { at }),
  ...(type_label && { type_label }),
});

/** Another edit of a track, whose reason, place and class stay. @param edit undefined: none */
const withTrackEdit = (
  edits: ItemEdits,
  track: number,
  edit: Omit<ObjectEdit, 'id'> | undefined,
): ItemEdits => {
  const kept = keptOf(editOf(edits, track) ?? {});
  return withEdit(edits, track, Object.keys(kept).length > 0 ? { ...kept, ...edit } : edit);
};

/** Gives a track another place in one frame, or another class. */
export const withTrackPlaced = (
  edits: ItemEdits,
  track: number,
  change: Pick<ObjectEdit, 'bbox' | 'at' | 'type_label'>,
): ItemEdits => {
  const { id: _its, ...before } = editOf(edits, track) ?? { id: track };
  const edit = { ...before, ...change };
  return withEdit(edits, track, Object.keys(edit).length > 0 ? edit : undefined);
};

/** @param reason undefined: as its class */
export const withTrackReason = (edits: ItemEdits, track: number, reason: string | undefined): ItemEdits => {
  const { id: _its, reason: _before, ...edit } = editOf(edits, track) ?? { id: track };
  const isEmpty = Object.keys(edit).length === 0;
  if (reason === undefined) return withEdit(edits, track, isEmpty ? undefined : edit);
  return withEdit(edits, track, { ...edit, reason });
};

/** @param range undefined: the same for the whole video */
export const withRange = (edits: ItemEdits, track: number, range: TimeRange | undefined): ItemEdits => {
  const isHidden = isTrackHidden(edits, track);
  if (!range && isHidden) return withTrackEdit(edits, track, undefined);
  return withTrackEdit(edits, track, { hidden: isHidden !== (range !== undefined), ...range });
};

/** @param isDecided whether a person has checked that the track is hidden */
export const withTrack = (
  edits: ItemEdits,
  track: number,
  isHidden: boolean,
  isDecided = false,
): ItemEdits => {
  const range = rangeOf(edits, track);
  if (isHidden && !range && !isDecided) return withTrackEdit(edits, track, undefined);
  return withTrackEdit(edits, track, { hidden: isHidden !== (range !== undefined), ...range });
};

/** @param range extended to the time at which the box was drawn; undefined: as long as tracking follows the object */
export const withDrawnRange = (edits: ItemEdits, key: number, range: TimeRange | undefined): ItemEdits => ({
  ...edits,
  areas: edits.areas.map((area) => {
    if (area.key !== key) return area;
    const { start: _start, end: _end, ...alone } = area;
    const { at = 0 } = alone;
    if (!range) return alone;
    const { start, end } = range;
    return { ...alone, start: Math.min(start, at), ...(end !== undefined && { end: Math.max(end, at) }) };
  }),
});

export const withDrawn = (edits: ItemEdits, box: DrawnBox): ItemEdits => ({
  ...edits,
  areas: [...edits.areas, { type_label: 'license-plate', shape: 'box', ...box, key: nextKey(edits) }],
});

export const withoutDrawn = (edits: ItemEdits, key: number): ItemEdits => ({
  ...edits,
  areas: edits.areas.filter((area) => area.key !== key),
});

/** Adds an area that is hidden in the whole video, whatever is there. */
export const withHidden = (edits: ItemEdits, area: HiddenArea): ItemEdits => ({
  ...edits,
  hides: [...(edits.hides ?? []), { ...area, key: nextKey(edits) }],
});

/** @param change undefined: the area is removed */
export const withHiddenChanged = (
  edits: ItemEdits,
  key: number,
  change: ((area: AlwaysHidden) => AlwaysHidden) | undefined,
): ItemEdits =>
  withHides(edits, (hides) =>
    hides.flatMap((area) => (area.key === key ? (change ? [change(area)] : []) : [area])),
  );

/** @param range undefined: the whole video */
export const withTimes = (area: AlwaysHidden, range: TimeRange | undefined): AlwaysHidden => {
  const { start: _start, end: _end, ...always } = area;
  // An area that ends when it begins is hidden in the frame of that time.
  return !range || range.end === undefined || range.end > range.start
    ? { ...always, ...range }
    : { ...always, start: range.start, end: range.start + MIN_HIDDEN_S };
};

/**
 * Edits that remain valid after a new detection. Tracks get new numbers, and an old number may belong to another
 * person, who must not become visible. Drawn boxes stay hidden, and muted parts stay silent.
 */
export const keptEdits = ({ areas, hides, mute }: ItemEdits): ItemEdits => ({
  ...NO_ITEM_EDITS,
  areas,
  ...(hides && { hides }),
  ...(mute && { mute }),
});
