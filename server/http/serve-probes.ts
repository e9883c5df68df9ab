import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { tokenRefusal } from '#shared/api/contract/scopes';
import { PRIVATE, respondError, respondJson } from '#shared/api/http/respond';
import type { AccessControl, Log } from '#shared/ports/system';
import type { Metrics } from '../adapters/metrics';
import type { Phase } from '../lifecycle';
import { sendResponse, logOfRequest } from './mount-fastify';
import { HEADER_TIME } from './connection-limits';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { matchRoute } from '#shared/api/http/match-route';
import { API_PREFIX } from '#shared/api/contract/basics';
import { ROUTES } from '#shared/api/contract/routes';

/** What those who run the server ask it; outside of the API, which is the same on every host. */
export const PROBES = {
  health: '/healthz',
  liveness: '/livez',
  readiness: '/readyz',
  metrics: '/metrics',
} as const;

export interface ProbeParts {
  readonly phase: () => Phase;
  /** Rejects where task records cannot be read. */
  checkStore(): Promise<unknown>;
  readonly metrics: Metrics;
  /** Whether the process takes work; if absent, it does as long as it answers. */
  readonly isTaking?: () => boolean;
  /** Whether the engine process answers. */
  readonly engineAnswers: () => boolean;
  /** The product's. */
  readonly version: string;
  /** Undefined where everybody is admitted. */
  readonly access: AccessControl | undefined;
}

const METHODS = ['GET', 'HEAD'];
const OK = 200;
const UNAVAILABLE = 503;

const answer = (reply: FastifyReply, status: number, value: object): FastifyReply =>
  sendResponse(reply, respondJson(status, value));

const readiness = async ({ phase, checkStore }: ProbeParts): Promise<string> => {
  try {
    await checkStore();
    return phase();
  } catch {
    return 'store-unavailable';
  }
};

/**
 * `/livez`: the process and its engine answer; otherwise only a restart helps. `/healthz`: it also does its work.
 * `/readyz`: it can take files now. `/metrics`: numbers for a Prometheus.
 *
 * The first three need no token, as orchestrators send none, and tell nothing of tasks; numbers of tasks need it.
 */
export const serveProbes = (app: FastifyInstance, parts: ProbeParts): void => {
  const { version, isTaking = () => true, engineAnswers } = parts;
  const aliveness = (): string => (engineAnswers() ? 'ok' : 'engine-silent');
  const health = (): string => (engineAnswers() && !isTaking() ? 'idle' : aliveness());
  const describe = (url: string, status: () => string): void =>
    void app.route({
      method: METHODS,
      url,
      handler: (_request, reply) => {
        const now = status();
        return answer(reply, now === 'ok' ? OK : UNAVAILABLE, { status: now, version });
      },
    });
  describe(PROBES.liveness, aliveness);
  describe(PROBES.health, health);
  app.route({
    method: METHODS,
    url: PROBES.readiness,
    handler: async (_request, reply) => {
      const status = await readiness(parts);
      return answer(reply, status === 'ready' ? OK : UNAVAILABLE, { status });
    },
  });
  app.route({
    method: METHODS,
    url: PROBES.metrics,
    handler: async ({ headers }, reply) => {
      const refusal = tokenRefusal(parts.access, headers.authorization, 'metrics');
      if (refusal) return sendResponse(reply, respondError(refusal));
      const { contentType, text } = await parts.metrics.render();
      return reply.headers({ ...PRIVATE, 'content-type': contentType }).send(text);
    },
  });
};

/** A web server that answers only the probes: for a process without an API. */
export const createProbeApp = (parts: ProbeParts): FastifyInstance => {
  const app = Fastify({ exposeHeadRoutes: false, http: HEADER_TIME });
  serveProbes(app, parts);
  return app;
};

const REQUEST_ID = 'x-request-id';
const VERSION = 'veil-version';
/** What ids are made of everywhere, and nothing that could be more than a word in a log or a header. */
const SAFE_ID = /^[\w.:+/=~-]{1,128}$/;

/** The id that a client or a proxy gave the request, so that their logs and ours tell of it alike, or a new one. */
export const newRequestId = ({ headers }: IncomingMessage): string => {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
};

/** Writes the request's id and the product's version into its answer. */
type Identify = (request: FastifyRequest, reply: FastifyReply) => void;

/** @returns the same for requests that Fastify answers without its hooks */
export const identifyAnswers = (app: FastifyInstance, version: string): Identify => {
  const identify: Identify = ({ id }, reply) => void reply.headers({ [REQUEST_ID]: id, [VERSION]: version });
  app.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    done();
  });
  return identify;
};

export interface ObserverParts {
  readonly log: Log;
  readonly metrics: Metrics;
  /** Addresses with ids in them, and what clients call themselves, may be logged. */
  readonly logNames: boolean;
}

const PROBE_PATHS: readonly string[] = Object.values(PROBES);
const PAGE = 'page';
const UNKNOWN = 'unknown';
const FIRST_ERROR_STATUS = 400;

const pathOf = (url: string): string => url.replace(/[?#].*$/s, '');

/** The template of a request's address: what is asked for, and of whom it is not said. */
const routeOf = (method: string, url: string): string => {
  const path = pathOf(url);
  if (PROBE_PATHS.includes(path)) return path;
  try {
    return ROUTES[matchRoute(method, url).name].path;
  } catch {
    return path.startsWith(API_PREFIX) ? UNKNOWN : PAGE;
  }
};

const bytesOf = (reply: FastifyReply): number => Number(reply.getHeader('content-length') ?? 0);

/** Probes come every few seconds, and a page is some twenty files: well answered, they say nothing. */
const isWorthALine = (route: string, status: number): boolean =>
  status >= FIRST_ERROR_STATUS || (route !== PAGE && !PROBE_PATHS.includes(route));

const namesOf = ({ url, headers }: FastifyRequest): Record<string, string> => ({
  path: pathOf(url),
  agent: headers['user-agent'] ?? '',
});

/** Counts every request, and logs it in one line without a name, an id, a query or a header in it. */
export const observeRequests = (app: FastifyInstance, { log, metrics, logNames }: ObserverParts): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, raw } = request;
    const route = routeOf(method, raw.url ?? '/');
    const { statusCode: status, elapsedTime } = reply;
    metrics.countRequest({ method, route, status, seconds: elapsedTime / 1000 });
    if (isWorthALine(route, status)) {
      const facts = { method, route, status, ms: Math.round(elapsedTime), bytes: bytesOf(reply) };
      logOfRequest(log, request.id).info('Answered.', logNames ? { ...facts, ...namesOf(request) } : facts);
    }
    done();
  });
};
