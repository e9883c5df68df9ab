import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADERS } from '#shared/domain/page-policy';
import { serveUnpacked } from './serve-unpacked';

const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Its address changes with its content: built assets by name, models by the hash in the query. */
const isAddressedByContent = (url: string): boolean => /^\/assets\/|^\/models\/[^?]+\?sha256=/.test(url);

/** The API reference, at the address where people look for one. */
const serveReference = (app: FastifyInstance): void => {
  app.get('/docs', (_request, reply) => reply.sendFile('docs.html'));
  // What the page asks for lies beside it: one slash more, and everything would be missing.
  app.get('/docs/', (_request, reply) => reply.redirect('/docs'));
};

/** What is sent with each file of the page. */
const headersOf = (url: string): Readonly<Record<string, string>> => ({
  ...PAGE_HEADERS,
  'cache-control': isAddressedByContent(url) ? ONE_YEAR : 'no-cache',
});

/** Models and the list of them, with no folder in their names. */
const MODEL_PATH = /^\/[\w-][\w.-]*\.(onnx|json)$/;

/** Where the page's files are. */
export interface WebFolders {
  /** The built page; may be missing. */
  readonly page: string;
  /** The server's own models: a package holds those of the page there alone. */
  readonly models: string;
}

/** Serves the built page, and nothing where it is not built. */
export const serveWeb = async (app: FastifyInstance, { page, models }: WebFolders): Promise<void> => {
  if (!existsSync(join(page, 'index.html'))) return;
  const options: FastifyStaticOptions = {
    root: page,
    dotfiles: 'ignore',
    cacheControl: false,
    // As they lie beside the files.
    preCompressed: true,
    setHeaders: (reply) => {
      reply.headers(headersOf(reply.request.url));
    },
  };
  await app.register(fastifyStatic, options);
  await app.register(fastifyStatic, {
    ...options,
    root: [join(page, 'models'), models].filter(existsSync),
    prefix: '/models/',
    allowedPath: (path) => MODEL_PATH.test(path),
    decorateReply: false,
  });
  serveUnpacked(app, page, headersOf);
  serveReference(app);
};
