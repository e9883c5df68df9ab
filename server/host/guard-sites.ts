import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { respondError } from '#shared/api/respond';
import { linger, sendResponse } from './mount-fastify';
import { refusalOf, type SitePolicy } from './site-policy';

/** Answers a request that the policy refuses. @returns undefined where it is let through */
export type Guard = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined;

/**
 * Refuses requests of other web sites before a handler, a file or a body is touched.
 *
 * @returns the same for requests that Fastify answers without its hooks
 */
export const guardSites = (app: FastifyInstance, policy: SitePolicy): Guard => {
  const guard: Guard = (request, reply) => {
    const { method, raw, headers } = request;
    const refusal = refusalOf({ method, target: raw.url ?? '/', headers }, policy);
    if (!refusal) return undefined;
    linger(raw, reply.raw);
    return sendResponse(reply, respondError(refusal));
  };
  app.addHook('onRequest', async (request, reply) => guard(request, reply));
  return guard;
};
