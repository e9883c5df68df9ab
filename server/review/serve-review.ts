import { createReadStream } from 'node:fs';
import { REVIEW_PATH } from '#shared/domain/review';
import { ApiError } from '#shared/api/contract/errors';
import type { RouteName } from '#shared/api/contract/routes';
import { matchRoute } from '#shared/api/http/match-route';
import { tokenRefusal } from '#shared/api/contract/scopes';
import { PRIVATE, respondError } from '#shared/api/http/respond';
import type { AccessControl } from '#shared/ports/system';
import type { App, WebRequest } from '../app';
import { sendResponse } from '../http/mount-fastify';
import { decisionsText } from './stored-decisions';
import type { ReviewedFile, ReviewedTask } from './submit-results';
import { withoutFrameTimes } from '#shared/domain/edits/edits';
import pLimit from 'p-limit';
import type { ApiService } from '#shared/api/dispatch';
import type { Manifest } from '../batch/manifest';
import { allNames } from '../batch/media-file';
import { beginResults } from '../batch/results';
import { writeTaskResults } from '../batch/task-results';

/** Writes edited results into the result folder. */
interface Saver {
  /** Saves the result of a task when its edits are applied. */
  request(reviewed: ReviewedTask): void;
  /** Saves the decisions about a task. @throws FileProblem, DiskFull */
  decided(reviewed: ReviewedTask): Promise<void>;
  /** @throws FileProblem, DiskFull if the last requested result of the task could not be saved */
  settled(id: string): Promise<void>;
  /** When nothing is written any more. */
  idle(): Promise<void>;
}

interface SaverParts {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly service: ApiService;
  /** Called with a result that could not be saved. */
  readonly onFailure: (name: string, error: unknown) => void;
}

const textOf = (edits: object): Uint8Array => new TextEncoder().encode(`${JSON.stringify(edits, null, 2)}\n`);

/** Writes the files under temporary names first, so that each is either the old or the new one. */
const write = async (
  { result, task }: ReviewedTask,
  { folder, manifest, service }: SaverParts,
  signal: AbortSignal,
): Promise<void> => {
  const { tasks } = service;
  const { entry, outputs, editsName, decisionsName } = result;
  const base = await tasks.edits.base(task);
  if (!base) throw new Error('The result of a reviewed task is gone.');
  const { body } = await tasks.edits.inForce(base, task.id);
  const results = beginResults(folder);
  try {
    const wanted = { id: task.id, kind: task.kind, name: entry.name, outputs };
    const { uncertain } = await writeTaskResults(wanted, service, results, signal);
    await (await results.create(editsName)).write(0, textOf(withoutFrameTimes(body)));
    const decided = (await tasks.get(task.id))?.decisions ? [decisionsName] : [];
    const written = {
      ...{ ...entry, uncertain: uncertain.count },
      outputs: [...allNames(outputs), editsName, ...decided],
    };
    await manifest.put({ ...written, done: false });
    await results.commit();
    await manifest.put({ ...written, done: true });
  } finally {
    await results.discard();
  }
};

/** The results stay as they are: a report that lists decisions is written by `write`. */
const writeDecisions = async (
  { result, task }: ReviewedTask,
  { folder, manifest, service }: SaverParts,
): Promise<void> => {
  const name = result.decisionsName;
  const entry = manifest.get(result.entry.name) ?? result.entry;
  const results = beginResults(folder);
  try {
    const stored = await service.tasks.get(task.id);
    await (await results.create(name)).write(0, decisionsText(stored ?? {}));
    await manifest.put({ ...entry, outputs: [...new Set([...entry.outputs, name])] });
    await results.commit();
  } finally {
    await results.discard();
  }
};

