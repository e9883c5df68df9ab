import { type Bbox, toBbox, wholeBox } from '../../../domain/boxes';
import type { AreaEdit, Edits, ObjectEdit } from '../../../domain/edits/edits';
import { type FrameReport, US_PER_SECOND } from '../../../domain/plan';
import { TOLERANCE_US, toUs } from '../../../engine/edits/edit-range';
import { FRAMES_PER_FILE } from '../../../tasks/files/video-files';
import { ApiError } from '../../contract/errors';
import { requireKnownOnce } from './check-edits';

/** Reads the reports of frames; undefined where the task was deleted in the meantime. */
export type ReadFrames = (first: number, last: number) => Promise<readonly FrameReport[] | undefined>;

type Frames = Pick<AreaEdit, 'from' | 'to' | 'frame'>;
type Times = Pick<AreaEdit, 'start' | 'end' | 'at'>;

const requireFrame = (name: string, frame: number, first: number, frameCount: number): void => {
  if (frame >= first && frame < frameCount) return;
  throw new ApiError('frame_out_of_range', name, first, frameCount - 1, frame);
};

const checkFrames = (name: string, { from, to, frame }: Frames, frameCount: number): void => {
  if (frame !== undefined) requireFrame(`${name}.frame`, frame, 0, frameCount);
  if (from !== undefined) requireFrame(`${name}.from`, from, 0, frameCount);
  for (const first of [0, from ?? 0]) if (to !== undefined) requireFrame(`${name}.to`, to, first, frameCount);
};

/** First frame, and the frame behind the last one. A drawn area is hidden on its own frame, too. */
const rangeOf = ({ from, to, frame }: Frames, frameCount: number): readonly [number, number] | undefined => {
  if (from === undefined && to === undefined) return undefined;
  const [first, last] = [from ?? 0, to ?? frameCount - 1];
  return [Math.min(first, frame ?? first), Math.max(last, frame ?? last) + 1];
};

/** Whether it is the frame in which a track was placed, or one before: the last one counts. */
const isUpToPlace = ({ at, frame }: ObjectEdit, { index, timestampUs }: FrameReport): boolean =>
  frame === undefined ? at !== undefined && timestampUs <= toUs(at) + TOLERANCE_US : index <= frame;

/** One pass over all reports: a file of them is in memory at a time. @param placed edits of tracks with places */
const readFacts = async (
  { wanted, placed }: { readonly wanted: ReadonlySet<number>; readonly placed: readonly ObjectEdit[] },
  frameCount: number,
  readFrames: ReadFrames,
) => {
  const seconds = new Map<number, number>();
  const tracks = new Set<number>();
  const found = new Map<number, Bbox | undefined>();
  for (let first = 0; first < frameCount; first += FRAMES_PER_FILE) {
    const frames = await readFrames(first, Math.min(first + FRAMES_PER_FILE, frameCount) - 1);
    if (!frames) throw new ApiError('deleted_meanwhile');
    for (const frame of frames) {
      const { index, timestampUs, detections } = frame;
      for (const edit of placed.filter((one) => isUpToPlace(one, frame))) {
        const [there, other] = detections.filter(({ trackId }) => trackId === edit.id);
        found.set(edit.id, there && toBbox(other ? wholeBox(there.box, other.box) : there.box));
      }
      if (wanted.has(index)) seconds.set(index, timestampUs / US_PER_SECOND);
      for (const { trackId } of detections) if (trackId !== undefined) tracks.add(trackId);
    }
  }
  return { seconds, tracks, found };
};

/**
 * The edits of a video, those that name frames with times added, and those that place tracks with where these were found:
 * what renders them knows no frame numbers. Clients get
 * such edits back as they sent them (`withoutFrameTimes`).
 *
 * @throws ApiError 422 for unknown frames and tracks
 */
export const withTimes = async (edits: Edits, frameCount: number, readFrames: ReadFrames): Promise<Edits> => {
  const { objects = [], areas = [] } = edits;
  objects.forEach((edit, i) => checkFrames(`objects[${i}]`, edit, frameCount));
  areas.forEach((area, i) => checkFrames(`areas[${i}]`, area, frameCount));
  const entries: readonly Frames[] = [...objects, ...areas];
  const named = entries.flatMap((entry) => [...(rangeOf(entry, frameCount) ?? []), entry.frame ?? []].flat());
  if (objects.length === 0 && named.length === 0) return edits;
  const facts = { wanted: new Set(named), placed: objects.filter(({ bbox }) => bbox) };
  const { seconds, tracks, found } = await readFacts(facts, frameCount, readFrames);
  requireKnownOnce(objects, (id) => tracks.has(id));
  const placed = objects.map((edit, i): ObjectEdit => {
    const there = found.get(edit.id);
    if (edit.bbox && !there) throw new ApiError('not_in_frame', `objects[${i}].bbox`);
    return there ? { ...edit, found: there } : edit;
  });
  const timed = <Entry extends ObjectEdit | AreaEdit>(entry: Entry & Frames): Entry & Times => {
    const [first, behind] = rangeOf(entry, frameCount) ?? [];
    const at = entry.frame === undefined ? undefined : seconds.get(entry.frame);
    const start = first === undefined ? undefined : seconds.get(first);
    const end = behind === undefined ? undefined : seconds.get(behind);
    return {
      ...entry,
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      ...(at !== undefined && { at }),
    };
  };
  return { ...edits, objects: placed.map(timed), areas: areas.map(timed) };
};
