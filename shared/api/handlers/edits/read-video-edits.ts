import type { DrawnBox, TimeRange, TrackRange, VideoEdits } from '../../../domain/video-edits';
import type { FrameReport } from '../../../domain/video-report';
import { HIDING_METHODS, type HidingMethod } from '../../../domain/options';
import type { Task } from '../../../domain/task';
import type { VideoBase } from '../../../tasks/edits/edit-base';
import { FRAMES_PER_FILE } from '../../../tasks/files/video-files';
import { ApiError } from '../../contract/errors';
import type { AreaEdit, Edits, ObjectEdit } from '../../contract/schemas-edits';
import { badParameter } from '../../http/query';
import { readBox } from './read-areas';
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

const readHiding = (body: Edits, { options }: Task): VideoEdits['hiding'] => {
  const { method, methods, classes, thresholds } = body;
  if (method === 'detect') throw badParameter('method', `one of ${HIDING_METHODS.join(', ')}`, method);
  if (!method && !methods && !classes && !thresholds) return undefined;
  return {
    method: method ?? (options.method as HidingMethod),
    methods: { ...options.methods, ...methods },
    classes: readClasses(body, options.classes),
    // Nothing is stored of objects with lower scores.
    thresholds: readThresholds(body, options, (objectClass) => options.thresholds[objectClass]),
  };
};

const checkObject = (edit: ObjectEdit, name: string): void => {
  refuse(name, edit, 'bbox', 'type_label', 'method');
};

const readDrawn = (
  edit: AreaEdit,
  index: number,
  { result: { report } }: VideoBase,
  range: FrameRange | undefined,
  facts: FrameFacts,
): DrawnBox => {
  const name = `areas[${index}]`;
  const { frame, bbox } = edit;
  if (frame === undefined) throw new ApiError('missing_field', `${name}.frame`);
  if (!bbox) throw new ApiError('missing_field', `${name}.bbox`);
  const box = readBox(`${name}.bbox`, bbox, report);
  const timeUs = facts.timeUs(frame);
  const hidden = range && timeRange([Math.min(range[0], frame), Math.max(range[1], frame)], facts);
  return { id: index + 1, timeUs, box, ...(hidden && { range: hidden }) };
};

const requireBoxArea = (edit: AreaEdit, index: number, frameCount: number): void => {
  const name = `areas[${index}]`;
  refuse(name, edit, 'points', 'radius', 'method');
  if (edit.shape !== 'box') throw badParameter(`${name}.shape`, '`box` in a video', edit.shape);
  if (edit.frame !== undefined) requireFrame(`${name}.frame`, edit.frame, frameCount);
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
    const range = ranges[i];
    // With a range, the track is visible either only in it, or everywhere else.
    if (isVisible(edit) !== (range !== undefined)) visibleTracks.push(edit.id);
    if (range) trackRanges.push({ trackId: edit.id, ...timeRange(range, facts) });
  });
  return { visibleTracks, ...(trackRanges.length > 0 && { ranges: trackRanges }) };
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
  const { frameCount } = base.result.report;
  const onlyOfImages = (['ignores', 'keep_metadata'] as const).find((field) => body[field] !== undefined);
  if (onlyOfImages) throw new ApiError('not_in_videos', onlyOfImages);
  const hiding = readHiding(body, task);
  objects.forEach((edit, i) => checkObject(edit, `objects[${i}]`));
  areas.forEach((edit, i) => requireBoxArea(edit, i, frameCount));
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
  const drawn = areas.map((edit, i) => readDrawn(edit, i, base, areaRanges[i], facts));
  return {
    ...readTracks(objects, trackRanges, facts),
    drawn: drawn.filter((_, i) => areas[i]?.hidden !== false),
    ...(hiding && { hiding }),
  };
};
