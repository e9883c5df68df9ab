import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '#shared/api/contract/errors';
import { PRIVATE, respondError, respondJson } from '#shared/api/http/respond';
import type { AccessControl } from '#shared/ports/access';
import type { Metrics } from '../adapters/metrics';
import type { Phase } from '../lifecycle';
import { sendResponse } from './mount-fastify';

/** What those who run the server ask it; outside of the API, which is the same on every host. */
export const PROBES = { health: '/healthz', readiness: '/readyz', metrics: '/metrics' } as const;

export interface ProbeParts {
  readonly phase: () => Phase;
  /** Rejects where task records cannot be read. */
  checkStore(): Promise<unknown>;
  readonly metrics: Metrics;
  /** Whether the process does its work; if absent, it does as long as it answers. */
  readonly isHealthy?: () => boolean;
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
 * `/healthz`: the process answers, and which version it is. `/readyz`: it can take files now. `/metrics`: numbers for a Prometheus.
 *
 * The first two need no token, as orchestrators send none, and tell nothing of tasks; numbers of tasks need it.
 */
export const serveProbes = (app: FastifyInstance, parts: ProbeParts): void => {
  const { version, isHealthy = () => true } = parts;
  app.route({
    method: METHODS,
    url: PROBES.health,
    handler: (_request, reply) =>
      isHealthy()
        ? answer(reply, OK, { status: 'ok', version })
        : answer(reply, UNAVAILABLE, { status: 'idle', version }),
  });
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
      if (parts.access && !parts.access.admits(headers.authorization)) {
        return sendResponse(reply, respondError(new ApiError('not_admitted')));
      }
      const { contentType, text } = await parts.metrics.render();
      return reply.headers({ ...PRIVATE, 'content-type': contentType }).send(text);
    },
  });
};