export const createSaver = (parts: SaverParts): Saver => {
  const { onFailure } = parts;
  const { tasks } = parts.service;
  const queue = pLimit(1);
  const { signal } = new AbortController();
  /** The last requested save of each task. */
  const saves = new Map<string, Promise<void>>();
  const save = async (reviewed: ReviewedTask, isLast: () => boolean): Promise<void> => {
    const { id } = reviewed.task;
    for await (const _ of tasks.watch(id, signal)); // until no edits wait or run
    if (!isLast() || (await tasks.get(id))?.edit) return;
    try {
      await queue(() => write(reviewed, parts, signal));
    } catch (error) {
      // Later edits may have replaced the result while it was read; they are saved next.
      if (!isLast()) return;
      onFailure(reviewed.result.outputs.anonymised, error);
      throw error;
    }
  };
  return {
    request: (reviewed) => {
      const { id } = reviewed.task;
      const own: Promise<void> = Promise.resolve().then(() => save(reviewed, () => saves.get(id) === own));
      own.catch(() => undefined); // awaited by `settled`
      saves.set(id, own);
    },
    decided: (reviewed) => queue(() => writeDecisions(reviewed, parts)),
    settled: async (id) => saves.get(id),
    idle: async () => void (await Promise.allSettled(saves.values())),
  };
};

interface ReviewParts {
  readonly files: readonly ReviewedFile[];
  readonly saver: Saver;
  readonly access: AccessControl;
}

/** Serves the list of files, what the page needs of each, and the sources. */
const serveFiles = (app: App, { files, access }: ReviewParts): void => {
  const byId = new Map(files.map((one) => [one.file.id, one]));
  const find = (request: WebRequest): ReviewedFile => {
    const one = byId.get((request.params as { readonly id: string }).id);
    if (!one) throw new ApiError('unknown_task');
    return one;
  };
  void app.register(async (routes) => {
    routes.addHook('onRequest', async (request, reply) => {
      reply.headers(PRIVATE);
      const refusal = tokenRefusal(access, request.headers.authorization, 'all');
      return refusal && sendResponse(reply, respondError(refusal));
    });
    routes.setErrorHandler((error, _request, reply) =>
      sendResponse(reply, respondError(error instanceof ApiError ? error : new ApiError('internal'))),
    );
    routes.get(REVIEW_PATH, async () => files.map(({ file }) => file));
    // Answered when the task is done.
    routes.get(`${REVIEW_PATH}/:id`, async (request) => find(request).state());
    routes.get(`${REVIEW_PATH}/:id/source`, (request, reply) =>
      reply.type('application/octet-stream').send(createReadStream(find(request).path)),
    );
  });
};

const routeOf = ({ method, raw }: WebRequest): { readonly name?: RouteName; readonly id?: string } => {
  try {
    return matchRoute(method, raw.url ?? '/');
  } catch {
    return {};
  }
};

const NOT_SAVED = 'The result could not be saved in its folder; the terminal of the review names the reason.';
const FIRST_REDIRECT_STATUS = 300;

/** Whether the files of a result have to be written again: a decision is in its report or its log. */
const changesResult = (name: RouteName | undefined, { result }: ReviewedTask): boolean =>
  name === 'putEdits' || (name === 'putDecisions' && (result.outputs.report ?? result.outputs.log) !== null);

/**
 * Saves edited results, and results whose report lists a new decision. An edit whose result is rendered before its answer is also saved before it, and the edits of
 * others are read only after that: the page learns of a result that cannot be saved.
 */
const saveEdits = (app: App, { files, saver }: ReviewParts): void => {
  const byId = new Map(files.map((one) => [one.file.id, one]));
  // The page asks for tasks whose turn has not come.
  app.addHook('preHandler', async (request) => void (await byId.get(routeOf(request).id ?? '')?.submitted()));
  app.addHook('onSend', async (request, reply, payload) => {
    const { name, id = '' } = routeOf(request);
    const one = byId.get(id)?.ready();
    if (!one || reply.statusCode >= FIRST_REDIRECT_STATUS) return payload;
    if (changesResult(name, one)) saver.request(one);
    const isAsync = request.headers['x-is-async'] !== undefined;
    const isWaited = (name === 'putEdits' && !isAsync) || name === 'getEdits' || name === 'putDecisions';
    if (!isWaited) return payload;
    try {
      if (name === 'putDecisions') await saver.decided(one);
      else await saver.settled(id);
      return payload;
    } catch {
      const { status, headers, body } = respondError(new ApiError('unstorable', NOT_SAVED));
      void reply.code(status).headers(headers);
      return Buffer.from(body as Uint8Array);
    }
  });
};

/** Adds the addresses of a review to a server that is not started yet. */
export const serveReview = (app: App, parts: ReviewParts): void => {
  saveEdits(app, parts);
  serveFiles(app, parts);
};
