import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Plugin, preview } from 'vite';
import { freePort } from './free-port';
import type { RunningServer } from './start-server';

export interface FileHost extends RunningServer {
  /** Publishes the next version of the page, with a different service worker. */
  publishNext(): void;
}

const WORKER = 'sw.js';

/** Appends a line to the service worker after a new version was published: browsers compare it byte by byte. */
const versions = (isNext: () => boolean): Plugin => ({
  name: 'versions',
  configurePreviewServer: ({ middlewares, config }) => {
    middlewares.use(`/${WORKER}`, (_request, response, next) => {
      if (!isNext()) return next();
      readFile(resolve(config.root, config.build.outDir, WORKER)).then(
        (script) =>
          response.setHeader('content-type', 'text/javascript').end(`${script}\n// the next version`),
        next,
      );
    });
  },
});

/** Serves a built page without an API, like a static host. @param outDir default: the page of the product */
export const serveFiles = async (outDir?: string): Promise<FileHost> => {
  const port = await freePort();
  let isNext = false;
  const server = await preview({
    logLevel: 'error',
    ...(outDir === undefined ? {} : { build: { outDir } }),
    plugins: [versions(() => isNext)],
    preview: { host: '127.0.0.1', port, strictPort: true },
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => server.close(),
    publishNext: () => {
      isNext = true;
    },
  };
};
