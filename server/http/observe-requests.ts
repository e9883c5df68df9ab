import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchRoute } from '#shared/api/http/match-route';
import { API_PREFIX } from '#shared/api/contract/basics';
import { ROUTES } from '#shared/api/contract/routes';
import type { Log } from '#shared/ports/system';
import type { Metrics } from '../adapters/metrics';
import { logOfRequest } from './mount-fastify';
import { PROBES } from './serve-probes';

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
export const routeOf = (method: string, url: string): string => {
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
