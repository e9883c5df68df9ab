import { chooseModels } from './packs/choose';
import type { AnonymisedVideo, EngineMethods, VideoFiles, VideoJob } from '../ports/engine';
import type { FrameHolding, FrameParking, VideoCodec, VideoReader } from '../ports/video';
import type { ImagePorts } from './anonymise-image';
import { followFrames, type FollowedVideoFrame, type SearchesAhead, type SearchFrame } from './follow-frames';
import { findAround } from './search/find-around';
import { splitAtSeam } from './fusion/seam';
import { planAreas, withAreas, type PlannedArea } from './edits/hidden-areas';
import { createFollower, detectionThresholds } from './track/follow';
import type { FollowedDetection, HeldMemory } from './track/follow-tracks';
import type { RedactionPlan, FramePlan, FrameReport } from '../domain/plan';
import { planRedaction } from './redact/plan-redaction';
import { labelPlan } from './redact/draw-plan';
import { createPyramid } from './pixels/pyramid';
import {
  type FramePlanner,
  type SettledFrame,
  type VideoRun,
  decodedFrames,
  processedRange,
  redactVideo,
} from './video/redact-video';
import { reportPlan } from './redact/report';
import { planSearches } from './search/search-schedule';
import { usedModels } from './search/plan-search';
import { givenFrames } from './video/given-frames';
import { withTiling } from './video/video-tiling';
import { segmentAround } from './masks/segment-around';
import { withoutTextOnPlates } from '../domain/text-on-plates';
import type { Size } from '../domain/raster';

export interface VideoPorts extends Omit<ImagePorts, 'codec'> {
  readonly videoCodec: VideoCodec;
}

/** A followed frame, and what else decides what is hidden in it. */
export interface SearchedVideoFrame extends FollowedVideoFrame {
  readonly detectedInS: number;
  readonly areas: readonly PlannedArea[];
  /** See `FrameParking`. */
  readonly unpark: () => void;
}

interface FoundFrame extends SettledFrame {
  /** Of a bag: the topic of the frame. */
  readonly topic?: string;
  readonly detections: readonly FollowedDetection[];
  /** Seconds of inference so far. */
  readonly searchedInS: () => number;
}

/** Plans the redaction of a frame by its settled detections. */
export const settleFrame = (
  job: VideoJob,
  ports: Omit<VideoPorts, 'videoCodec'>,
  run: VideoRun,
  { frame, detections, detectedInS, areas, unpark }: SearchedVideoFrame,
): FoundFrame => {
  let segmentedInS = 0;
  return {
    frame,
    detections,
    searchedInS: () => detectedInS + segmentedInS,
    plan: async () => {
      unpark();
      const { raster } = frame;
      const { maskModels: models } = chooseModels(ports.manifest, job.options);
      const masks = { models, sessions: ports.sessions, signal: run.signal };
      const [outlines, seconds] = await run.timed('segment', () =>
        segmentAround(createPyramid(raster), detections, masks),
      );
      segmentedInS = seconds;
      const plan = planRedaction(raster, detections, outlines, job.options);
      return labelPlan(withAreas(plan, areas, frame), job.options);
    },
  };
};

/** What is searched: a video, or a topic of a bag. */
export interface SearchedSource extends Size, SearchesAhead, Pick<VideoReader, 'frames'> {
  /** For frames that are held back; absent: that of videos. */
  readonly memory?: HeldMemory;
  readonly parking?: FrameHolding & Partial<Pick<FrameParking, 'unpark'>>;
}

/** Decodes, searches and tracks: a frame is returned when the follower has settled its detections. */
export async function* searchedFrames(
  job: VideoJob,
  ports: Omit<VideoPorts, 'videoCodec'>,
  source: SearchedSource,
  run: VideoRun,
): AsyncGenerator<SearchedVideoFrame[]> {
  // With weak detections, because they may continue tracks of other frames.
  const options = { ...job.options, thresholds: detectionThresholds(job) };
  const detectedInS = new Map<number, number>();
  const search: SearchFrame = async ({ raster, index }, scope) => {
    const [detections, seconds] = await run.timed('detect', () =>
      findAround(createPyramid(raster), options, ports, { signal: run.signal, scope }),
    );
    detectedInS.set(index, (detectedInS.get(index) ?? 0) + seconds);
    return detections;
  };
  const areas = planAreas(job.options, source);
  const plan = { ...planSearches(!job.noObjectTracking, job.detectEvery), ahead: source.ahead };
  const frames = decodedFrames(source, run, processedRange(job));
  const follower = createFollower(job, source, source);
  for await (const followed of followFrames(frames, plan, follower, search)) {
    yield followed.map(({ frame, detections: wholes }) => {
      const { index } = frame;
      const detections = wholes.flatMap((one) => splitAtSeam(one, source.width));
      const one = {
        frame,
        detections: withoutTextOnPlates(detections, () => true),
        detectedInS: detectedInS.get(index) ?? 0,
        areas,
        unpark: () => source.parking?.unpark?.(frame),
      };
      detectedInS.delete(index);
      return one;
    });
  }
}

async function* foundFrames(
  job: VideoJob,
  ports: VideoPorts,
  reader: VideoReader,
  run: VideoRun,
): AsyncGenerator<FoundFrame[]> {
  for await (const searched of searchedFrames(job, ports, reader, run)) {
    yield searched.map((one) => settleFrame(job, ports, run, one));
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
  const { topic } = settled;
  return { ...report, index, timestampUs, ...(topic !== undefined && { topic }), detections };
};

const framePlan = (settled: FoundFrame, { regions }: RedactionPlan): FramePlan => {
  const { index, timestampUs } = settled.frame;
  return { index, timestampUs, regions: regions.map((one) => ({ ...one, ...trackOf(settled, one.id) })) };
};

/** Passes on reports and plans of some frames at a time. */
export const createReporter = (
  job: VideoJob,
  files: Pick<VideoFiles, 'report'>,
): Required<Pick<FramePlanner<FoundFrame>, 'onWritten' | 'finish'>> => {
  let reports: FrameReport[] = [];
  let plans: FramePlan[] = [];
  const send = async (): Promise<void> => {
    const [someReports, somePlans] = [reports, plans];
    [reports, plans] = [[], []];
    if (someReports.length > 0) await files.report(someReports, somePlans);
  };
  return {
    onWritten: async (settled, plan, redactedInS) => {
      reports.push(reportFrame(settled, plan, redactedInS));
      if (job.keepsPlans) plans.push(framePlan(settled, plan));
      if (reports.length >= job.framesPerReport) await send();
    },
    finish: send,
  };
};

/** Plans each frame by its detections, and reports it. */
const planByDetection = (job: VideoJob, files: VideoFiles, ports: VideoPorts): FramePlanner<FoundFrame> => ({
  frames: (reader, run) => {
    const tiled = withTiling(job, reader);
    return job.given ? givenFrames(tiled, files, reader, run) : foundFrames(tiled, ports, reader, run);
  },
  ...createReporter(job, files),
});

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
  [job, files, onProgress, signal]: Parameters<EngineMethods['anonymiseVideo']>,
  ports: VideoPorts,
): Promise<AnonymisedVideo> => {
  const busyBefore = ports.sessions.busyMs();
  const planner = planByDetection(job, files, ports);
  const result = await redactVideo({ output: job, files, planner, onProgress }, ports, signal);
  return {
    ...result,
    models: job.given ? [] : usedModels(ports.manifest, job.options),
    timings: { ...result.timings, models: ports.sessions.busyMs() - busyBefore },
  };
};
