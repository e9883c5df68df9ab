import type { Projection } from '../../domain/projection';
import { hides } from '../../catalogue/methods';
import { paddingOf } from '../../engine/pixels/yuv';
import { workDone } from '../../engine/video/video-source';
import type { Provenance } from '../../domain/image-header';
import type { VideoLosses, Task, TaskEvent } from '../../domain/task';
import { VERSION } from '../../domain/version';
import type { VideoReport } from '../../domain/plan';
import type { AnonymisedVideo, RenderFiles, VideoFiles, VideoJob, VideoProgress } from '../../ports/engine';
import type { Log } from '../../ports/system';
import type { ByteSource, ByteTarget } from '../../ports/video';
import { requireSubject } from '../subjects/subjects';
import { megapixelsOfVideo } from './task-clock';
import { givenOf } from './given';
import { describeSource, type FileWork } from './process-image';
import { byteSourceOf } from '../base/digest';
import { keepsMetadata } from '../base/settings';
import {
  anonymisedVideoKey,
  FRAMES_PER_FILE,
  openVideoFile,
  readFramePlans,
  writeFramePlans,
  writeFrames,
  writeVideoResult,
  type StoredVideoResult,
} from '../files/video-files';

/** What is known of a video's size; nothing while it is converted. */
const sizeOf = (progress: VideoProgress): { readonly megapixels?: number } => {
  const megapixels = megapixelsOfVideo(progress);
  return megapixels === undefined ? {} : { megapixels };
};

const progressed = (progress: VideoProgress): TaskEvent => {
  const { framesDone, framesTotal, converted } = progress;
  return {
    type: 'progressed',
    progress: workDone(progress),
    ...(converted === undefined ? {} : { converted }),
    // While it is converted, how many there are is not known.
    ...(converted === undefined || framesDone > 0
      ? { frames: { done: framesDone, total: framesTotal } }
      : {}),
    ...sizeOf(progress),
  };
};

export const leftOutOf = (report: VideoReport, anonymised: boolean, projection?: Projection): VideoLosses => {
  const { lostFrames, isLossUncertain = false, reencodedAudioTracks } = report;
  const { droppedAudioTracks, droppedAudioCodecs, toneMapped, bag } = report;
  const padding = anonymised && !bag ? paddingOf(report) : ([0, 0] as const);
  return {
    ...{ lostFrames, isLossUncertain, reencodedAudioTracks, droppedAudioTracks, padding },
    ...(droppedAudioCodecs && { droppedAudioCodecs }),
    ...(toneMapped && { toneMapped }),
    ...(bag && { bag }),
    ...(projection && { projection }),
  };
};

const logMissing = (
  log: Log,
  id: string,
  { lostFrames, isLossUncertain, droppedAudioTracks }: VideoLosses,
): void => {
  if (lostFrames === 0 && !isLossUncertain && droppedAudioTracks === 0) return;
  const missing = { lostFrames, isLossUncertain: String(isLossUncertain), droppedAudioTracks };
  log.info('Parts of a video are missing from its result.', { id, ...missing });
};
/** The files of a video task, and what its result is made with. */
export interface VideoTaskFiles {
  readonly source: ByteSource;
  readonly target: ByteTarget;
}

/** A video that was made, and the tracks of a subject in it. */
export type ProcessedVideo = VideoReport &
  Pick<AnonymisedVideo, 'models' | 'found' | 'kept'> &
  Pick<StoredVideoResult, 'shown' | 'shownSubject'>;

/**
 * Makes the result of a task's video. It has a name only once all of it is written: of a run that fails or is stopped
 * nothing can be downloaded.
 *
 * @param make writes the video, its reports and plans
 */
