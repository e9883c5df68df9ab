import { join } from 'node:path';
import type { EditsBody } from '#shared/api/contract/schemas-edits';
import { uprightSize, type FileFacts, type ImageHeader } from '#shared/domain/image-header';
import type { ImageOptions } from '#shared/domain/options';
import type { FramePlan, FrameReport, RedactionPlan } from '#shared/domain/plan';
import { tilingOf, type Projection } from '#shared/domain/projection';
import type { Size } from '#shared/domain/raster';
import type { Task } from '#shared/domain/task';
import { planAreas, withAreas } from '#shared/engine/edits/hidden-areas';
import { labelPlan } from '#shared/engine/redact/draw-plan';
import { reportPlan } from '#shared/engine/redact/report';
import type { Storage, TaskStore } from '#shared/ports/storage';
import { newTask, type Submission } from '#shared/tasks/accept/accept-upload';
import { factsOfFile, tagOfFile } from '#shared/tasks/base/digest';
import { savedMasks, type SaveMask } from '#shared/tasks/base/settings';
import { anonymisedKey, removeTaskFiles, restoreResult, sourceKey } from '#shared/tasks/files/task-files';
import {
  anonymisedVideoKey,
  FRAMES_PER_FILE,
  restoreVideoResult,
  writeFramePlans,
  writeFrames,
} from '#shared/tasks/files/video-files';
import { leftOutOf } from '#shared/tasks/run/process-video';
import { openDiskFile, type StorageFolders } from '../adapters/storage';
import { system } from '../adapters/system';
import { linkedSource } from '../batch/media-file';
import type { PlanHead, StoredFrame } from '../batch/plans/plan-schema';
import { isPlanThere, openPlan, UnusablePlan, type PlanReading } from '../batch/plans/read-plan';
import type { ReviewedResult } from './list-results';

export interface RestoreParts {
  readonly server: { readonly storage: Storage; readonly taskStore: Pick<TaskStore, 'put'> };
  /** With the results. */
  readonly folder: string;
  readonly folders: StorageFolders;
  readonly saveMask: SaveMask;
}

/** A plan of one kind, of which the head is read. */
interface PlanOf<Kind extends PlanHead['kind']> extends Pick<PlanReading, 'frames'> {
  readonly head: Extract<PlanHead, { readonly kind: Kind }>;
}

const factsOf = async (path: string): Promise<FileFacts> => {
  const file = await openDiskFile(path);
  if (!file) throw new UnusablePlan('a file was removed');
  return factsOfFile(file, system);
};

const areSame = (a: FileFacts, b: FileFacts): boolean => a.sha256 === b.sha256 && a.sizeBytes === b.sizeBytes;

const changesNothing = ({ objects = [], areas = [], ...others }: EditsBody): boolean =>
  objects.length + areas.length + Object.keys(others).length === 0;

/**
 * The anonymised file, where it is still that of the plan; undefined where stored edits have made it another one, which
 * are applied to the plan next.
 *
 * @throws UnusablePlan where it is another one for no reason that is known
 */
const unchangedResult = async (
  { outputs: { anonymised }, edits }: ReviewedResult,
  { file }: PlanHead,
  folder: string,
): Promise<{ readonly path: string; readonly facts: FileFacts } | undefined> => {
  const path = join(folder, anonymised);
  const facts = await factsOf(path);
  if (file && areSame(file, facts)) return { path, facts };
  if (edits && !changesNothing(edits)) return undefined;
  throw new UnusablePlan('its result has changed since it was written');
};

/** How settings hide what is stored: a plan decides about objects alone. */
const planOf = (
  { regions, candidates, areas: named }: StoredFrame,
  options: ImageOptions,
  { width, height, projection }: Size & { readonly projection?: Projection | undefined },
  isImage: boolean,
): RedactionPlan => {
  const { method, ignores, debug, score } = options;
  const wraps = tilingOf(options.format, { width, height, projection }).kind === 'pano';
  const planned = planAreas(options, { width, height });
  const areas = isImage ? planned : (named ?? []).flatMap((index) => planned[index] ?? []);
  const plan = { width, height, method, ...(wraps && { wraps }), regions, ignores, debug, score };
  return withAreas({ ...plan, ...(candidates && { candidates }) }, areas);
};

const restoreImage = async (
  task: Task,
  header: ImageHeader,
  { head, frames }: PlanOf<'image'>,
  { server: { storage }, saveMask }: RestoreParts,
): Promise<void> => {
  const size = uprightSize(header);
  if (head.width !== size.width || head.height !== size.height) {
    throw new UnusablePlan('its stored plan has another size');
  }
  const { format, file, provenance, sparedMemory, keepMetadata, candidateFloor } = head;
  for await (const frame of frames(1, size)) {
    const bare = planOf(frame, task.options, { ...size, projection: header.projection }, true);
    const plan = await labelPlan(bare, task.options);
    const stored = {
      ...{ report: reportPlan(plan, frame.durationS), header, format, anonymised: true },
      ...{ masks: savedMasks({ saveMask }), provenance, candidateFloor },
      tags: { ...(file && { anonymised: tagOfFile(file) }) },
      ...(file && { file }),
      ...(sparedMemory && { sparedMemory }),
      ...(keepMetadata !== undefined && { keepMetadata }),
    };
    await restoreResult(storage, task.id, stored, plan);
  }
};

