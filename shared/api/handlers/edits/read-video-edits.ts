import { LIMITS } from '../../../domain/limits';
import { outlineBounds } from '../../../domain/edits/outline';
import type { DrawnShape } from '../../../domain/edits/edits';
import { joinMuted } from '../../../domain/edits/muted-ranges';
import type { DrawnBox, TimeRange, TrackMethod, TrackRange, VideoEdits } from '../../../domain/video-edits';
import type { FrameReport, VideoReport } from '../../../domain/video-report';
import { hides, HIDING_METHODS, type HidingMethod } from '../../../catalogue/methods';
import { thresholdIn, type ClassMethods } from '../../../domain/options';
import type { Task } from '../../../domain/task';
import { US_PER_SECOND } from '../../../domain/time-units';
import type { VideoBase } from '../../../tasks/edits/edit-base';
import { FRAMES_PER_FILE } from '../../../tasks/files/video-files';
import { ApiError } from '../../contract/errors';
import type { AreaEdit, Edits, ObjectEdit } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';
import { readShape, requireBoundedStrokes } from './read-areas';
import { readClasses, readThresholds, requireKnownOnce } from './read-image-edits';

/** Reads the reports of frames; undefined where the task was deleted in the meantime. */
export type ReadFrames = (first: number, last: number) => Promise<readonly FrameReport[] | undefined>;

/** Frames to which edits refer. */
interface FrameFacts {
  /** Start of a frame in µs; the end of the video behind its last frame. */
  readonly timeUs: (frame: number) => number;
  readonly tracks: ReadonlySet<number>;
}

/** Behind all frames. */
const END_US = Number.MAX_SAFE_INTEGER;

const refuse = (name: string, edit: ObjectEdit | AreaEdit, ...fields: readonly string[]): void => {
  const given = fields.find((field) => field in edit);
  if (given) throw new ApiError('not_in_videos', `${name}.${given}`);
};

const requireFrame = (name: string, frame: number, frameCount: number): number => {
  if (frame < frameCount) return frame;
  throw new ApiError('frame_out_of_range', name, 0, frameCount - 1, frame);
};

/** First and last frame; undefined for the whole video. @throws ApiError 422 */
const readRange = (
  name: string,
  { from, to }: ObjectEdit | AreaEdit,
  frameCount: number,
): readonly [first: number, last: number] | undefined => {
  if (from === undefined && to === undefined) return undefined;
  const first = requireFrame(`${name}.from`, from ?? 0, frameCount);
  const last = requireFrame(`${name}.to`, to ?? frameCount - 1, frameCount);
  if (last < first) throw new ApiError('frame_out_of_range', `${name}.to`, first, frameCount - 1, last);
  return [first, last];
};

/** One pass over all reports: a file of them is in memory at a time. */
const readFacts = async (
  wanted: ReadonlySet<number>,
  frameCount: number,
  readFrames: ReadFrames,
): Promise<FrameFacts> => {
  const times = new Map<number, number>();
  const tracks = new Set<number>();
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const frames = await readFrames(first, Math.min(first + FRAMES_PER_FILE, frameCount) - 1);
    if (!frames) throw new ApiError('deleted_meanwhile');
    for (const { index, timestampUs, detections } of frames) {
      if (wanted.has(index)) times.set(index, timestampUs);
      for (const { trackId } of detections) if (trackId !== undefined) tracks.add(trackId);
    }
  }
  return { timeUs: (frame) => times.get(frame) ?? END_US, tracks };
};

type FrameRange = readonly [first: number, last: number];

const timeRange = ([first, last]: FrameRange, { timeUs }: FrameFacts): TimeRange => ({
  fromUs: timeUs(first),
  untilUs: timeUs(last + 1),
});

const isVisible = ({ hidden = true, deleted = false }: ObjectEdit): boolean => !hidden || deleted;

const methodsOf = ({ methods }: Edits, { options }: Task): ClassMethods => ({
  ...options.methods,
  ...methods,
});

const readHiding = (body: Edits, task: Task): VideoEdits['hiding'] => {
  const { options } = task;
  const { method, methods, classes, thresholds } = body;
  if (method && !hides(method)) throw badParameter('method', `one of ${HIDING_METHODS.join(', ')}`, method);
  if (!method && !methods && !classes && !thresholds) return undefined;
  return {
    method: method ?? (options.method as HidingMethod),
    methods: methodsOf(body, task),
    classes: readClasses(body, options.classes),
    // Nothing is stored of objects with lower scores.
    thresholds: readThresholds(body, options, (objectClass) => thresholdIn(options.thresholds, objectClass)),
  };
};

/** The shape of an area, and the frame on which it was drawn. @throws ApiError 422 */
const readDrawnShape = (
  edit: AreaEdit,
  index: number,
  { width, height, frameCount }: VideoReport,
): DrawnShape => {
  const name = `areas[${index}]`;
  const shape = readShape(name, edit, { width, height });
  if (edit.frame === undefined) throw new ApiError('missing_field', `${name}.frame`);
  requireFrame(`${name}.frame`, edit.frame, frameCount);
  return shape;
};

interface ReadArea {
  readonly shape: DrawnShape;
  readonly range: FrameRange | undefined;
}

const readDrawn = (
  { frame = 0, type_label, method: own }: AreaEdit,
  { shape, range }: ReadArea,
  methods: ClassMethods,
  facts: FrameFacts,
): Omit<DrawnBox, 'id'> => {
  const hidden = range && timeRange([Math.min(range[0], frame), Math.max(range[1], frame)], facts);
  const method = own ?? methods[type_label];
  return {
    timeUs: facts.timeUs(frame),
    box: outlineBounds(shape),
    ...(shape.kind !== 'box' && { shape }),
    ...(method && { method }),
    ...(hidden && { range: hidden }),
  };
};

