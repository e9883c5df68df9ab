import { paddingOf } from '../../engine/pixels/yuv';
import { workDone } from '../../engine/video/video-progress';
import type { VideoProgress } from '../../ports/engine';
import type { LeftOut, Task, TaskEvent } from '../../domain/task';
import type { VideoReport } from '../../domain/video-report';
import type { Log } from '../../ports/log';
import type { ProcessPorts, ProcessSettings, ProgressRecords } from './process-ports';
import {
  anonymisedVideoKey,
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

/**
 * Anonymises a task's video. The result has a name only once all of it is written: of a run that fails or is stopped
 * nothing can be downloaded.
 */
export const processVideo = async (
  task: Task,
  { engine, storage, system, log }: ProcessPorts,
  settings: ProcessSettings,
  records: ProgressRecords,
  signal: AbortSignal,
): Promise<void> => {
  const { id, options, video } = task;
  const keepsPlans = options.method !== 'detect';
  if (!video) throw new Error('A video was queued without its options.');
  const source = await openVideoSource(storage, task);
  const target = await storage.create(anonymisedVideoKey(id));
  try {
    let files = 0;
    const { timings: _timings, ...report } = await engine.anonymiseVideo(
      {
        options,
        tracking: video.tracking,
        ...(video.detectEvery === undefined ? {} : { detectEvery: video.detectEvery }),
        keepBitRate: video.keepBitRate,
        mutesAudio: video.mutesAudio ?? false,
        limits: settings.limits,
        framesPerReport: FRAMES_PER_FILE,
        keepsPlans,
      },
      {
        source,
        target,
        report: async (frames, plans) => {
          const part = files++;
          await writeFrames(storage, id, part, frames);
          if (keepsPlans) await writeFramePlans(storage, id, part, plans);
        },
      },
      (progress) => void records.apply(id, progressed(progress)),
      signal,
    );
    signal.throwIfAborted();
    const anonymised = options.method !== 'detect';
    if (anonymised) await target.commit();
    await writeVideoResult({ storage, system }, id, { report, anonymised });
    const leftOut = leftOutOf(report, anonymised);
    logMissing(log, id, leftOut);
    await records.apply(id, { type: 'left-out', leftOut });
  } finally {
    await target.discard();
  }
  signal.throwIfAborted();
};
