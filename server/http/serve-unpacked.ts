import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

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
