import type { AddressInfo, Socket } from 'node:net';
import Fastify, {
  type ConnectionError,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { ApiError, ERRORS } from '#shared/api/contract/errors';
import { MAX_JSON_CHARS } from '#shared/catalogue/parameters';
import { respondError } from '#shared/api/http/respond';
import type { Log } from '#shared/ports/system';
import { answerCors, guardSites, siteRefusal } from './http/guard-sites';
import { HEADER_TIME, type ConnectionLimits } from './http/connection-limits';
import {
  type ObserverParts,
  type ProbeParts,
  identifyAnswers,
  newRequestId,
  observeRequests,
  serveProbes,
} from './http/serve-probes';
import { limitConnections } from './http/limit-connections';
import { askApi, logOfRequest, mountApi, sendResponse, type ApiMount } from './http/mount-fastify';
import { servePanoramax } from './http/serve-panoramax';
import { serveWeb, type WebFolders } from './http/serve-web';
import type { SitePolicy } from './http/site-policy';

/** The web server and its requests. Other files of the server use these names instead of Fastify's. */
export type App = FastifyInstance;
export type WebRequest = FastifyRequest;

export interface AppParts {
  readonly api: ApiMount;
  readonly web: WebFolders;
  readonly log: Log;
  /** Probes, metrics and access log. */
  readonly watch: ProbeParts & Omit<ObserverParts, 'log'>;
  readonly sites: SitePolicy;
  readonly connections: ConnectionLimits;
  /** Also answers as the blur service of Panoramax. */
  readonly servesPanoramax?: boolean;
}

const FAULT_STATUS = ERRORS.internal.status;

/** Space for one JSON parameter of maximum length with each character percent-encoded, and Node's usual 16 KiB. */
const MAX_HEADER_BYTES = 3 * MAX_JSON_CHARS + 16 * 1024;

const NOT_HTTP = { status: '400 Bad Request', detail: 'The request is not valid HTTP.' } as const;

/** By the code of Node's error. */
const UNREADABLE: Readonly<Record<string, { readonly status: string; readonly detail: string }>> = {
  HPE_HEADER_OVERFLOW: { ...NOT_HTTP, status: '431 Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    detail: `The headers of the request did not arrive within ${HEADER_TIME.headersTimeout / 1000} s.`,
  },
};

/** Answers data that is not HTTP directly on the socket, because Node creates no request for it. */
const answerUnreadableRequest = (error: ConnectionError, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const { status, detail } = UNREADABLE[error.code] ?? NOT_HTTP;
  const body = JSON.stringify({ detail });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
};

/** Whether Fastify or a plug-in refused a request; other errors are faults. */
const isRefusal = ({ statusCode = FAULT_STATUS }: FastifyError): boolean => statusCode < FAULT_STATUS;

/** URL of a listening server for clients on this machine, without a trailing slash. */
export const addressOf = (app: App): string => {
  const { address, port } = app.server.address() as AddressInfo;
  const isAny = address === '0.0.0.0' || address === '::';
  const host =
    isAny || address === '127.0.0.1' ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}`;
};

/**
 * The web server: the API under its prefix, three probes, and the page at all other paths.
 *
 * The API also answers requests for unknown paths and requests that Fastify refuses, so that all errors have the same
 * form.
 */
export const createApp = async (parts: AppParts): Promise<App> => {
  const { api, web, log, watch, sites, connections, servesPanoramax } = parts;
  const app: FastifyInstance = Fastify({
    exposeHeadRoutes: false,
    http: { maxHeaderSize: MAX_HEADER_BYTES, ...HEADER_TIME },
    genReqId: newRequestId,
    clientErrorHandler: answerUnreadableRequest,
    // Fastify runs no hooks for these requests.
    frameworkErrors: (_error, request, reply) => {
      const [req, rep] = [request as FastifyRequest, reply as FastifyReply];
      identify(req, rep);
      if (!guard(req, rep)) void answerByApi(req, rep);
    },
  });
  observeRequests(app, { ...watch, log });
  const identify = identifyAnswers(app, watch.version);
  limitConnections(app, connections.maxConnections);
  await answerCors(app, sites, (request) => siteRefusal(request, sites) !== undefined);
  const guard = guardSites(app, sites);
  const ask = askApi(api, connections, log);
  const answerByApi = mountApi(app, ask);
  if (servesPanoramax) servePanoramax(app, ask);
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
