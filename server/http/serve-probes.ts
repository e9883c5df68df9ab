import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { tokenRefusal } from '#shared/api/contract/scopes';
import { PRIVATE, respondError, respondJson } from '#shared/api/http/respond';
import type { AccessControl } from '#shared/ports/system';
import type { Metrics } from '../adapters/metrics';
import type { Phase } from '../lifecycle';
import { sendResponse } from './mount-fastify';
import { HEADER_TIME } from './connection-limits';

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
