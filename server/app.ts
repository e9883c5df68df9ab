import type { AddressInfo, Socket } from 'node:net';
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { ApiError, ERRORS } from '#shared/api/contract/errors';
import { LIMITS } from '#shared/domain/limits';
import { respondError } from '#shared/api/http/respond';
import type { Log } from '#shared/ports/log';
import { answerCors } from './http/answer-cors';
import { guardSites, siteRefusal } from './http/guard-sites';
import { identifyAnswers, newRequestId } from './http/identify-requests';
import { logOfRequest } from './http/log-of-request';
import { mountApi, sendResponse, type ApiMount } from './http/mount-fastify';
import { observeRequests, type ObserverParts } from './http/observe-requests';
import { serveProbes, type ProbeParts } from './http/serve-probes';
import { serveWeb, type WebFolders } from './http/serve-web';
import type { SitePolicy } from './http/site-policy';

/** What the rest of the server needs to know of Fastify. */
export type App = FastifyInstance;

export interface AppParts {
  readonly api: ApiMount;
  readonly web: WebFolders;
  readonly log: Log;
  /** Probes, metrics and access log. */
  readonly watch: ProbeParts & Omit<ObserverParts, 'log'>;
  readonly sites: SitePolicy;
}

const FAULT_STATUS = ERRORS.internal.status;

/** Room for one JSON parameter at its longest, each character percent-encoded, beside Node's 16 KiB for all else. */
const MAX_HEADER_BYTES = 3 * LIMITS.maxJsonParameterChars + 16 * 1024;

/** What Node cannot read as HTTP never becomes a request; it is answered on the bare socket. */
const answerUnreadableRequest = (error: ConnectionError, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify({ detail: 'The request is not valid HTTP.' });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/** Fastify's or its plug-ins' own no to a request, not a fault. */
const isRefusal = ({ statusCode = FAULT_STATUS }: FastifyError): boolean => statusCode < FAULT_STATUS;

/** Where a listening server is reached from this machine; no trailing slash. */
export const addressOf = (app: App): string => {
  const { address, port } = app.server.address() as AddressInfo;
  const isAny = address === '0.0.0.0' || address === '::';
  const host =
    isAny || address === '127.0.0.1' ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}`;
};

/**
 * The web server: the API under its prefix, three probes, the page everywhere else.
 *
 * What belongs to neither, and what Fastify would refuse by itself, goes to the API too: so every error has the one
 * form that clients know.
 */
export const createApp = async ({ api, web, log, watch, sites }: AppParts): Promise<App> => {
  const app: FastifyInstance = Fastify({
    exposeHeadRoutes: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES },
    genReqId: newRequestId,
    clientErrorHandler: answerUnreadableRequest,
    // Hooks do not run for these.
    frameworkErrors: (_error, request, reply) => {
      const [req, rep] = [request as FastifyRequest, reply as FastifyReply];
      identify(req, rep);
      if (!guard(req, rep)) void answerByApi(req, rep);
    },
  });
  observeRequests(app, { ...watch, log });
  const identify = identifyAnswers(app, watch.version);
  await answerCors(app, sites, (request) => siteRefusal(request, sites) !== undefined);
  const guard = guardSites(app, sites);
  const answerByApi = mountApi(app, api, log);
  app.setNotFoundHandler(answerByApi);
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isRefusal(error)) return answerByApi(request, reply);
    logOfRequest(log, request.id).error('A request failed.', error);
    return sendResponse(reply, respondError(new ApiError('internal')));
  });
  serveProbes(app, watch);
  await serveWeb(app, web);
  return app;
};
