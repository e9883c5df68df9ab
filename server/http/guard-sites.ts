import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from '#shared/api/contract/errors';
import { respondError } from '#shared/api/http/respond';
import { linger, sendResponse } from './mount-fastify';
import { refusalOf, type SitePolicy } from './site-policy';

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
