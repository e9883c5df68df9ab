import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { ApiError } from '#shared/api/contract/errors';
import { respondError } from '#shared/api/http/respond';
import { linger, sendResponse } from './mount-fastify';
import { refusalOf, isAllowedOrigin, type SitePolicy } from './site-policy';

/** All but the origin, which is that of the request or none. */
const OPTIONS = {
  /** Never: the API has no credentials that a browser adds by itself. */
  credentials: false,
  /** Every method of the API that a browser asks about before it sends it. */
  methods: ['GET', 'HEAD', 'POST', 'DELETE'],
  /** What requests to the API bring, next to what every site may send unasked. */
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-None-Match',
    'If-Range',
    'Range',
    'X-Is-Async',
    'X-Request-Id',
  ],
  /** What answers tell, next to what every site may read unasked. */
  exposedHeaders: [
    'Accept-Ranges',
    'Allow',
    'Content-Disposition',
    'Content-Range',
    'ETag',
    'Retry-After',
    'Veil-Version',
    'WWW-Authenticate',
    'X-Error-Code',
    'X-Request-Id',
  ],
  /** Two hours in seconds: the longest that Chromium keeps it. */
  maxAge: 7200,
} satisfies FastifyCorsOptions;

/** A browser's question whether a site may send what it is about to send. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Lets pages of the allowed origins read answers (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).
 *
 * Other origins get no header at all, as though there were no such thing, and their preflights go to the API as every
 * other `OPTIONS` does. The headers are set first, so that refusals have them as well.
 *
 * @param isRefused whether the server refuses the request whatever its origin is: its preflight is refused as well
 */
export const answerCors = async (
  app: FastifyInstance,
  policy: SitePolicy,
  isRefused: (request: FastifyRequest) => boolean,
): Promise<void> => {
  if (policy.allowedOrigins.size === 0) return;
  await app.register(cors, {
    delegator: (request, done) => {
      const { origin } = request.headers;
      done(null, {
        ...OPTIONS,
        origin: origin !== undefined && isAllowedOrigin(policy, origin) ? origin : false,
        preflight: isPreflight(request) && !isRefused(request),
      });
    },
  });
};

/** Answers a request that the policy refuses. @returns undefined where it is let through */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/** See {@link refusalOf}. */
export const siteRefusal = (
  { method, raw, headers }: FastifyRequest,
  policy: SitePolicy,
): ApiError | undefined => refusalOf({ method, target: raw.url ?? '/', headers }, policy);

/**
 * Refuses requests of other web sites before a handler, a file or a body is touched.
 *
 * @returns the same for requests that Fastify answers without its hooks
 */
export const guardSites = (app: FastifyInstance, policy: SitePolicy): Guard => {
  const guard: Guard = (request, reply) => {
    const refusal = siteRefusal(request, policy);
    if (!refusal) return undefined;
    linger(request.raw, reply.raw);
    return sendResponse(reply, respondError(refusal));
  };
  app.addHook('onRequest', async (request, reply) => guard(request, reply));
  return guard;
};
