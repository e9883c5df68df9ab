import { chooseModels } from './packs/choose';
import type { AnonymisedVideo, VideoFiles, VideoJob, VideoProgress } from '../ports/engine';
import type { VideoCodec, VideoReader } from '../ports/video';
import type { ImagePorts } from './anonymise-image';
import { findObjects } from './search/find-objects';
import { createFollower, detectionThresholds, type FollowedDetection } from './track/follow';
import { followFrames, type FollowedVideoFrame, type SearchFrame } from './video/follow-frames';
import type { RedactionPlan, FramePlan } from '../domain/plan';
import { planRedaction } from './redact/plan-redaction';
import { createPyramid } from './pixels/pyramid';
import type { FramePlanner, SettledFrame, VideoRun } from './video/redact-video';
import { decodedFrames, redactVideo } from './video/redact-video';
import { reportPlan } from './redact/report';
import { planSearches } from './search/search-schedule';
import { usedModels } from './search/plan-search';
import { segment } from './masks/segment';
import { withoutTextOnPlates } from '../domain/text-on-plates';
import type { FrameReport } from '../domain/image-report';

export interface VideoPorts extends Omit<ImagePorts, 'codec'> {
  readonly videoCodec: VideoCodec;
}

interface FoundFrame extends SettledFrame {
  readonly detections: readonly FollowedDetection[];
  /** Seconds of inference so far. */
  readonly searchedInS: () => number;
}

/** Plans the redaction of a frame by its settled detections. */
const settleFrame = (
  job: VideoJob,
  ports: VideoPorts,
  run: VideoRun,
  { frame, detections }: FollowedVideoFrame,
  detectedInS: number,
): FoundFrame => {
  let segmentedInS = 0;
  return {
    frame,
    detections,
    searchedInS: () => detectedInS + segmentedInS,
    plan: async () => {
      const { raster } = frame;
      const { maskModels } = chooseModels(ports.manifest, job.options.classes);
      const [outlines, seconds] = await run.timed('segment', () =>
        segment(createPyramid(raster), detections, maskModels, ports.sessions, run.signal),
      );
      segmentedInS = seconds;
      return planRedaction(raster, detections, outlines, job.options);
    },
  };
};

/** Decodes, searches and tracks: a frame is returned when the follower has settled its detections. */
async function* foundFrames(
  job: VideoJob,
  ports: VideoPorts,
  reader: VideoReader,
  run: VideoRun,
): AsyncGenerator<FoundFrame[]> {
  // With weak detections, because they may continue tracks of other frames.
  const options = { ...job.options, thresholds: detectionThresholds(job) };
  const detectedInS = new Map<number, number>();
  const search: SearchFrame = async ({ raster, index }, scope) => {
    const [detections, seconds] = await run.timed('detect', () =>
      findObjects(createPyramid(raster), options, ports, { signal: run.signal, scope }),
    );
    detectedInS.set(index, (detectedInS.get(index) ?? 0) + seconds);
    return detections;
  };
  const plan = planSearches(!job.noObjectTracking, job.detectEvery, job.options.qualityPreset);
  const frames = decodedFrames(reader, run, job.analysis);
  for await (const followed of followFrames(frames, plan, createFollower(job, reader), search)) {
    yield followed.map(({ frame, detections }) => {
      const one = { frame, detections: withoutTextOnPlates(detections, () => true) };
      const { index } = frame;
      const seconds = detectedInS.get(index) ?? 0;
      detectedInS.delete(index);
      return settleFrame(job, ports, run, one, seconds);
    });
  }
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

/** Plans each frame by its detections, and passes on reports of some frames at a time. */
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
 * With `analysis`, a part of the video is planned, and nothing is redacted or written.
 *
 * Memory does not grow with length: a frame is held until the follower has settled it.
 *
 * @throws UnreadableFile where the file is to blame
 * @see redactVideo for the steps that run concurrently, and the effect of a failure
 */
export const anonymiseVideo = async (
  job: VideoJob,
  files: VideoFiles,
  ports: VideoPorts,
  onProgress: (progress: VideoProgress) => void,
  signal: AbortSignal,
): Promise<AnonymisedVideo> => {
  const busyBefore = ports.sessions.busyMs();
  const planner = planByDetection(job, files, ports);
  const result = await redactVideo({ output: job, files, planner, onProgress }, ports, signal);
  return {
    ...result,
    models: usedModels(ports.manifest, job.options),
    timings: { ...result.timings, models: ports.sessions.busyMs() - busyBefore },
  };
};
