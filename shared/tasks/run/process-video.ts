import { paddingOf } from '../../engine/pixels/yuv';
import { workDone } from '../../engine/video/video-progress';
import type { FileFacts, Provenance } from '../../domain/provenance';
import type { LeftOut, Task, TaskEvent } from '../../domain/task';
import { VERSION } from '../../domain/version';
import type { VideoReport } from '../../domain/video-report';
import type { VideoFiles, VideoJob, VideoProgress } from '../../ports/engine';
import type { Log } from '../../ports/log';
import type { ByteSource, ByteTarget } from '../../ports/video';
import type { ProcessPorts, ProcessSettings, ProgressRecords } from './process-ports';
import {
  anonymisedVideoKey,
  factsOfVideoSource,
  FRAMES_PER_FILE,
  openVideoSource,
  writeFramePlans,
  writeFrames,
  writeVideoResult,
} from '../files/video-files';

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
  };
};

const leftOutOf = (report: VideoReport, anonymised: boolean): LeftOut => {
  const { lostFrames, isLossUncertain = false, reencodedAudioTracks, droppedAudioTracks } = report;
  const padding = anonymised ? paddingOf(report) : ([0, 0] as const);
  return { lostFrames, isLossUncertain, reencodedAudioTracks, droppedAudioTracks, padding };
};

const logMissing = (
  log: Log,
  id: string,
  { lostFrames, isLossUncertain, droppedAudioTracks }: LeftOut,
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

/**
 * Computes the facts of the upload while a result is made of it.
 *
 * @returns `end` of a computation that is not needed any more
 */
const describeSource = (
  task: Task,
  ports: Pick<ProcessPorts, 'storage' | 'system'>,
  signal: AbortSignal,
): { readonly facts: Promise<FileFacts>; readonly end: () => void } => {
  const ended = new AbortController();
  const facts = factsOfVideoSource(ports, task, AbortSignal.any([signal, ended.signal]));
  facts.catch(() => undefined); // it is awaited only for a result
  return { facts, end: () => ended.abort() };
};

/**
 * Makes the result of a task's video. It has a name only once all of it is written: of a run that fails or is stopped
 * nothing can be downloaded.
 *
 * @param make writes the video, its reports and plans
 */
export const makeVideoResult = async (
  task: Task,
  { storage, system, log }: Pick<ProcessPorts, 'storage' | 'system' | 'log'>,
  records: ProgressRecords,
  make: (files: VideoTaskFiles) => Promise<VideoReport>,
  signal: AbortSignal,
): Promise<void> => {
  const { id, options } = task;
  const source = await openVideoSource(storage, task);
  const target = await storage.create(anonymisedVideoKey(id));
  const described = describeSource(task, { storage, system }, signal);
  try {
    const { models, ...report } = await make({ source, target });
    signal.throwIfAborted();
    const anonymised = options.method !== 'detect';
    if (anonymised) await target.commit();
    const facts = await described.facts;
    const provenance: Provenance = { version: VERSION, source: facts, ...(models && { models }) };
    await writeVideoResult({ storage, system }, id, { report, anonymised, provenance });
    const leftOut = leftOutOf(report, anonymised);
    logMissing(log, id, leftOut);
    await records.apply(id, { type: 'left-out', leftOut });
  } finally {
    described.end();
    await target.discard();
  }
  signal.throwIfAborted();
};

/** How a task's video is anonymised. @throws Error if the task is none of a video */
export const videoJobOf = (
  { options, video }: Task,
  { limits }: Pick<ProcessSettings, 'limits'>,
): VideoJob => {
  if (!video) throw new Error('A video was queued without its options.');
  return {
    options,
    tracking: video.tracking,
    ...(video.detectEvery === undefined ? {} : { detectEvery: video.detectEvery }),
    keepBitRate: video.keepBitRate,
    mutesAudio: video.mutesAudio ?? false,
    limits,
    framesPerReport: FRAMES_PER_FILE,
    keepsPlans: options.method !== 'detect',
  };
};

/** Anonymises a task's video in one pass. */
export const processVideo = (
  task: Task,
  ports: ProcessPorts,
  settings: ProcessSettings,
  records: ProgressRecords,
  signal: AbortSignal,
): Promise<void> => {
  const { engine, storage } = ports;
  const { id } = task;
  const make = async (files: VideoTaskFiles): Promise<VideoReport> => {
    const job = videoJobOf(task, settings);
    let written = 0;
    const report: VideoFiles['report'] = async (frames, plans) => {
      const part = written++;
      await writeFrames(storage, id, part, frames);
      if (job.keepsPlans) await writeFramePlans(storage, id, part, plans);
    };
    const onProgress = (progress: VideoProgress): void => void records.apply(id, progressed(progress));
    const { timings: _timings, ...done } = await engine.anonymiseVideo(
      job,
      { ...files, report },
      onProgress,
      signal,
    );
    return done;
  };
  return makeVideoResult(task, ports, records, make, signal);
};
