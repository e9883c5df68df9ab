import { posix } from 'node:path';
import { RefusedRequest } from '#shared/api/client';
import { FAULT } from '#shared/domain/failure';
import type { Outcome } from '#shared/tasks/run/outcome';
import { createReportSigner } from '../adapters/report-keys';
import type { EditsFile } from '../cli/config';
import { editsRefused } from '../cli/edits-file';
import type { BatchParts } from './batch-parts';
import { FileProblem } from './file-problem';
import { linkedSource } from './linked-source';
import { readMedia, type MediaFile } from './media-file';
import { clientOf, openPrivateTasks, type PrivateTasks } from './private-tasks';
import type { FileReport } from './report';
import type { UnfinishedResults } from './results';
import { writeTaskResults } from './task-results';

const SERVER_ERROR = 500;

const requireDone = (outcome: Outcome): void => {
  if (outcome.kind !== 'done') {
    throw new FileProblem(outcome.kind === 'failed' ? outcome.failure.sentence : FAULT.sentence);
  }
};

/** @throws FlagError if the edits do not fit the file; FileProblem if they could not be applied */
const applyEdits = async (
  id: string,
  { path, body }: EditsFile,
  { service }: PrivateTasks,
): Promise<void> => {
  await clientOf(service)
    .putEdits(id, body)
    .catch((error: unknown) => {
      if (!(error instanceof RefusedRequest)) throw error;
      const { status, message } = error;
      throw status < SERVER_ERROR ? editsRefused(path, message) : new FileProblem(message);
    });
};

const reportProgress = async (
  id: string,
  file: MediaFile,
  { tasks }: PrivateTasks,
  { report }: BatchParts,
  signal: AbortSignal,
): Promise<void> => {
  for await (const { video } of tasks.watch(id, signal)) {
    if (!video || video.framesTotal === null) continue;
    const { framesDone, framesTotal, megapixels, converted } = video;
    const pixels = megapixels === undefined ? {} : { pixels: (megapixels * 1e6) / framesTotal };
    const conversion = converted === undefined ? {} : { converted };
    report.progressed(file, { framesDone, framesTotal, ...pixels, ...conversion });
  }
};

/** Runs the file as a task of the API. @returns its id */
const runTask = async (
  file: MediaFile,
  own: PrivateTasks,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<string> => {
  const { config } = parts;
  const { task, outcome } = await own.tasks.submit({
    ...(await readMedia(file, parts.engine, config.limits)),
    file: linkedSource(file.path, file.sizeBytes, own.folders),
    filename: posix.basename(file.name),
    options: config.options,
    video: config.video,
    webhook: null,
    isAwaited: false,
  });
  const progress = reportProgress(task.id, file, own, parts, signal);
  requireDone(await outcome);
  await progress;
  return task.id;
};

/**
 * Anonymises an image or a video, applies edits to its result, and writes reports of it.
 *
 * By the tasks and the API of a server, so that the result has the same bytes as there, and the report the same facts.
 *
 * @throws FlagError for edits that do not fit the file; FileProblem, DiskFull
 */
export const anonymiseAsTask = async (
  file: MediaFile,
  results: UnfinishedResults,
  parts: BatchParts,
  signal: AbortSignal,
): Promise<FileReport> => {
  const { config, engine, log } = parts;
  const { edits, reportKey } = config;
  const reportSigner = reportKey && createReportSigner(reportKey);
  const own = await openPrivateTasks(config, { engine, log, reportSigner });
  const stop = (): void => void own.tasks.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const id = await runTask(file, own, parts, signal);
    if (edits) await applyEdits(id, edits, own);
    const { name, kind, outputs } = file;
    return await writeTaskResults({ id, name, kind, outputs }, own.service, results, signal);
  } finally {
    signal.removeEventListener('abort', stop);
    await own.close();
  }
};
