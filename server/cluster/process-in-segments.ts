import { hides } from '#shared/catalogue/methods';
import { FailureError } from '#shared/domain/failure';
import { unitedModels, type UsedModel } from '#shared/domain/image-header';
import type { TaskEvent } from '#shared/domain/task';
import { joinSegments, SegmentsDiffer, type SegmentFrames } from '#shared/engine/segments/join-segments';
import type { AnalysedFrame } from '#shared/engine/segments/join-frames';
import { planSegments } from '#shared/engine/segments/plan-segments';
import { workDone } from '#shared/engine/video/video-source';
import type { VideoSurvey } from '#shared/ports/engine';
import type { Storage } from '#shared/ports/storage';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import {
  FRAMES_PER_FILE,
  openVideoSource,
  readFramePlans,
  removeFrames,
  writeFramePlans,
  writeFrames,
} from '#shared/tasks/files/video-files';
import { makeVideoResult, videoJobOf, type ProcessedVideo } from '#shared/tasks/run/process-video';
import { megapixelsOfFrames, TaskStopped } from '#shared/tasks/run/task-clock';
import type { KeptClaim } from '#shared/tasks/jobs/run-claim';
import { pause, repeat } from '#shared/tasks/base/repeat';
import type { Claim, Job } from '#shared/tasks/base/job-store';
import { enqueue, type ClaimPorts } from './cluster-ports';
import { runSegmentWith, readSegment } from './run-segment';
import type { SegmentRecord } from './shared-task-store';

/** A claim on a video and what the work on it uses. */
export interface VideoWork {
  readonly claim: Claim;
  readonly kept: KeptClaim;
  /** Gives the upload a path on this machine. */
  readonly storage: Storage;
  readonly ports: ClaimPorts;
}

/** Between two checks of the segments that other workers analyse. */
const CHECK_MS = 1_000;
/** Jobs of waiting segments are added again in this interval, because the queue may have lost them. */
const REQUEUE_MS = 10_000;
/** Share of the analysis in the whole work: rendering takes 5–20 times less. */
const ANALYSIS_SHARE = 0.9;

/** A job that calls a worker to one of the segments; it takes the first that waits. */
const jobOf = (taskId: string, { number, attempts }: SegmentRecord): Job => ({
  id: `${taskId}-segment-${number}-${attempts}`,
  kind: 'segments',
  taskId,
  isUrgent: false,
});

const lengthOf = ({ segment: { analysed } }: SegmentRecord): number => analysed.untilUs - analysed.fromUs;

/** Share of the analysis that is done, 0..1. */
const shareDone = (segments: readonly SegmentRecord[], { endUs, frameCount }: VideoSurvey): number => {
  const frameUs = endUs / frameCount;
  const doneUs = (one: SegmentRecord): number =>
    one.state === 'done' ? lengthOf(one) : Math.min(lengthOf(one), one.framesDone * frameUs);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return sum(segments.map(doneUs)) / sum(segments.map(lengthOf));
};

const progressed = (progress: number, { frameCount, pixels }: VideoSurvey): TaskEvent => ({
  type: 'progressed',
  progress,
  megapixels: megapixelsOfFrames(frameCount, pixels),
  frames: { done: Math.floor(progress * frameCount), total: frameCount },
});

/** Calls other workers to segments that wait, and reports progress, until the signal aborts. */
const callOthers = async (
  { claim: { task }, kept, ports }: VideoWork,
  survey: VideoSurvey,
  signal: AbortSignal,
): Promise<void> => {
  const { store } = ports;
  const call = async (): Promise<void> => {
    const waiting = (await store.segmentsOf(task.id)).filter(({ state }) => state === 'waiting');
    if (waiting.length === 0) return;
    const jobs = waiting.map((segment) => jobOf(task.id, segment));
    enqueue(jobs, ports);
  };
  const report = async (): Promise<void> => {
    const segments = await store.segmentsOf(task.id);
    if (segments.length > 0) kept.report(progressed(ANALYSIS_SHARE * shareDone(segments, survey), survey));
  };
  await Promise.all([
    repeat(
      { everyMs: REQUEUE_MS, problem: 'Segments were not queued; it is tried again.' },
      call,
      ports,
      signal,
    ),
    repeat({ everyMs: CHECK_MS, problem: 'The progress of segments is unknown.' }, report, ports, signal),
  ]);
};

/** @returns whether all segments are done @throws FailureError where one has failed */
const areDone = (segments: readonly SegmentRecord[]): boolean => {
  const failed = segments.find(({ state }) => state === 'failed');
  if (failed?.failure) throw new FailureError(failed.failure);
  return segments.length > 0 && segments.every(({ state }) => state === 'done');
};

/**
 * Works on segments until none waits, then waits for those of other workers. One worker alone never waits.
 *
 * @throws FailureError where a segment has failed
 */
