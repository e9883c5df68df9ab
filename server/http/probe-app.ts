import Fastify from 'fastify';
import type { App } from '../app';
import { serveProbes, type ProbeParts } from './serve-probes';

/** A web server that answers only the probes: for a process without an API. */
export const createProbeApp = (parts: ProbeParts): App => {
  const app = Fastify({ exposeHeadRoutes: false });
  serveProbes(app, parts);
  return app;
};
