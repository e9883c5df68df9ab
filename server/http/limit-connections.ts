import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#shared/api/contract/errors';
import { respondError } from '#shared/api/http/respond';
import { linger, sendResponse } from './mount-fastify';
import { PROBES } from './serve-probes';

/** Connections beyond the limit that still learn why they are refused. Node closes more without an answer. */
const MAX_SURPLUS = 100;
/** A surplus connection that sends nothing for so long is closed. */
const SURPLUS_IDLE_MS = 5_000;

/** An orchestrator that gets no answer would restart the server, and its connections with it. */
const isProbe = ({ url }: IncomingMessage): boolean => url === PROBES.health || url === PROBES.readiness;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Bounds the open connections. Requests on those beyond the limit get 503 and the sentence, except probes, so that
 * clients with a connection are served on.
 */
export const limitConnections = (app: FastifyInstance, maxConnections: number): void => {
  const surplus = new WeakSet<Socket>();
  let open = 0;
  app.server.maxConnections = maxConnections + MAX_SURPLUS;
  app.server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => (open -= 1));
    if (open <= maxConnections) return;
    surplus.add(socket);
    socket.setTimeout(SURPLUS_IDLE_MS, () => socket.destroy());
  });
  app.addHook('onRequest', async ({ raw }, reply) => {
    if (!surplus.has(raw.socket) || isProbe(raw)) return undefined;
    // With a body it stays open for a moment, see `linger`.
    if (!hasBody(raw)) void reply.header('connection', 'close');
    linger(raw, reply.raw);
    return sendResponse(reply, respondError(new ApiError('too_many_connections')));
  });
};
