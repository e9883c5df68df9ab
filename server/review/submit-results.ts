import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { linkedUpload, readHead } from '../batch/media-file';
import { RefusedRequest } from '#shared/api/client';
import { optionsWithAreas } from '#shared/api/handlers/options-with-areas';
import { readUpload } from '#shared/api/http/query';
import { videoOptions } from '#shared/catalogue/derive-parameters';
import { FORMATS, hasExtensionOf, type Format } from '#shared/catalogue/formats';
import { FAULT } from '#shared/domain/failure';
import { DEFAULT_CLASSES } from '#shared/catalogue/classes';
import type { Limits } from '#shared/domain/limits';
import type { ReviewFile, ReviewState } from '#shared/domain/review';
import type { Task } from '#shared/domain/task';
import type { Submission } from '#shared/tasks/accept/accept-upload';
import type { Outcome } from '#shared/tasks/run/outcome';
import { formatOf } from '../batch/plan-batch';
import { clientOf } from '../batch/file-service';
import { UnusablePlan } from '../batch/plans/read-plan';
import type { Server } from '../compose';
import type { ReviewedResult } from './list-results';
import { hasPlan, restoreTask, type RestoreParts } from './restore-task';
import { applyDecisions } from './stored-decisions';

/** A result whose source is a task. */
export interface ReviewedTask {
  readonly result: ReviewedResult;
  readonly task: Task;
}

/** A result that can be reviewed. Its source becomes a task when it is asked for, or when its turn comes. */
export interface ReviewedFile {
  readonly file: ReviewFile;
  /** Path of the source. */
  readonly path: string;
  /** Makes its task, at the first call. Never rejects. */
  submitted(): Promise<unknown>;
  /** Whether its state takes long: it is searched, as no plan was stored with it, or stored edits are rendered. */
  takesLong(): boolean;
  /** Makes its task, and waits until it is done and its stored edits are applied. Never rejects. */
  state(): Promise<ReviewState>;
  /** Undefined before `state` has resolved, and where it has an error. */
  ready(): ReviewedTask | undefined;
}

interface SubmitParts extends RestoreParts {
  readonly server: Pick<Server, 'tasks' | 'service'> & {
    readonly engine: Parameters<typeof formatOf>[3]['engine'];
  } & RestoreParts['server'];
  readonly limits: Limits;
  /** Called with a file whose stored plan cannot be used. */
  readonly onSearched: (name: string, reason: string) => void;
}

const ALL = { classes: DEFAULT_CLASSES, format: { kind: 'whole' } } as const;

interface Submitted {
  readonly task: Task;
  readonly outcome: Promise<Outcome>;
}

/** By the plan that the run has stored, or else by searching its source again. */
const submitTask = async (
  result: ReviewedResult,
  submission: Submission & { readonly id: string },
  parts: SubmitParts,
): Promise<Submitted> => {
  try {
    const task = await restoreTask(result, submission, parts);
    if (task) return { task, outcome: Promise.resolve({ kind: 'done' }) };
  } catch (error) {
    if (!(error instanceof UnusablePlan)) throw error;
    parts.onSearched(result.entry.name, error.message);
  }
  return parts.server.tasks.submit(submission);
};

/** @returns a sentence about a source that cannot be searched again */
const submit = async (
  result: ReviewedResult,
  id: string,
  submitParts: SubmitParts,
): Promise<Submitted | string> => {
  const { entry, path } = result;
  const { server, folders, limits } = submitParts;
  const { size } = await stat(path);
  const given = readUpload(entry.request);
  const parts = { engine: server.engine, limits, resultFormat: given['result-format'] };
  const found = await formatOf(path, size, await readHead(path), parts);
  if (!found) return `The source of ${entry.name} is neither an image nor a video.`;
  const upload = await linkedUpload(
    { path, name: entry.name, sizeBytes: size, ...found },
    { engine: server.engine, limits, folders },
    { options: optionsWithAreas(given, ALL), video: videoOptions(given) },
  );
  return submitTask(result, { ...upload, id }, submitParts);
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
  { task, outcome }: Submitted,
  parts: SubmitParts,
): Promise<ReviewState> => {
  const ended = await outcome;
  if (ended.kind === 'failed') return { error: ended.failure.sentence };
  if (ended.kind !== 'done') return { error: FAULT.sentence };
  const { tasks } = parts.server;
  const refusal =
    (await applyEdits(result, task, parts)) ??
    (await applyDecisions(parts.folder, result.decisionsName, task, tasks));
  if (refusal !== undefined) return { error: refusal };
  const base = await tasks.edits.base(task);
  const edits = base && (await tasks.edits.inForce(base, task.id)).body;
  return edits ? { options: task.options, edits } : { error: FAULT.sentence };
};

/** By the name alone, so that no file is read before the review starts; the task says what it is. */
const mediaTypeOf = (path: string): string => {
  const format = (Object.keys(FORMATS) as Format[]).find((one) => hasExtensionOf([one], path));
  return format ? FORMATS[format].mediaType : 'application/octet-stream';
};

/** A result as a file to review, whose source becomes a task of a server, with the options of the result. */
export const reviewedFile = (result: ReviewedResult, parts: SubmitParts): ReviewedFile => {
  const id = randomUUID();
  const { entry, path, lastModifiedMs, undecided } = result;
  let submission: Promise<Submitted | string> | undefined;
  let state: Promise<ReviewState> | undefined;
  let ready: ReviewedTask | undefined;
  const submitted = (): Promise<Submitted | string> =>
    (submission ??= submit(result, id, parts).catch(() => FAULT.sentence));
  const reach = async (): Promise<ReviewState> => {
    const reached = await submitted();
    if (typeof reached === 'string') return { error: reached };
    const { task } = reached;
    const known = await stateOf(result, reached, parts).catch(() => ({ error: FAULT.sentence }));
    if (!('error' in known)) ready = { result, task };
    return known;
  };
  return {
    file: { id, name: entry.name, contentType: mediaTypeOf(path), lastModifiedMs, undecided },
    path,
    submitted,
    takesLong: () => result.edits !== undefined || !hasPlan(result, parts.folder),
    state: () => (state ??= reach()),
    ready: () => ready,
  };
};
