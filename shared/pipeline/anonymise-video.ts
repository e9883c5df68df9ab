import { chooseModels } from '../catalogue/choose';
import type { VideoFiles, VideoJob, VideoProgress, VideoResult } from '../ports/engine';
import type { VideoCodec, VideoFrame, VideoReader, VideoWriter } from '../ports/video';
import type { ImagePorts } from './anonymise-image';
import type { Detection } from './detection';
import { findObjects } from './find-objects';
import { createFollower, detectionThresholds, type FollowedFrame, type Follower } from './follow';
import { mapAhead } from './in-parallel';
import { planRedaction } from './plan-redaction';
import { createPyramid } from './pyramid';
import { redact } from './redact';
import { reportPlan } from './report';
import { scheduleSearches, type ScheduledFrame } from './search-schedule';
import { segment } from './segment';
import { createStopwatch, type Stopwatch } from './stopwatch';
import type { FrameReport } from './video-report';
import { retryReads } from './video-source';

export interface VideoPorts extends Omit<ImagePorts, 'codec'> {
  readonly videoCodec: VideoCodec;
}

/** What the steps of one video share. */
interface Run {
  readonly job: VideoJob;
  readonly files: VideoFiles;
  readonly ports: VideoPorts;
  /** Aborted by the caller, or by the step that fails first. */
  readonly signal: AbortSignal;
  /** Ends all steps with the reason why. */
  readonly stop: (reason: unknown) => void;
  readonly watch: Stopwatch;
  readonly writer: VideoWriter | undefined;
  /** Frames that are decoded and not yet settled, by index: as many as the follower holds back. */
  readonly held: Map<number, HeldFrame>;
  reports: FrameReport[];
}

/** Frames that are decoded and searched ahead of the one whose turn it is: what one step waits for, another does. */
const FRAMES_AHEAD = 3;

interface HeldFrame {
  readonly frame: VideoFrame;
  readonly detectedInS: number;
}

const timed = async <T>(
  { ports, watch }: Run,
  step: string,
  work: () => Promise<T> | T,
): Promise<[T, number]> => {
  const started = ports.system.elapsedMs();
  const value = await watch.time(step, work);
  return [value, (ports.system.elapsedMs() - started) / 1000];
};

interface SearchedFrame extends HeldFrame {
  readonly detections: readonly Detection[];
}

/** Unsure finds too, where they may continue what was found in other frames. */
const detectFrame = async (run: Run, { frame, isSearched }: ScheduledFrame): Promise<SearchedFrame> => {
  const { job, ports, signal } = run;
  if (!isSearched) return { frame, detections: [], detectedInS: 0 };
  const options = { ...job.options, thresholds: detectionThresholds(job) };
  const [detections, detectedInS] = await timed(run, 'detect', () =>
    findObjects(createPyramid(frame.raster), options, ports, () => undefined, signal),
  );
  return { frame, detections, detectedInS };
};

const redactFrame = async (
  run: Run,
  { raster, index, timestampUs }: VideoFrame,
  detections: FollowedFrame['detections'],
  detectedInS: number,
): Promise<FrameReport> => {
  const { job, ports, signal } = run;
  const { personMasks } = chooseModels(ports.manifest, job.options.classes);
  const [outlines, segmentedInS] = await timed(run, 'segment', () =>
    segment(createPyramid(raster), detections, personMasks, ports.sessions, signal),
  );
  const plan = planRedaction(raster, detections, outlines, job.options);
  const [, redactedInS] = await timed(run, 'redact', () => redact(raster, plan));
  const report = reportPlan(plan, detectedInS + segmentedInS + redactedInS);
  return {
    ...report,
    index,
    timestampUs,
    detections: report.detections.map((detection) => {
      const trackId = detections[detection.id]?.trackId;
      return trackId === undefined ? detection : { ...detection, trackId };
    }),
  };
};

const sendReports = async (run: Run): Promise<void> => {
  const { reports } = run;
  run.reports = [];
  if (reports.length > 0) await run.files.report(reports);
};

/** A frame leaves only here: redacted by its own settled detections. */
const settleFrame = async (run: Run, { index, detections }: FollowedFrame): Promise<void> => {
  const held = run.held.get(index);
  if (!held) throw new Error('a frame was settled that was not held');
  run.held.delete(index);
  const report = await redactFrame(run, held.frame, detections, held.detectedInS);
  await run.watch.time('encode', () => run.writer?.add(held.frame));
  run.reports.push(report);
  if (run.reports.length >= run.job.framesPerReport) await sendReports(run);
};

