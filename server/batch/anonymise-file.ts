import { posix } from 'node:path';
import { RefusedRequest } from '#shared/api/client';
import type { ApiService } from '#shared/api/handlers/service';
import type { Outcome } from '#shared/tasks/run/outcome';
import type { EditsFile } from '../cli/config';
import { editsRefused } from '../cli/edits-file';
import { DiskFull, FileProblem, readProblem, writeProblem } from './file-problem';
import { type BatchParts, clientOf, createFileService, type FileService } from './file-service';
import { linkedSource } from './linked-source';
import { readMedia, type MediaFile } from './media-file';
import { allNames } from './output-names';
import type { FileReport } from './report';
import { beginResults, checkPlaces, removeResults, type UnfinishedResults } from './results';
import { writeTaskResults } from './task-results';

const SERVER_ERROR = 500;
const FAULT = 'An internal error occurred while it was processed.';

/** An error of reading or linking the file. */
const asFileProblem = (error: unknown): unknown => {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const problem = writeProblem(error);
  return problem instanceof DiskFull ? problem : new FileProblem(readProblem(error), { cause: error });
};

const requireDone = (outcome: Outcome, { problem }: FileService): void => {
  if (outcome.kind === 'done') return;
  const { kind, sentence } = outcome.kind === 'failed' ? outcome.failure : { kind: 'fault', sentence: FAULT };
  throw problem() ?? new FileProblem(kind === 'fault' ? FAULT : sentence);
};

/** @throws FlagError if the edits do not fit the file; FileProblem if they could not be applied */
const applyEdits = async (id: string, { path, body }: EditsFile, service: ApiService): Promise<void> => {
  try {
    await clientOf(service).putEdits(id, body);
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const { status, message } = error;
    throw status < SERVER_ERROR ? editsRefused(path, message) : new FileProblem(message);
  }
};

/** Runs the file as a task, by the same code as on a server: results have the same bytes, and reports the same facts. */
const anonymise = async (
  file: MediaFile,
  results: UnfinishedResults,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<FileReport> => {
  stop.throwIfAborted();
  const { config, engine, folders, report } = parts;
  const { name, kind, outputs, path, sizeBytes } = file;
  report.started(file);
  const own = createFileService(file, parts);
  const { tasks } = own.service;
  const end = (): void => void tasks.stop();
  stop.addEventListener('abort', end, { once: true });
  let id: string | undefined;
  try {
    const submit = async () =>
      tasks.submit({
        ...(await readMedia(file, engine, config.limits)),
        file: linkedSource(path, sizeBytes, folders),
        ...{ filename: posix.basename(name), options: config.options, video: config.video },
        ...{ webhook: null, isAwaited: false },
      });
    const { task, outcome } = await submit().catch((error: unknown) => {
      throw asFileProblem(error);
    });
    id = task.id;
    requireDone(await outcome, own);
    if (config.edits) await applyEdits(id, config.edits, own.service);
    return await writeTaskResults({ id, name, kind, outputs }, own.service, results, stop);
  } finally {
    stop.removeEventListener('abort', end);
    await own.close(id);
  }
};

/**
 * Anonymises one image or video and writes its results.
 *
 * The manifest records the start and the end, so that an interrupted result is recognised and processed again.
 *
 * @throws FileProblem, DiskFull; FlagError for edits that do not fit the file
 */
export const anonymiseFile = async (
  file: MediaFile,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<FileReport> => {
  const { config, manifest, folders } = parts;
  await checkPlaces(config.outputFolder, file, manifest);
  const results = beginResults(config.outputFolder, folders.output);
  try {
    const report = await parts.limit(() => anonymise(file, results, parts, stop));
    stop.throwIfAborted();

    const { name, from, source, options } = file;
    const outputs = allNames(file.outputs);
    const earlier = manifest.get(name)?.outputs ?? [];
    const { request, edits } = config;
    const entry = { name, from, source, options, request, ...(edits && { edited: true }) };
    await manifest.put({ ...entry, outputs: [...new Set([...earlier, ...outputs])], done: false });
    await results.commit();
    await removeResults(
      config.outputFolder,
      earlier.filter((each) => !outputs.includes(each)),
    );
    await manifest.put({ ...entry, outputs, done: true });
    return report;
  } finally {
    await results.discard();
  }
};