/** Whether a range limits the method, and not the frames in which the track is hidden. */
const changesOnlyMethod = ({ hidden, deleted, method }: ObjectEdit): boolean =>
  method !== undefined && hidden === undefined && deleted === undefined;

/** The methods of single tracks, in those frames in which the tracks are hidden. */
const readTrackMethods = (
  objects: readonly ObjectEdit[],
  ranges: readonly (FrameRange | undefined)[],
  facts: FrameFacts,
): Pick<VideoEdits, 'trackMethods'> => {
  const trackMethods = objects.flatMap((edit, i): readonly TrackMethod[] => {
    const { id: trackId, method } = edit;
    const range = ranges[i];
    if (!method || (isVisible(edit) && !range)) return [];
    return [{ trackId, method, ...(range && changesOnlyMethod(edit) && { range: timeRange(range, facts) }) }];
  });
  return trackMethods.length > 0 ? { trackMethods } : {};
};

/** A track is edited for the whole video, or differently in a range of it. */
const readTracks = (
  objects: readonly ObjectEdit[],
  ranges: readonly (FrameRange | undefined)[],
  facts: FrameFacts,
): Pick<VideoEdits, 'visibleTracks' | 'ranges'> => {
  const visibleTracks: number[] = [];
  const trackRanges: TrackRange[] = [];
  objects.forEach((edit, i) => {
    const range = changesOnlyMethod(edit) ? undefined : ranges[i];
    // With a range, the track is visible either only in it, or everywhere else.
    if (isVisible(edit) !== (range !== undefined)) visibleTracks.push(edit.id);
    if (range) trackRanges.push({ trackId: edit.id, ...timeRange(range, facts) });
  });
  return { visibleTracks, ...(trackRanges.length > 0 && { ranges: trackRanges }) };
};

/** What is silent, checked before the edits are stored. @throws ApiError 422 */
const readAudio = (
  { mute = [], audio }: Edits,
  { unmutableAudio }: VideoReport,
): Pick<VideoEdits, 'muted' | 'mutesAudio'> => {
  mute.forEach(([start, end], i) => {
    if (start < end) return;
    throw badParameter(`mute[${i}]`, 'a start before its end', `[${start}, ${end}]`);
  });
  // Parts of audio that is removed are silent anyway.
  if (audio === 'mute') return { mutesAudio: true };
  if (mute.length === 0) return {};
  if (unmutableAudio) throw new ApiError('audio_not_mutable', unmutableAudio.join(', '));
  const muted = joinMuted(mute).map(([start, end]) => ({
    fromUs: start * US_PER_SECOND,
    untilUs: end * US_PER_SECOND,
  }));
  return { muted };
};

/** Tracks that the edits hide, or show for a range of frames, stay hidden in all other frames, whoever they show. */
const readShown = ({ show, objects = [] }: Edits): Pick<VideoEdits, 'show' | 'hiddenTracks'> => {
  const hiddenTracks = objects
    .filter((edit) => !isVisible(edit) || edit.from !== undefined || edit.to !== undefined)
    .map(({ id }) => id);
  return {
    ...(show === undefined ? {} : { show: show.toLowerCase() }),
    ...(hiddenTracks.length > 0 && { hiddenTracks }),
  };
};

/**
 * What the edits of a video ask of the engine. A field that is absent stays as uploaded.
 *
 * @throws ApiError 422 about the first error
 */
export const readVideoEdits = async (
  body: Edits,
  base: VideoBase,
  task: Task,
  readFrames: ReadFrames,
): Promise<VideoEdits> => {
  const { objects = [], areas = [] } = body;
  const { report } = base.result;
  const { frameCount } = report;
  const onlyOfImages = (['ignores', 'keep_metadata'] as const).find((field) => body[field] !== undefined);
  if (onlyOfImages) throw new ApiError('not_in_videos', onlyOfImages);
  const hiding = readHiding(body, task);
  const audio = readAudio(body, report);
  objects.forEach((edit, i) => refuse(`objects[${i}]`, edit, 'bbox', 'type_label'));
  const shapes = areas.map((edit, i) => readDrawnShape(edit, i, report));
  requireBoundedStrokes(shapes, report, LIMITS.maxVideoStrokePixels);
  const rangesOf = (name: string, edits: readonly (ObjectEdit | AreaEdit)[]) =>
    edits.map((edit, i) => readRange(`${name}[${i}]`, edit, frameCount));
  const trackRanges = rangesOf('objects', objects);
  const areaRanges = rangesOf('areas', areas);
  const named = [...trackRanges, ...areaRanges].flatMap((range) => (range ? [range[0], range[1] + 1] : []));
  const frames = areas.flatMap(({ frame }) => (frame === undefined ? [] : [frame, frame + 1]));
  const facts = await readFacts(new Set([...named, ...frames]), frameCount, readFrames);
  requireKnownOnce(
    objects.map(({ id }) => id),
    (id) => facts.tracks.has(id),
  );
  const methods = methodsOf(body, task);
  const drawn = areas.map((edit, i) => {
    const area = { shape: shapes[i] as DrawnShape, range: areaRanges[i] };
    return { id: i + 1, ...readDrawn(edit, area, methods, facts) };
  });
  return {
    ...readTracks(objects, trackRanges, facts),
    ...readTrackMethods(objects, trackRanges, facts),
    drawn: drawn.filter((_, i) => areas[i]?.hidden !== false),
    ...(hiding && { hiding }),
    ...audio,
    ...readShown(body),
  };
};
