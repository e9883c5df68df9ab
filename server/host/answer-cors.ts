import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isAllowedOrigin, type SitePolicy } from './site-policy';

/** Every method of the API that a browser asks about before it sends it. */
const METHODS = 'GET, HEAD, POST, DELETE';
/** What requests to the API bring, beside what every site may send unasked. */
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range, X-Is-Async';
/** What answers tell, beside what every site may read unasked. */
const RESPONSE_HEADERS =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Retry-After, WWW-Authenticate';
/** Two hours: the longest that Chromium keeps it. */
const PREFLIGHT_SECONDS = 7200;
const NO_CONTENT = 204;

/** A browser's question whether a site may send what it is about to send. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/**
 * Lets pages of the allowed origins read answers (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol).
 *
 * Never with credentials: the API has none that a browser adds by itself. Other origins get no header at all, as though
 * there were no such thing. The names are those of `@fastify/cors`, which can take this function's place.
 */
export const answerCors = (app: FastifyInstance, policy: SitePolicy): void => {
  if (policy.allowedOrigins.size === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    if (!isPreflight(request) || !isAllowedOrigin(policy, request.headers.origin)) return undefined;
    return reply
      .code(NO_CONTENT)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': String(PREFLIGHT_SECONDS),
      })
      .send();
  });
  app.addHook('onSend', async ({ headers: { origin } }, reply) => {
    // For all, so that no cache gives one site what was made for another.
    const vary = reply.getHeader('vary');
    reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`);
    if (!isAllowedOrigin(policy, origin)) return;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': RESPONSE_HEADERS,
    });
  });
};