async function* timedFrames({ watch, signal }: Run, reader: VideoReader): AsyncGenerator<VideoFrame> {
  const frames = reader.frames(signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await watch.time('decode', () => frames.next());
      if (done) return;
      yield value;
    }
  } finally {
    await frames.return?.();
  }
}

/** Settled frames are redacted and written in order, while the next ones are decoded and searched. */
const settleBehind = (
  run: Run,
  onSettled: () => void,
): { add(frames: readonly FollowedFrame[]): Promise<void>; end(): Promise<void> } => {
  const settle = async (frames: readonly FollowedFrame[]): Promise<void> => {
    for (const frame of frames) {
      run.signal.throwIfAborted();
      await settleFrame(run, frame);
      onSettled();
    }
  };
  let settling = Promise.resolve();
  return {
    add: async (frames) => {
      await settling; // those before: memory stays bounded
      settling = settle(frames);
      settling.catch(run.stop);
    },
    end: () => settling,
  };
};

const processFrames = async (
  run: Run,
  reader: VideoReader,
  follower: Follower,
  onProgress: (progress: VideoProgress) => void,
): Promise<number> => {
  let settled = 0;
  const settling = settleBehind(run, () => {
    settled++;
    onProgress({ framesDone: settled, framesTotal: Math.max(settled, reader.frameCount) });
  });
  // What is not followed has to be found in each frame.
  const every = run.job.tracking ? (run.job.detectEvery ?? 1) : 1;
  const frames = scheduleSearches(timedFrames(run, reader), every);
  const detect = (scheduled: ScheduledFrame): Promise<SearchedFrame> => detectFrame(run, scheduled);
  try {
    for await (const searched of mapAhead(frames, FRAMES_AHEAD, detect)) {
      run.signal.throwIfAborted();
      run.held.set(searched.frame.index, searched);
      await settling.add(follower.push(searched.frame, searched.detections));
    }
    await settling.add(follower.finish());
    await settling.end();
  } catch (error) {
    run.stop(error);
    await settling.end().catch(() => undefined); // nothing is written behind a writer that is given up
    throw error;
  }
  if (run.held.size > 0) throw new Error('frames were left over');
  return settled;
};

const processVideo = async (
  run: Omit<Run, 'writer'>,
  reader: VideoReader,
  onProgress: (progress: VideoProgress) => void,
): Promise<number> => {
  const { job, files } = run;
  const target = job.options.method === 'detect' ? undefined : files.target;
  const writer = target && (await reader.createWriter(target, { keepBitRate: job.keepBitRate }));
  try {
    const whole: Run = { ...run, writer };
    const follower = createFollower(job, reader);
    const frames = await processFrames(whole, reader, follower, onProgress);
    await sendReports(whole);
    await run.watch.time('encode', () => writer?.finish());
    return frames;
  } catch (error) {
    await writer?.cancel().catch(() => undefined); // the first error is the one that says why
    throw error;
  }
};

/**
 * Anonymises one video: demux → decode → upright → detect → track → plan → redact → encode → mux.
 *
 * Frames are decoded, searched and written at the same time, each step in order. Memory does not grow with length: a
 * frame is held until the follower has settled it. Whatever fails, fails the whole: no result is better than one with a frame that was not redacted.
 *
 * @throws UnreadableFile where the file is to blame
 */
export const anonymiseVideo = async (
  job: VideoJob,
  files: VideoFiles,
  ports: VideoPorts,
  onProgress: (progress: VideoProgress) => void,
  signal: AbortSignal,
): Promise<VideoResult> => {
  const started = ports.system.elapsedMs();
  const watch = createStopwatch(ports.system);
  const busyBefore = ports.sessions.busyMs();
  const reader = await ports.videoCodec.open(retryReads(files.source), job.limits, signal);
  try {
    const stopped = new AbortController();
    const run = {
      job,
      files,
      ports,
      signal: AbortSignal.any([signal, stopped.signal]),
      stop: (reason: unknown) => stopped.abort(reason),
      watch,
      held: new Map<number, HeldFrame>(),
      reports: [],
    };
    const frameCount = await processVideo(run, reader, onProgress);
    const { width, height, reencodedAudioTracks, droppedAudioTracks } = reader;
    return {
      width,
      height,
      frameCount,
      lostFrames: reader.lostFrames(),
      reencodedAudioTracks,
      droppedAudioTracks,
      durationS: (ports.system.elapsedMs() - started) / 1000,
      timings: { ...watch.timings, models: ports.sessions.busyMs() - busyBefore },
    };
  } finally {
    reader.close();
    await reader.discard?.();
  }
};
