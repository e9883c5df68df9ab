import { boxArea, clipBox, outerPixels } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { changesRenderingIn } from '../../engine/edits/edit-range';
import {
  type FrameReport,
  type VideoReport,
  type FramePlan,
  type ReportedFrameDetection,
  type ShownFrames,
  isDetected,
} from '../../domain/plan';
import { placedBox, type FollowedArea, type Hiding, type ObjectEdit } from '../../domain/edits/edits';
import { thresholdIn } from '../../domain/options';
import type { KeptFacts } from '../../domain/kept-in-video';
import type { AppliedEdits, FileFacts, Provenance } from '../../domain/image-header';
import type { Storage, StoredFile } from '../../ports/storage';
import type { ByteSource } from '../../ports/video';
import type { ShownTrack } from '../../domain/subject';
import type { Task } from '../../domain/task';
import { factsOfFile, byteSourceOf } from '../base/digest';
import { outputFolder, readJson, sourceKey, writeJson, type StoragePorts } from './task-files';
import { formatOfType } from '../../catalogue/formats';

/** Frames in each metadata file. */
export const FRAMES_PER_FILE = 500;

/** A done video task's result, without its images and their metadata. */
export interface StoredVideoResult {
  readonly report: VideoReport;
  /** False with `detect`. */
  readonly anonymised: boolean;
  /** Of the anonymised video; absent where there is none. */
  readonly file?: FileFacts;
  /** Of the first run. */
  readonly provenance: Provenance;
  /** Codecs of its audio tracks that were encoded again because of edits; absent: as in the report. */
  readonly encodedAudio?: readonly string[];
  /** How often it was replaced since its task was done; absent where it never was. */
  readonly revision?: number;
  /** When it was replaced. */
  readonly appliedEdits?: readonly AppliedEdits[];
  /** What it has kept of the metadata of the upload; absent where nothing was asked for. */
  readonly kept?: KeptFacts;
  /** Where tracks are seen because a person wanted it; absent where nothing was changed. */
  readonly shown?: readonly ShownFrames[];
  /**
   * The subject that is visible, with its tracks; absent where none was requested. Its samples never change, so that
   * later edits do not search its tracks again.
   */
  readonly shownSubject?: { readonly id: string; readonly tracks: readonly ShownTrack[] };
  /** How objects are hidden instead of as uploaded; absent where nobody changed that. */
  readonly hiding?: Hiding;
  /** Tracks that edits hide whatever their class and score are. */
  readonly confirmedTracks?: readonly number[];
  /** The edits that give tracks another place or class; absent where there are none. */
  readonly changedTracks?: readonly ObjectEdit[];
  /** How drawn areas were followed; absent where none were drawn. */
  readonly followed?: readonly FollowedArea[];
  /** What the names of its files begin with; absent until the result is edited. */
  readonly filePrefix?: string;
}

/** Written last: its folder contains a complete result of a video. */
export const VIDEO_RESULT_FILE = 'video.json';
const resultKey = (id: string): string => outputFolder(id) + VIDEO_RESULT_FILE;
const framesKey = (id: string, file: number): string =>
  `${outputFolder(id)}metadata-${String(file).padStart(6, '0')}.json`;
const plansKey = (id: string, part: number): string =>
  `${outputFolder(id)}plans-${String(part).padStart(6, '0')}.json`;
export const anonymisedVideoKey = (id: string, prefix = ''): string =>
  `${outputFolder(id)}${prefix}anonymised.mp4`;

export const readVideoResult = (storage: Storage, id: string): Promise<StoredVideoResult | undefined> =>
  readJson(storage, resultKey(id));
/** Notes a result whose video, where it has one, is in its place. */
export const writeVideoResult = async (
  { storage, system }: StoragePorts,
  id: string,
  { file: _before, ...result }: StoredVideoResult,
): Promise<void> => {
  const video = result.anonymised ? await storage.open(anonymisedVideoKey(id, result.filePrefix)) : undefined;
  const file = video && (await factsOfFile(video, system));
  await writeJson(storage, resultKey(id), { ...result, ...(file && { file }) });
};

/** Notes a result whose video was kept elsewhere. */
export const restoreVideoResult = (storage: Storage, id: string, result: StoredVideoResult): Promise<void> =>
  writeJson(storage, resultKey(id), result);

/** Removes the video that another has replaced. */
export const removeReplacedVideo = (
  storage: Storage,
  id: string,
  { filePrefix }: StoredVideoResult,
): Promise<void> => storage.remove(filePrefix ? outputFolder(id) + filePrefix : anonymisedVideoKey(id));

/** @param file counted from 0; each but the last has `FRAMES_PER_FILE` frames */
export const writeFrames = (
  storage: Storage,
  id: string,
  file: number,
  frames: readonly FrameReport[],
): Promise<void> => writeJson(storage, framesKey(id, file), frames);