export const makeVideoResult = async (
  { task, ports: { storage, system, log }, report: reportEvent, signal }: Omit<FileWork, 'settings'>,
  make: (files: VideoTaskFiles) => Promise<ProcessedVideo>,
): Promise<void> => {
  const { id, options } = task;
  const file = await openVideoFile(storage, task);
  const target = await storage.create(anonymisedVideoKey(id));
  const ended = new AbortController();
  const described = describeSource(task, file, system, AbortSignal.any([signal, ended.signal]));
  try {
    const { models, shown, shownSubject, found, kept, ...report } = await make({
      source: byteSourceOf(file),
      target,
    });
    signal.throwIfAborted();
    const anonymised = hides(options.method);
    if (anonymised) await target.commit();
    const provenance: Provenance = { version: VERSION, source: await described, ...found, models };
    await writeVideoResult({ storage, system }, id, {
      report,
      anonymised,
      provenance,
      ...(kept && { kept }),
      ...(shown && { shown }),
      ...(shownSubject && { shownSubject }),
    });
    const leftOut = leftOutOf(report, anonymised, found?.projection);
    logMissing(log, id, leftOut);
    reportEvent({ type: 'left-out', leftOut });
  } finally {
    ended.abort();
    await target.discard();
  }
  signal.throwIfAborted();
};

/** How a task's video is anonymised. @throws Error if the task is none of a video */
export const videoJobOf = (
  task: Task,
  settings: Pick<FileWork['settings'], 'limits' | 'keepMetadata'>,
): Omit<VideoJob, 'given'> => {
  const { options, video } = task;
  if (!video) throw new Error('A video was queued without its options.');
  const { framesDone: _1, framesTotal: _2, megapixels: _3, converted: _4, leftOut: _5, ...wanted } = video;
  return {
    options,
    ...wanted,
    limits: settings.limits,
    framesPerReport: FRAMES_PER_FILE,
    keepsPlans: hides(options.method),
    keepMetadata: keepsMetadata(task, settings),
  };
};

/** Renders a planned video, in which a subject is visible. */
const renderShown = async (
  { task, ports: { engine, subjects }, settings, signal }: FileWork,
  show: string,
  files: RenderFiles,
  onProgress: (progress: VideoProgress) => void,
): Promise<Omit<ProcessedVideo, 'models'>> => {
  const { embeddings: samples } = await requireSubject(subjects, show);
  const shownTracks = await engine.matchTracks({ samples, limits: settings.limits }, files, signal);
  const job = { ...videoJobOf(task, settings), edits: {}, shownTracks };
  const rendered = await engine.renderVideo(job, files, onProgress, signal);
  await requireSubject(subjects, show); // deleted in the meantime
  const { timings: _timings, followed: _none, ...report } = rendered;
  return { ...report, shownSubject: { id: show, tracks: shownTracks } };
};

/** Share of the progress of a video that is first planned and then rendered. */
const PLANNED_SHARE = 0.6;

/** Anonymises a task's video in one pass, or in two where a subject is visible. */
export const processVideo = (work: FileWork): Promise<void> => {
  const { task, ports, settings, signal } = work;
  const { engine, storage } = ports;
  const { id } = task;
  const show = hides(task.options.method) ? task.options.show : undefined;
  const make = async (files: VideoTaskFiles): Promise<ProcessedVideo> => {
    if (show !== undefined) await requireSubject(ports.subjects, show);
    const given = await givenOf(task, storage);
    const job = {
      ...videoJobOf(task, settings),
      ...(show !== undefined && { isOnlyPlanned: true }),
      ...(given && { given }),
    };
    let written = 0;
    const report: VideoFiles['report'] = async (frames, plans) => {
      const part = written++;
      await writeFrames(storage, id, part, frames);
      if (job.keepsPlans) await writeFramePlans(storage, id, part, plans);
    };
    const reportShare =
      (from: number, to: number) =>
      (progress: VideoProgress): void => {
        const share = from + (to - from) * workDone(progress);
        work.report(
          show === undefined
            ? progressed(progress)
            : { type: 'progressed', progress: share, ...sizeOf(progress) },
        );
      };
    const { timings: _timings, ...done } = await engine.anonymiseVideo(
      job,
      { ...files, report },
      reportShare(0, PLANNED_SHARE),
      signal,
    );
    if (show === undefined) return done;
    const renderFiles = { ...files, plans: (part: number) => readFramePlans(storage, id, part) };
    const rendered = await renderShown(work, show, renderFiles, reportShare(PLANNED_SHARE, 1));
    return { ...rendered, models: done.models, durationS: done.durationS + rendered.durationS };
  };
  return makeVideoResult(work, make);
};
