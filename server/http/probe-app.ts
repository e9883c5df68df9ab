import Fastify from 'fastify';
import type { App } from '../app';
import { HEADER_TIME } from './connection-limits';
import { serveProbes, type ProbeParts } from './serve-probes';

/** A web server that answers only the probes: for a process without an API. */
export const createProbeApp = (parts: ProbeParts): App => {
  const app = Fastify({ exposeHeadRoutes: false, http: HEADER_TIME });
  serveProbes(app, parts);
  return app;
};
