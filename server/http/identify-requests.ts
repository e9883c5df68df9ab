import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const REQUEST_ID = 'x-request-id';
const VERSION = 'veil-version';
/** What ids are made of everywhere, and nothing that could be more than a word in a log or a header. */
const SAFE_ID = /^[\w.:+/=~-]{1,128}$/;

/** The id that a client or a proxy gave the request, so that their logs and ours tell of it alike, or a new one. */
export const newRequestId = ({ headers }: IncomingMessage): string => {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : randomUUID();
};

/** Writes the request's id and the product's version into its answer. */
export type Identify = (request: FastifyRequest, reply: FastifyReply) => void;

/** @returns the same for requests that Fastify answers without its hooks */
export const identifyAnswers = (app: FastifyInstance, version: string): Identify => {
  const identify: Identify = ({ id }, reply) => void reply.headers({ [REQUEST_ID]: id, [VERSION]: version });
  app.addHook('onRequest', (request, reply, done) => {
    identify(request, reply);
    done();
  });
  return identify;
};
