import type { Edits } from '#shared/api/contract/schemas-edits';
import type { Box } from '#shared/domain/boxes';
import type { DrawnArea, DrawnShape, ObjectChange, PlanEdits } from '#shared/domain/edits/edits';
import { DEFAULT_QUALITY, type IgnoreArea, type ImageOptions } from '#shared/domain/options';
import type { DrawnBox, TimeRange, TrackRange, VideoEdits } from '#shared/domain/video-edits';
import { US_PER_SECOND } from '#shared/domain/time-units';
import { endOf } from './contract-video-edits';
import type { Settings } from './settings';

type ObjectEdit = NonNullable<Edits['objects']>[number];
type AreaEdit = NonNullable<Edits['areas']>[number];

/** The settings that a result shows: those of its edits, or else of its upload. */
export const settingsOf = (options: ImageOptions, edits: Edits): Settings => ({
  method: edits.method ?? options.method,
  methods: { ...options.methods, ...edits.methods },
  classes: edits.classes ?? options.classes,
  thresholds: { ...options.thresholds, ...edits.thresholds },
  quality: options.quality ?? DEFAULT_QUALITY,
  ...(options.hidesHeads && { hidesHeads: true }),
  keepsMetadata: edits.keep_metadata ?? options.keepsMetadata ?? false,
});

const boxOf = ([x1, y1, x2, y2]: readonly number[]): Box => ({ x1: x1!, y1: y1!, x2: x2!, y2: y2! });

const changeOf = ({ hidden, deleted, bbox, type_label, method }: ObjectEdit): ObjectChange => ({
  ...(hidden !== undefined && { isOff: !hidden }),
  ...(deleted && { isDeleted: true }),
  ...(bbox && { box: boxOf(bbox) }),
  ...(type_label && { objectClass: type_label }),
  ...(method && { method }),
});

const shapeOf = ({ shape, bbox = [0, 0, 0, 0], points = [], radius = 0 }: AreaEdit): DrawnShape =>
  shape === 'stroke' ? { kind: shape, points, radiusPx: radius } : { kind: shape, box: boxOf(bbox) };

const areaOf = (area: AreaEdit, index: number): DrawnArea => ({
  id: -1 - index,
  objectClass: area.type_label,
  outline: shapeOf(area),
  ...(area.method && { method: area.method }),
  ...(area.hidden === false && { isOff: true }),
});

const ignoresOf = ({ ignores: uploaded }: ImageOptions, { ignores }: Edits): readonly IgnoreArea[] =>
  ignores?.map(({ topLeftX: x, topLeftY: y, width, height }) => ({ x, y, width, height })) ?? uploaded;

/** The edits of an image, in the page's form: the reverse of `contractEdits`. */
export const planEditsOf = (options: ImageOptions, edits: Edits): PlanEdits => {
  const { objects = [], areas = [] } = edits;
  const kept = ignoresOf(options, edits).map(({ x, y, width, height }, i) => ({
    id: -1 - areas.length - i,
    box: { x1: x, y1: y, x2: x + width, y2: y + height },
  }));
  return {
    changes: Object.fromEntries(objects.map((object) => [object.id, changeOf(object)])),
    drawn: areas.map(areaOf),
    kept,
  };
};

const rangeOf = ({ from, to }: ObjectEdit | AreaEdit, times: Float64Array): TimeRange | undefined =>
  from === undefined && to === undefined
    ? undefined
    : { fromUs: times[from ?? 0] ?? 0, untilUs: endOf(times, to ?? times.length - 1) };

const drawnBox = (area: AreaEdit, index: number, times: Float64Array): DrawnBox => {
  const range = rangeOf(area, times);
  return {
    id: index + 1,
    timeUs: times[area.frame ?? 0] ?? 0,
    box: boxOf(area.bbox ?? [0, 0, 0, 0]),
    ...(range && { range }),
  };
};

type TrackEdits = Pick<VideoEdits, 'visibleTracks' | 'ranges' | 'decidedTracks'>;

const trackEditsOf = (objects: readonly ObjectEdit[], times: Float64Array): TrackEdits => {
  const visibleTracks: number[] = [];
  const ranges: TrackRange[] = [];
  const decidedTracks: number[] = [];
  for (const object of objects) {
    const { id: trackId, hidden = true, deleted = false } = object;
    const range = rangeOf(object, times);
    const isVisible = !hidden || deleted;
    // With a range, the track is visible either only in it, or everywhere else.
    if (isVisible !== (range !== undefined)) visibleTracks.push(trackId);
    if (range) ranges.push({ trackId, ...range });
    else if (object.hidden && !isVisible) decidedTracks.push(trackId);
  }
  return {
    visibleTracks,
    ...(ranges.length > 0 && { ranges }),
    ...(decidedTracks.length > 0 && { decidedTracks }),
  };
};

/** The edits of a video, in the page's form: the reverse of `contractVideoEdits`. @param times of frames, in µs */
export const videoEditsOf = (
  { objects = [], areas = [], mute = [] }: Edits,
  times: Float64Array,
): VideoEdits => {
  const drawn = areas.filter(({ hidden }) => hidden !== false).map((area, i) => drawnBox(area, i, times));
  const muted = mute.map(([start, end]) => ({
    fromUs: start * US_PER_SECOND,
    untilUs: end * US_PER_SECOND,
  }));
  return { ...trackEditsOf(objects, times), drawn, ...(muted.length > 0 && { muted }) };
};
