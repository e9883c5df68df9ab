import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiBody, ApiRequest, ApiResponse, ReceiveOptions, UploadPart } from '#shared/api/http/http';
import { API_PREFIX } from '#shared/api/contract/basics';
import type { Log } from '#shared/ports/system';
import { ApiError } from '#shared/api/contract/errors';
import { type BodyPace, watchPace } from './connection-limits';

/** A log whose every line names the request that it is about. */
export const logOfRequest = (log: Log, requestId: string): Log => ({
  info: (message, facts) => log.info(message, { ...facts, requestId }),
  error: (message, cause, facts) => log.error(message, cause, { ...facts, requestId }),
});

/**
 * Receives a body into memory.
 *
 * The request is never destroyed, whatever happens: the answer goes out on its socket.
 *
 * @throws ApiError `body_too_large`, `upload_broken`, `upload_too_slow`
 */
const receiveBody = (request: IncomingMessage, maxBytes: number, pace: BodyPace): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    const settle = (act: () => void): void => {
      endWatch();
      request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
      act();
    };
    const refuse = (error: ApiError): void => settle(() => reject(error));
    const breakOff = (): void => refuse(new ApiError('upload_broken'));
    const end = (): void => settle(() => resolve(Buffer.concat(pieces)));
    const take = (piece: Buffer): void => {
      sizeBytes += piece.length;
      if (sizeBytes > maxBytes) refuse(new ApiError('body_too_large', maxBytes));
      else pieces.push(piece);
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(new ApiError('body_too_large', maxBytes));
      return;
    }
    const endWatch = watchPace(request, pace, refuse);
    request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
  });

/** What the API needs of its host; each log is of the one request. */
export interface ApiMount {
  /** `dispatch` over this host's service. */
  answer(request: ApiRequest, log: Log): Promise<ApiResponse>;
  receiveUpload(request: IncomingMessage, options: ReceiveOptions, log: Log): Promise<readonly UploadPart[]>;
}

/** How long a client that is answered early may continue to send: enough time to read the answer. */
const LINGER_MS = 5_000;

/** Node joins repeated headers, all but `set-cookie`, which no request has. */
const plainHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );

/** Aborted when the connection closes before the answer is out. */
const signalOf = (response: ServerResponse): AbortSignal => {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort();
  });
  return abort.signal;
};

/**
 * Reads on, for a while, what a client sends although it has its answer, as nginx' lingering close does.
 *
 * Closing at once would reset the connection, and many clients then report the reset instead of the answer that
 * they already have; never closing would let them send for ever.
 */
export const linger = (request: IncomingMessage, response: ServerResponse): void => {
  response.once('finish', () => {
    if (request.complete) return;
    const closing = setTimeout(() => request.destroy(), LINGER_MS).unref();
    request.once('close', () => clearTimeout(closing)).resume();
  });
};

/** @returns undefined for no body: only then Fastify leaves away the length of what is not modified */
const payloadOf = (body: ApiBody): Buffer | Readable | undefined => {
  if (!(body instanceof Uint8Array)) return Readable.from(body, { objectMode: false });
  return body.byteLength > 0 ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : undefined;
};

export const sendResponse = (reply: FastifyReply, { status, headers, body }: ApiResponse): FastifyReply =>
  reply.code(status).headers(headers).send(payloadOf(body));

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers a request by the API. @param change what the API is asked instead */
export type AskApi = (
  request: FastifyRequest,
  reply: FastifyReply,
  change?: (asked: ApiRequest) => ApiRequest,
) => Promise<ApiResponse>;

/** The API of a server, for requests of any path. */
export const askApi =
  (mount: ApiMount, pace: BodyPace, log: Log): AskApi =>
  (request, reply, change = (asked) => asked) => {
    const requestLog = logOfRequest(log, request.id);
    const asked: ApiRequest = {
      method: request.method,
      url: request.raw.url ?? '/',
      headers: plainHeaders(request.headers),
      receiveUpload: (options) => mount.receiveUpload(request.raw, options, requestLog),
      receiveBody: (maxBytes) => receiveBody(request.raw, maxBytes, pace),
      signal: signalOf(reply.raw),
    };
    return mount.answer(change(asked), requestLog);
  };

/**
 * Hands every request under the API's prefix to `dispatch`, untouched.
 *
 * Fastify moves bytes and judges nothing: bodies stay streams, whatever they call themselves.
 *
 * @returns how to answer any other request the same way
 */
export const mountApi = (app: FastifyInstance, ask: AskApi): Answer => {
  const answer: Answer = async (request, reply) => {
    linger(request.raw, reply.raw);
    return sendResponse(reply, await ask(request, reply));
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.all(`${API_PREFIX}*`, answer);
  return answer;
};
