import { MIN_PLATE_PART } from '../catalogue/class-rules';
import { chooseModels } from './packs/choose';
import type { AnonymisedVideo, EngineMethods, VideoFiles, VideoJob } from '../ports/engine';
import type { VideoCodec, VideoReader, VideoFrame } from '../ports/video';
import type { ImagePorts } from './anonymise-image';
import { findAround } from './search/find-around';
import { splitAtSeam } from './fusion/seam';
import { planAreas, withAreas, type PlannedArea } from './edits/hidden-areas';
import { createFollower, detectionThresholds } from './track/follow';
import type { FollowedDetection, FollowedFrame, Follower } from './track/follow-tracks';
import type { RedactionPlan, FramePlan, FrameReport } from '../domain/plan';
import { planRedaction } from './redact/plan-redaction';
import { createPyramid } from './pixels/pyramid';
import {
  type FramePlanner,
  type SettledFrame,
  type VideoRun,
  decodedFrames,
  partOf,
  redactVideo,
} from './video/redact-video';
import { reportPlan } from './redact/report';
import {
  type ScheduledFrame,
  type ScheduleOptions,
  planSearches,
  scheduleSearches,
} from './search/search-schedule';
import { usedModels, type SearchScope } from './search/plan-search';
import { givenFrames } from './video/given-frames';
import { withTiling } from './video/video-tiling';
import { segmentAround } from './masks/segment-around';
import { withoutTextOnPlates } from '../domain/text-on-plates';
import { areaRatio, intersectionOverSmaller, type Box } from '../domain/boxes';
import type { Detection } from '../domain/detection';
import { mapAhead } from './runtime/in-parallel';
import type { Prediction } from './track/track';

/** Number of frames that are decoded and searched ahead, so that steps overlap. */
const FRAMES_AHEAD = 4;

/** The class with aimed passes: only plates have a network that scores a single place. */
const AIMED_CLASS = 'license-plate';
/** Maximum number of aimed passes in a frame, confirmed tracks first; one takes about 1.5 ms of a core. */
const MAX_AIMED_PASSES = 24;
/** Two boxes whose intersection is this share of the smaller one show the same plate. */
const SAME_PLACE = 0.3;

interface SearchedFrame extends ScheduledFrame {
  readonly detections: readonly Detection[];
}

/** A decoded frame with all objects to hide in it. */
export interface FollowedVideoFrame {
  readonly frame: VideoFrame;
  readonly detections: readonly FollowedDetection[];
}

/** Searches a frame. */
export type SearchFrame = (frame: VideoFrame, scope: SearchScope) => Promise<readonly Detection[]>;

const isAt = (a: Box, b: Box): boolean =>
  intersectionOverSmaller(a, b) >= SAME_PLACE && areaRatio(a, b) >= MIN_PLATE_PART;

/**
 * Searches again at the predicted places of tracks that were not detected in this frame.
 *
 * The prediction of a frame that was searched ahead is older, and may be wrong for plates with weak or few hits.
 */
const withAimedPass = async (
  { frame, depth, detections }: SearchedFrame,
  follower: Follower,
  search: SearchFrame,
): Promise<readonly Detection[]> => {
  if (depth === 'none') return detections;
  const known = detections.filter(({ objectClass }) => objectClass === AIMED_CLASS);
  const expected = follower
    .expect(frame)
    .filter((one) => one.objectClass === AIMED_CLASS && !known.some(({ box }) => isAt(box, one.box)))
    .slice(0, MAX_AIMED_PASSES);
  if (expected.length === 0) return detections;
  const aimedDetections = await search(frame, { depth: 'aimed', expected, isVideo: true });
  const others = aimedDetections.filter(({ box }) => !known.some((one) => isAt(one.box, box)));
  return [...detections, ...others];
};

/**
 * Searches several frames of a video concurrently, and tracks the detections in order.
 *
 * The prediction for a frame is always made a fixed number of frames earlier, so that results do not depend on the
 * search that ends first. Tracks without a detection are searched again when the frame is tracked.
 *
 * @param search searches one frame; not called for frames of depth `none`
 * @returns all frames in order, in groups: those settled after each frame, and the rest at the end
 */
export async function* followFrames(
  frames: AsyncIterable<VideoFrame>,
  plan: ScheduleOptions,
  follower: Follower,
  search: SearchFrame,
): AsyncGenerator<readonly FollowedVideoFrame[]> {
  /** The frames that the follower holds back, by index. */
  const held = new Map<number, VideoFrame>();
  const withFrames = (settled: readonly FollowedFrame[]): FollowedVideoFrame[] =>
    settled.map(({ index, detections }) => {
      const frame = held.get(index);
      if (!frame) throw new Error('a frame was settled that was not held');
      held.delete(index);
      return { frame, detections };
    });
  const predictions = new Map<number, Prediction>();
  let taken = 0;
  let pushed = 0;
  const searchNext = async ({ frame, depth }: ScheduledFrame): Promise<SearchedFrame> => {
    const known = taken++ - FRAMES_AHEAD;
    const expected = predictions.get(known)?.(frame.timestampUs) ?? [];
    predictions.delete(known);
    return {
      frame,
      depth,
      detections: depth === 'none' ? [] : await search(frame, { depth, expected, isVideo: true }),
    };
  };
  for await (const searched of mapAhead(scheduleSearches(frames, plan), FRAMES_AHEAD, searchNext)) {
    const { frame } = searched;
    held.set(frame.index, frame);
    const detections = await withAimedPass(searched, follower, search);
    const settled = withFrames(follower.push(frame, detections));
    predictions.set(pushed++, follower.predict());
    yield settled;
  }
  yield withFrames(follower.finish());
  if (held.size > 0) throw new Error('frames were left over');
}

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
  {
    frame,
    detections,
    detectedInS,
    areas,
  }: FollowedVideoFrame & { readonly detectedInS: number; readonly areas: readonly PlannedArea[] },
): FoundFrame => {
  let segmentedInS = 0;
  return {
    frame,
    detections,
    searchedInS: () => detectedInS + segmentedInS,
    plan: async () => {
      const { raster } = frame;
      const { maskModels: models } = chooseModels(ports.manifest, job.options);
      const masks = { models, sessions: ports.sessions, signal: run.signal };
      const [outlines, seconds] = await run.timed('segment', () =>
        segmentAround(createPyramid(raster), detections, masks),
      );
      segmentedInS = seconds;
      return withAreas(planRedaction(raster, detections, outlines, job.options), areas, frame);
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
      findAround(createPyramid(raster), options, ports, { signal: run.signal, scope }),
    );
    detectedInS.set(index, (detectedInS.get(index) ?? 0) + seconds);
    return detections;
  };
  const areas = planAreas(job.options, reader);
  const plan = planSearches(!job.noObjectTracking, job.detectEvery);
  const frames = decodedFrames(reader, run, partOf(job));
  for await (const followed of followFrames(frames, plan, createFollower(job, reader), search)) {
    yield followed.map(({ frame, detections: wholes }) => {
      const { index, raster } = frame;
      const detections = wholes.flatMap((one) => splitAtSeam(one, raster.width));
      const one = {
        frame,
        detections: withoutTextOnPlates(detections, () => true),
        detectedInS: detectedInS.get(index) ?? 0,
        areas,
      };
      detectedInS.delete(index);
      return settleFrame(job, ports, run, one);
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
    frames: (reader, run) => {
      const tiled = withTiling(job, reader);
      return job.given ? givenFrames(tiled, files, reader, run) : foundFrames(tiled, ports, reader, run);
    },
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
