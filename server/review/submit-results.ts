import { linkedUpload, readHead } from '../batch/media-file';
import { stat } from 'node:fs/promises';
import { RefusedRequest } from '#shared/api/client';
import { optionsWithAreas } from '#shared/api/handlers/options-with-areas';
import { readUpload } from '#shared/api/http/query';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { FAULT } from '#shared/domain/failure';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import type { Limits } from '#shared/domain/limits';
import type { ReviewFile, ReviewState } from '#shared/domain/review';
import type { Task } from '#shared/domain/task';
import type { Outcome } from '#shared/tasks/run/outcome';
import type { StorageFolders } from '../adapters/storage';
import { formatOf } from '../batch/plan-batch';
import { clientOf } from '../batch/file-service';
import { StartProblem } from '../cli/start-problem';
import type { Server } from '../compose';
import type { ReviewedResult } from './list-results';

/** A result whose source is a task. */
export interface ReviewedTask {
  readonly result: ReviewedResult;
  readonly task: Task;
  readonly file: ReviewFile;
  /** When its task is done and its edits are applied. Never rejects. */
  readonly state: Promise<ReviewState>;
}

interface SubmitParts {
  readonly server: Server;
  readonly folders: StorageFolders;
  readonly limits: Limits;
}

const ALL = { classes: DEFAULT_CLASSES, format: { kind: 'whole' } } as const;

const submit = async ({ entry, path }: ReviewedResult, { server, folders, limits }: SubmitParts) => {
  const { size, mtimeMs } = await stat(path);
  const given = readUpload(entry.request);
  const parts = { engine: server.engine, limits, resultFormat: given['result-format'] };
  const found = await formatOf(path, size, await readHead(path), parts);
  if (!found) throw new StartProblem(`The source of ${entry.name} is neither an image nor a video.`);
  const upload = await linkedUpload(
    { path, name: entry.name, sizeBytes: size, ...found },
    { engine: server.engine, limits, folders },
    { options: optionsWithAreas(given, ALL), video: videoOptions(given) },
  );
  const { task, outcome } = await server.tasks.submit(upload);
  return { task, outcome, lastModifiedMs: mtimeMs };
};

/** Applies stored edits by the API, which checks them. @returns the sentence of a refusal */
const applyEdits = async (
  { edits, editsName }: ReviewedResult,
  { id }: Task,
  { server }: SubmitParts,
): Promise<string | undefined> => {
  try {
    if (edits) await clientOf(server.service).putEdits(id, edits);
    return undefined;
  } catch (error) {
    if (error instanceof RefusedRequest) return `The edits in ${editsName} are refused: ${error.message}`;
    throw error;
  }
};

const stateOf = async (
  result: ReviewedResult,
  task: Task,
  outcome: Promise<Outcome>,
  parts: SubmitParts,
): Promise<ReviewState> => {
  const ended = await outcome;
  if (ended.kind === 'failed') return { error: ended.failure.sentence };
  if (ended.kind !== 'done') return { error: FAULT.sentence };
  const refusal = await applyEdits(result, task, parts);
  if (refusal !== undefined) return { error: refusal };
  const { tasks } = parts.server;
  const base = await tasks.edits.base(task);
  const edits = base && (await tasks.edits.inForce(base, task.id)).body;
  return edits ? { options: task.options, edits } : { error: FAULT.sentence };
};

/**
 * Runs the sources of results as tasks of a server, with the options of their results.
 *
 * Detection runs again: the result folder contains no detections, because it may be given to other people.
 *
 * @returns the tasks, which are queued
 * @throws StartProblem, ApiError
 */
export const submitResults = async (
  results: readonly ReviewedResult[],
  parts: SubmitParts,
): Promise<readonly ReviewedTask[]> => {
  const reviewed: ReviewedTask[] = [];
  for (const result of results) {
    const { task, outcome, lastModifiedMs } = await submit(result, parts);
    const { id, contentType } = task;
    const file = { id, name: result.entry.name, contentType, lastModifiedMs };
    const state = stateOf(result, task, outcome, parts).catch(() => ({ error: FAULT.sentence }));
    reviewed.push({ result, task, file, state });
  }
  return reviewed;
};
