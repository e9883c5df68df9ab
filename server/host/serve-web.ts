import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { PAGE_HEADERS } from '#shared/page-policy';

const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Its address changes with its content: built assets by name, models by the hash in the query. */
const isAddressedByContent = (url: string): boolean => /^\/assets\/|^\/models\/[^?]+\?sha256=/.test(url);

/** The API reference, at the address where people look for one. */
const serveReference = (app: FastifyInstance): void => {
  app.get('/docs', (_request, reply) => reply.sendFile('docs.html'));
  // What the page asks for lies beside it: one slash more, and everything would be missing.
  app.get('/docs/', (_request, reply) => reply.redirect('/docs'));
};

/** Serves the built page, and nothing where it is not built. */
export const serveWeb = async (app: FastifyInstance, folder: string): Promise<void> => {
  if (!existsSync(join(folder, 'index.html'))) return;
  await app.register(fastifyStatic, {
    root: folder,
    dotfiles: 'ignore',
    cacheControl: false,
    // As they lie beside the files.
    preCompressed: true,
    setHeaders: (reply) => {
      const cache = isAddressedByContent(reply.request.url) ? ONE_YEAR : 'no-cache';
      reply.headers({ ...PAGE_HEADERS, 'cache-control': cache });
    },
  });
  serveReference(app);
};