const reportOf = (
  { index, timestampUs, durationS, regions }: StoredFrame,
  plan: RedactionPlan,
): FrameReport => {
  const report = reportPlan(plan, durationS);
  const detections = report.detections.map((one) => {
    const trackId = regions[one.id]?.trackId;
    return { ...one, ...(trackId !== undefined && { trackId }) };
  });
  return { ...report, index, timestampUs, detections };
};

const restoreVideo = async (
  { id, options }: Task,
  { head, frames }: PlanOf<'video'>,
  { server: { storage } }: RestoreParts,
): Promise<void> => {
  const { report, provenance, kept, file } = head;
  const { projection } = provenance;
  const { width, height, frameCount } = report;
  let [part, reports, plans]: [number, FrameReport[], FramePlan[]] = [0, [], []];
  const write = async (): Promise<void> => {
    await writeFrames(storage, id, part, reports);
    await writeFramePlans(storage, id, part, plans);
    [part, reports, plans] = [part + 1, [], []];
  };
  for await (const frame of frames(frameCount, { width, height })) {
    const { index, timestampUs, regions } = frame;
    reports.push(reportOf(frame, planOf(frame, options, { width, height, projection }, false)));
    plans.push({ index, timestampUs, regions });
    if (plans.length === FRAMES_PER_FILE) await write();
  }
  if (plans.length > 0) await write();
  await restoreVideoResult(storage, id, {
    ...{ report, anonymised: true, provenance },
    ...(file && { file }),
    ...(kept && { kept }),
  });
};

/** The record of a task that is done. */
const doneTask = (submission: Submission, head: PlanHead): Task => {
  const task = newTask(submission, undefined, system);
  const { given, createdAtMs, startedAtMs, finishedAtMs, provenance } = head;
  const done: Task = {
    ...task,
    ...{ status: 'done', progress: 1, attempts: 1, createdAtMs, startedAtMs, finishedAtMs },
    source: provenance.source,
    ...(given && { given }),
  };
  if (head.kind === 'image' || !done.video) return done;
  const { frameCount } = head.report;
  const leftOut = leftOutOf(head.report, true, provenance.projection);
  return { ...done, video: { ...done.video, framesDone: frameCount, framesTotal: frameCount, leftOut } };
};

/** @throws UnusablePlan */
const restoreFrom = async (
  reading: PlanReading,
  result: ReviewedResult,
  submission: Submission & { readonly id: string },
  parts: RestoreParts,
): Promise<Task> => {
  const { head, frames } = reading;
  const { folder, folders, server } = parts;
  if (head.options !== result.entry.options) throw new UnusablePlan('its stored plan has other settings');
  const task = doneTask(submission, head);
  if (head.kind !== task.kind || !areSame(head.provenance.source, await factsOf(result.path))) {
    throw new UnusablePlan('its stored plan is that of another source');
  }
  const unchanged = await unchangedResult(result, head, folder);
  if (head.kind === 'video') await restoreVideo(task, { head, frames }, parts);
  else if (submission.header) await restoreImage(task, submission.header, { head, frames }, parts);
  if (unchanged) {
    const key = head.kind === 'video' ? anonymisedVideoKey(task.id) : anonymisedKey(task.id, head.format);
    await linkedSource(unchanged.path, unchanged.facts.sizeBytes, folders).moveTo(key);
  }
  await submission.file.moveTo(sourceKey(task.id, submission.format));
  await server.taskStore.put(task);
  return task;
};

export const hasPlan = ({ entry: { plan } }: Pick<ReviewedResult, 'entry'>, folder: string): boolean =>
  plan !== undefined && isPlanThere(join(folder, plan));

/**
 * Makes a done task of a result by the plan that its run has stored: nothing is searched, and nothing rendered.
 *
 * @returns undefined where there is no plan
 * @throws UnusablePlan where it is damaged or that of something else; no file is left behind
 */
export const restoreTask = async (
  result: ReviewedResult,
  submission: Submission & { readonly id: string },
  parts: RestoreParts,
): Promise<Task | undefined> => {
  const { plan } = result.entry;
  if (plan === undefined || !hasPlan(result, parts.folder)) return undefined;
  const reading = await openPlan(join(parts.folder, plan));
  try {
    return await restoreFrom(reading, result, submission, parts);
  } catch (error) {
    await removeTaskFiles(parts.server.storage, submission.id);
    throw error;
  } finally {
    await reading.close();
  }
};
