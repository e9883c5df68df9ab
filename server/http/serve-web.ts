import { existsSync, createReadStream, readdirSync } from 'node:fs';
import { join, extname } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '#shared/domain/page-policy';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';

const COMPRESSED = '.br';

/** Types of the files that a package contains only compressed. */
const TYPES: Readonly<Record<string, string>> = {
  '.wasm': 'application/wasm',
  '.js': 'application/javascript; charset=utf-8',
};

/** Files that a folder holds in their compressed form alone. */
const packedAlone = (folder: string): readonly string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith(COMPRESSED))
    .map((name) => name.slice(0, -COMPRESSED.length))
    .filter((name) => extname(name) in TYPES && !existsSync(join(folder, name)));

/**
 * The contents of a compressed file.
 *
 * The file closes whatever ends the stream: a client that aborts a download destroys only the stream that it reads.
 */
const unpacked = (file: Readable): Readable =>
  // The error, if there is one, destroys the returned stream as well, and whoever sends that learns of it.
  pipeline(file, createBrotliDecompress(), () => undefined);

/** Browsers accept Brotli on localhost and over TLS alone. */
const acceptsBrotli = (acceptEncoding: string): boolean =>
  acceptEncoding.split(',').some((each) => /^\s*br\s*(;\s*q=(1|0\.0*[1-9]).*)?$/i.test(each));

/**
 * Serves runtimes and scripts of which only the compressed copy is there: a package holds 18 MB of them instead of 96.
 *
 * @param folder the built page
 * @param headersOf what is sent with the file at that address
 * @param open opens a file; tests see with it which files stay open
 */
export const serveUnpacked = (
  app: FastifyInstance,
  folder: string,
  headersOf: (url: string) => Readonly<Record<string, string>>,
  open: (path: string) => Readable = createReadStream,
): void => {
  for (const name of packedAlone(join(folder, 'assets'))) {
    app.route({
      method: ['GET', 'HEAD'],
      url: `/assets/${name}`,
      handler: (request, reply) => {
        const accepted = String(request.headers['accept-encoding'] ?? '');
        if (acceptsBrotli(accepted)) return reply.sendFile(`assets/${name}`);
        reply.headers({ ...headersOf(request.url), vary: 'accept-encoding' }).type(TYPES[extname(name)]!);
        if (request.method === 'HEAD') return reply.send();
        return reply.send(unpacked(open(join(folder, 'assets', name + COMPRESSED))));
      },
    });
  }
};

const ONE_YEAR = 'public, max-age=31536000, immutable';
/** Its address changes with its content: built assets by name, models by the hash in the query. */
const isAddressedByContent = (url: string): boolean => /^\/assets\/|^\/models\/[^?]+\?sha256=/.test(url);

/** The API reference, at the address where people look for one. */
const serveReference = (app: FastifyInstance): void => {
  app.get('/docs', (_request, reply) => reply.sendFile('docs.html'));
  // What the page asks for lies next to it: one slash more, and everything would be missing.
  app.get('/docs/', (_request, reply) => reply.redirect('/docs'));
};

/** What is sent with each file of the page. */
const headersOf = (url: string): Readonly<Record<string, string>> => ({
  ...pageHeaders(url.split('?')[0]!),
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
    // As they lie next to the files.
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