const analyseAll = async ({
  claim: { task },
  kept,
  storage,
  ports,
}: VideoWork): Promise<readonly SegmentRecord[]> => {
  const { store, timer, workerName } = ports;
  for (;;) {
    kept.signal.throwIfAborted();
    const segments = await store.segmentsOf(task.id);
    if (areDone(segments)) return segments;
    const own = await store.claimSegment(task.id, workerName);
    if (!own) {
      await pause(CHECK_MS, timer, kept.signal);
      continue;
    }
    const outcome = await runSegmentWith(own, ports, storage, kept.signal);
    if (outcome === 'files-unavailable') {
      throw new StorageUnavailable('unreachable', new Error('A segment could not read or write its files.'));
    }
  }
};

/** Writes reports and plans of all frames into the files of the task. */
const writeJoined = async (
  storage: Storage,
  id: string,
  joined: AsyncIterable<AnalysedFrame>,
  signal: AbortSignal,
): Promise<void> => {
  let part = 0;
  let frames: AnalysedFrame[] = [];
  const write = async (): Promise<void> => {
    const reports = frames.map(({ report }) => report);
    const plans = frames.map(({ plan }) => plan);
    frames = [];
    await writeFrames(storage, id, part, reports);
    await writeFramePlans(storage, id, part, plans);
    part += 1;
  };
  for await (const frame of joined) {
    signal.throwIfAborted();
    frames.push(frame);
    if (frames.length === FRAMES_PER_FILE) await write();
  }
  if (frames.length > 0) await write();
};

/** Joins the segments and renders the whole video by their plans. */
const renderJoined = async (
  { claim: { task, settings }, kept, storage, ports }: VideoWork,
  segments: readonly SegmentRecord[],
  survey: VideoSurvey,
  startedMs: number,
): Promise<void> => {
  const { engine, system, log } = ports;
  const { id } = task;
  const models: (readonly UsedModel[])[] = [];
  const read = async (number: number): Promise<SegmentFrames> => {
    const { token } = segments[number] ?? {};
    const frames = token == null ? undefined : await readSegment(storage, { taskId: id, number, token });
    if (!frames) throw new SegmentsDiffer('the result of a segment is missing');
    models.push(frames.models);
    return frames;
  };
  const joined = joinSegments(
    segments.map(({ segment }) => segment),
    read,
  );
  await writeJoined(storage, id, joined, kept.signal);
  await makeVideoResult(
    {
      task,
      ports: { engine, storage, system, log },
      report: (event) => kept.report(event),
      signal: kept.signal,
    },
    async (files): Promise<ProcessedVideo> => {
      const {
        timings: _timings,
        followed: _none,
        shown: _all,
        ...report
      } = await engine.renderVideo(
        { ...videoJobOf(task, settings), edits: {} },
        { ...files, plans: (part) => readFramePlans(storage, id, part) },
        (progress) =>
          kept.report(progressed(ANALYSIS_SHARE + (1 - ANALYSIS_SHARE) * workDone(progress), survey)),
        kept.signal,
      );
      const durationS = (system.elapsedMs() - startedMs) / 1000;
      return { ...report, durationS, models: unitedModels(models) };
    },
  );
};

/** Errors that mean that segments and video have different frames. They lose their class between threads. */
const DIFFERENCES: readonly string[] = ['SegmentsDiffer', 'PlansDiffer'];

const isDifference = (error: unknown): boolean => error instanceof Error && DIFFERENCES.includes(error.name);

/** @returns undefined if the video is not divided */
const surveyLongVideo = async ({ claim: { task, settings }, kept, storage, ports }: VideoWork) => {
  if (task.kind !== 'video' || !hides(task.options.method)) return undefined;
  if (task.video?.preview !== undefined) return undefined; // it is short
  if (task.given) return undefined; // nothing is searched
  // A video with a visible subject is planned and rendered by one worker.
  if (task.options.show !== undefined) return undefined;
  const source = await openVideoSource(storage, task);
  const { engine } = ports;
  const survey = await engine.retrying(
    () => engine.surveyVideo(settings.limits, { source }, kept.signal),
    kept.signal,
  );
  const planned = survey && planSegments(survey.endUs);
  return planned && { survey, planned };
};

/**
 * Processes a long video: its segments are analysed by all workers, then it is rendered in one pass.
 *
 * @returns false if the video must be processed as a whole: it is short, has to be converted first, or segments and
 *   video turned out to have different frames
 * @throws FailureError where a segment has failed
 */
export const processInSegments = async (work: VideoWork): Promise<boolean> => {
  const { claim, kept, storage, ports } = work;
  const startedMs = ports.system.elapsedMs();
  const long = await surveyLongVideo(work);
  if (!long) return false;
  if (!(await ports.store.planSegments(claim, long.planned))) kept.stop(new TaskStopped('deletion'));
  kept.signal.throwIfAborted();
  const ended = new AbortController();
  const calling = callOthers(work, long.survey, ended.signal);
  let segments: readonly SegmentRecord[];
  try {
    segments = await analyseAll(work);
  } finally {
    ended.abort();
    await calling;
  }
  try {
    const render = (): Promise<void> => renderJoined(work, segments, long.survey, startedMs);
    await ports.engine.retrying(render, kept.signal);
    return true;
  } catch (error) {
    if (kept.signal.aborted || !isDifference(error)) throw error;
    ports.log.error('A video is processed as a whole, because its segments do not fit together.', error);
    await removeFrames(storage, claim.task.id);
    return false;
  }
};
