import { createReadStream } from 'node:fs';
import { REVIEW_PATH } from '#shared/domain/review';
import { ApiError } from '#shared/api/contract/errors';
import type { RouteName } from '#shared/api/contract/routes';
import { matchRoute } from '#shared/api/http/match-route';
import { tokenRefusal } from '#shared/api/contract/scopes';
import { PRIVATE, respondError } from '#shared/api/http/respond';
import type { AccessControl } from '#shared/ports/access';
import type { App, WebRequest } from '../app';
import { sendResponse } from '../http/mount-fastify';
import type { ReviewedTask } from './import-tasks';
import type { Saver } from './saver';

interface ReviewParts {
  readonly reviewed: readonly ReviewedTask[];
  readonly saver: Saver;
  readonly access: AccessControl;
}

/** Serves the list of files, what the page needs of each, and the sources. */
const serveFiles = (app: App, { reviewed, access }: ReviewParts): void => {
  const byId = new Map(reviewed.map((one) => [one.task.id, one]));
  const find = (request: WebRequest): ReviewedTask => {
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
    routes.get(REVIEW_PATH, async () => reviewed.map(({ file }) => file));
    // Answered when the task is done.
    routes.get(`${REVIEW_PATH}/:id`, async (request) => find(request).state);
    routes.get(`${REVIEW_PATH}/:id/source`, (request, reply) =>
      reply.type('application/octet-stream').send(createReadStream(find(request).result.path)),
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

/**
 * Saves edited results, and results whose report lists a new decision. An edit whose result is rendered before its answer is also saved before it, and the edits of
 * others are read only after that: the page learns of a result that cannot be saved.
 */
const saveEdits = (app: App, { reviewed, saver }: ReviewParts): void => {
  const ready = new Map<string, ReviewedTask>();
  for (const one of reviewed) void one.state.then(() => ready.set(one.task.id, one));
  app.addHook('onSend', async (request, reply, payload) => {
    const { name, id = '' } = routeOf(request);
    const one = ready.get(id);
    if (!one || reply.statusCode >= FIRST_REDIRECT_STATUS) return payload;
    const isReported = name === 'putDecisions' && one.result.outputs.report !== null;
    if (name === 'putEdits' || isReported) saver.request(one);
    const isAsync = request.headers['x-is-async'] !== undefined;
    if ((name !== 'putEdits' || isAsync) && name !== 'getEdits') return payload;
    try {
      await saver.settled(id);
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