/** @param part next to the frames of the same number */
export const writeFramePlans = (
  storage: Storage,
  id: string,
  part: number,
  plans: readonly FramePlan[],
): Promise<void> => writeJson(storage, plansKey(id, part), plans);
/** @returns undefined behind the last part */
export const readFramePlans = (
  storage: Storage,
  id: string,
  part: number,
): Promise<readonly FramePlan[] | undefined> => readJson(storage, plansKey(id, part));

/** Whether the video can be rendered again: results with `detect` have no plans. */
export const hasFramePlans = async (storage: Storage, id: string): Promise<boolean> =>
  (await storage.open(plansKey(id, 0))) !== undefined;

/** Removes reports and plans of an attempt that is started again in another way. */
export const removeFrames = async (storage: Storage, id: string): Promise<void> => {
  await Promise.all(['metadata-', 'plans-'].map((name) => storage.remove(outputFolder(id) + name)));
};

/** @returns undefined where a file is missing */
const readAllFrames = async (
  storage: Storage,
  id: string,
  first: number,
  last: number,
): Promise<FrameReport[] | undefined> => {
  const frames: FrameReport[] = [];
  const lastFile = Math.floor(last / FRAMES_PER_FILE);
  for (let file = Math.floor(first / FRAMES_PER_FILE); file <= lastFile; file++) {
    const some = await readJson<FrameReport[]>(storage, framesKey(id, file));
    if (!some) return undefined;
    frames.push(...some.filter(({ index }) => index >= first && index <= last));
  }
  return frames;
};

type Found = Pick<ReportedFrameDetection, 'trackId'> & Pick<Detection, 'objectClass' | 'score'>;
type Edited = Pick<
  StoredVideoResult,
  'shown' | 'shownSubject' | 'hiding' | 'confirmedTracks' | 'changedTracks'
>;

/** The detection at the place and of the class that edits give to its track. */
const withChange = (
  one: ReportedFrameDetection,
  { width, height, timestampUs }: FrameReport,
  changedTracks: readonly ObjectEdit[],
): ReportedFrameDetection => {
  const edit = changedTracks.find(({ id }) => id === one.trackId);
  if (!edit || !isDetected(one) || !changesRenderingIn(edit, { timestampUs })) return one;
  const box = outerPixels(clipBox(placedBox(one.box, edit), width, height));
  const objectClass = edit.type_label ?? one.objectClass;
  return { ...one, objectClass, ...(boxArea(box) > 0 && { box }) };
};

/** As the result is now: objects that edits show are not anonymised. */
const withEdits = (
  frame: FrameReport,
  { shown = [], shownSubject, hiding, confirmedTracks = [], changedTracks = [] }: Edited,
): FrameReport => {
  const { index, detections } = frame;
  const isUnwanted = ({ trackId, objectClass, score }: Found): boolean =>
    hiding !== undefined &&
    !(trackId !== undefined && confirmedTracks.includes(trackId)) &&
    !(hiding.classes.includes(objectClass) && score >= thresholdIn(hiding.thresholds, objectClass));
  const isShown = (one: FrameReport['detections'][number]): boolean =>
    isDetected(one) &&
    (isUnwanted(one) ||
      shown.some(
        ({ trackId, firstFrame, lastFrame }) =>
          trackId === one.trackId && firstFrame <= index && index <= lastFrame,
      ));
  const confidenceOf = (track: number | undefined): number | undefined =>
    shownSubject?.tracks.find(({ trackId }) => trackId === track)?.confidence;
  return {
    ...frame,
    detections: detections.map((found) => {
      const one = withChange(found, frame, changedTracks);
      if (!isShown(found)) return one;
      const shownConfidence = confidenceOf(one.trackId);
      return { ...one, isAnonymised: false, ...(shownConfidence !== undefined && { shownConfidence }) };
    }),
  };
};

/** See `ResultReader`. @returns undefined where a file is missing */
export const readFrames = async (
  storage: Storage,
  id: string,
  [first, last]: readonly [number, number],
  known?: StoredVideoResult,
): Promise<FrameReport[] | undefined> => {
  const [frames, result] = await Promise.all([
    readAllFrames(storage, id, first, last),
    known ?? readVideoResult(storage, id),
  ]);
  return result?.filePrefix || result?.shown ? frames?.map((frame) => withEdits(frame, result)) : frames;
};

/** A video task's upload, as it is stored. */
export const openVideoFile = async (storage: Storage, task: Task): Promise<StoredFile> => {
  const file = await storage.open(sourceKey(task.id, formatOfType(task.contentType)));
  if (!file) throw new Error('The input file of a queued task is gone.');
  return file;
};

/** The same with random access. */
export const openVideoSource = async (storage: Storage, task: Task): Promise<ByteSource> =>
  byteSourceOf(await openVideoFile(storage, task));
