import type { AddressInfo, Socket } from 'node:net';
import Fastify, {
  type ConnectionError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Log } from '#shared/ports/log';
import { isApiPath, mountApi, type ApiMount } from './host/mount-fastify';
import { serveWeb } from './host/serve-web';

export interface AppParts {
  readonly api: ApiMount;
  /** The built page; may be missing. */
  readonly webFolder: string;
  readonly log: Log;
}

const NOT_FOUND = { detail: 'There is nothing at this address.' };
const FAULT = { detail: 'Something went wrong inside the service.' };

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

/** Where a listening server is reached from this machine; no trailing slash. */
export const addressOf = (app: FastifyInstance): string => {
  const { address, port } = app.server.address() as AddressInfo;
  const isAny = address === '0.0.0.0' || address === '::';
  const host =
    isAny || address === '127.0.0.1' ? 'localhost' : address.includes(':') ? `[${address}]` : address;
  return `http://${host}:${port}`;
};

/** The web server: the API under its prefix, the page everywhere else. */
export const createApp = async ({ api, webFolder, log }: AppParts): Promise<FastifyInstance> => {
  const app: FastifyInstance = Fastify({
    exposeHeadRoutes: false,
    clientErrorHandler: answerUnreadableRequest,
    frameworkErrors: (_error, request, reply) =>
      answerUnrouted(request as FastifyRequest, reply as FastifyReply),
  });
  const answerApi = mountApi(app, api);
  const answerUnrouted = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    isApiPath(request.raw.url ?? '') ? answerApi(request, reply) : reply.code(404).send(NOT_FOUND);
  app.setNotFoundHandler(answerUnrouted);
  app.setErrorHandler(async (error, request, reply) => {
    // What Fastify refuses before a handler runs is the API's to answer.
    if (isApiPath(request.raw.url ?? '') && !reply.sent) return answerApi(request, reply);
    log.error('A request failed.', error);
    return reply.code(500).send(FAULT);
  });
  await serveWeb(app, webFolder);
  return app;
};
