import { chooseModels } from '../catalogue/choose';
import type { VideoFiles, VideoJob, VideoProgress, VideoResult } from '../ports/engine';
import type { VideoCodec, VideoFrame, VideoReader } from '../ports/video';
import type { ImagePorts } from './anonymise-image';
import type { Detection } from './detection';
import { findObjects } from './find-objects';
import { createFollower, detectionThresholds, type FollowedFrame } from './follow';
import { mapAhead } from './in-parallel';
import type { RedactionPlan } from './plan';
import { planRedaction } from './plan-redaction';
import { createPyramid } from './pyramid';
import {
  decodedFrames,
  redactVideo,
  type FramePlanner,
  type SettledFrame,
  type VideoRun,
} from './redact-video';
import { reportPlan } from './report';
import { scheduleSearches, type ScheduledFrame } from './search-schedule';
import { segment } from './segment';
import type { FramePlan } from './video-edits';
import type { FrameReport } from './video-report';

export interface VideoPorts extends Omit<ImagePorts, 'codec'> {
  readonly videoCodec: VideoCodec;
}

/** Frames that are decoded and searched ahead of the one whose turn it is: what one step waits for, another does. */
const FRAMES_AHEAD = 3;

/** A frame that is decoded and not yet settled. */
interface HeldFrame {
  readonly frame: VideoFrame;
  readonly detectedInS: number;
}

interface SearchedFrame extends HeldFrame {
  readonly detections: readonly Detection[];
}

interface FoundFrame extends SettledFrame {
  readonly detections: FollowedFrame['detections'];
  /** Seconds of the models' work on it, so far. */
  readonly searchedInS: () => number;
}

/** Unsure finds too, where they may continue what was found in other frames. */
const detectFrame = async (
  job: VideoJob,
  ports: VideoPorts,
  run: VideoRun,
  { frame, isSearched }: ScheduledFrame,
): Promise<SearchedFrame> => {
  if (!isSearched) return { frame, detections: [], detectedInS: 0 };
  const options = { ...job.options, thresholds: detectionThresholds(job) };
  const [detections, detectedInS] = await run.timed('detect', () =>
    findObjects(createPyramid(frame.raster), options, ports, () => undefined, run.signal),
  );
  return { frame, detections, detectedInS };
};

/** A frame that is hidden by its own settled detections. */
const settleFrame = (
  job: VideoJob,
  ports: VideoPorts,
  run: VideoRun,
  { frame, detectedInS }: HeldFrame,
  detections: FollowedFrame['detections'],
): FoundFrame => {
  let segmentedInS = 0;
  return {
    frame,
    detections,
    searchedInS: () => detectedInS + segmentedInS,
    plan: async () => {
      const { raster } = frame;
      const { personMasks } = chooseModels(ports.manifest, job.options.classes);
      const [outlines, seconds] = await run.timed('segment', () =>
        segment(createPyramid(raster), detections, personMasks, ports.sessions, run.signal),
      );
      segmentedInS = seconds;
      return planRedaction(raster, detections, outlines, job.options);
    },
  };
};

/** Decodes, searches and follows: a frame comes out when the follower has settled what is hidden in it. */
async function* foundFrames(
  job: VideoJob,
  ports: VideoPorts,
  reader: VideoReader,
  run: VideoRun,
): AsyncGenerator<FoundFrame[]> {
  /** By index: as many as the follower holds back. */
  const held = new Map<number, HeldFrame>();
  const settle = (frames: readonly FollowedFrame[]): FoundFrame[] =>
    frames.map(({ index, detections }) => {
      const found = held.get(index);
      if (!found) throw new Error('a frame was settled that was not held');
      held.delete(index);
      return settleFrame(job, ports, run, found, detections);
    });
  const follower = createFollower(job, reader);
  // What is not followed has to be found in each frame.
  const every = job.tracking ? (job.detectEvery ?? 1) : 1;
  const frames = scheduleSearches(decodedFrames(reader, run), every);
  const detect = (scheduled: ScheduledFrame): Promise<SearchedFrame> =>
    detectFrame(job, ports, run, scheduled);
  for await (const searched of mapAhead(frames, FRAMES_AHEAD, detect)) {
    held.set(searched.frame.index, searched);
    yield settle(follower.push(searched.frame, searched.detections));
  }
  yield settle(follower.finish());
  if (held.size > 0) throw new Error('frames were left over');
}

const trackOf = ({ detections }: FoundFrame, id: number): { readonly trackId?: number } => {
  const trackId = detections[id]?.trackId;
  return trackId === undefined ? {} : { trackId };
};

const reportFrame = (settled: FoundFrame, plan: RedactionPlan, redactedInS: number): FrameReport => {
  const { index, timestampUs } = settled.frame;
  const report = reportPlan(plan, settled.searchedInS() + redactedInS);
  const detections = report.detections.map((one) => ({ ...one, ...trackOf(settled, one.id) }));
  return { ...report, index, timestampUs, detections };
};

const framePlan = (settled: FoundFrame, { regions }: RedactionPlan): FramePlan => {
  const { index, timestampUs } = settled.frame;
  return { index, timestampUs, regions: regions.map((one) => ({ ...one, ...trackOf(settled, one.id) })) };
};

/** Plans by what detectors find, and hands over what was done, some frames at a time. */
const planByDetection = (job: VideoJob, files: VideoFiles, ports: VideoPorts): FramePlanner<FoundFrame> => {
  let reports: FrameReport[] = [];
  let plans: FramePlan[] = [];
  const send = async (): Promise<void> => {
    const [someReports, somePlans] = [reports, plans];
    [reports, plans] = [[], []];
    if (someReports.length > 0) await files.report(someReports, somePlans);
  };
  return {
    frames: (reader, run) => foundFrames(job, ports, reader, run),
    onWritten: async (settled, plan, redactedInS) => {
      reports.push(reportFrame(settled, plan, redactedInS));
      if (job.keepsPlans) plans.push(framePlan(settled, plan));
      if (reports.length >= job.framesPerReport) await send();
    },
    finish: send,
  };
};

/**
 * Anonymises one video: demux → decode → upright → detect → track → plan → redact → encode → mux.
 *
 * Memory does not grow with length: a frame is held until the follower has settled it.
 *
 * @throws UnreadableFile where the file is to blame
 * @see redactVideo for what runs beside what, and what a failure ends
 */
export const anonymiseVideo = async (
  job: VideoJob,
  files: VideoFiles,
  ports: VideoPorts,
  onProgress: (progress: VideoProgress) => void,
  signal: AbortSignal,
): Promise<VideoResult> => {
  const busyBefore = ports.sessions.busyMs();
  const planner = planByDetection(job, files, ports);
  const result = await redactVideo(job, files, planner, ports, onProgress, signal);
  return { ...result, timings: { ...result.timings, models: ports.sessions.busyMs() - busyBefore } };
};
