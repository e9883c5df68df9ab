import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { build, type Plugin, type Rolldown } from 'vite';
import type { Manifest } from '../../shared/domain/manifest';
import { META_POLICY } from '../../shared/domain/page-policy';
import type { FileGroup, OfflineFile } from '../service-worker/protocol';

const SOURCE = join(import.meta.dirname, '../service-worker/sw.ts');
const WORKER = 'sw.js';
/** The worker and its import, which browsers store with the worker. */
const NOT_SERVED_BY_WORKER = new Set([WORKER, 'mockServiceWorker.js']);

/** Group by file name. All other WASM files are needed only for some files. */
const GROUPS: readonly (readonly [RegExp, FileGroup])[] = [
  [/(face-embedding|text-reader)\.onnx$/, 'optional'],
  [/\.onnx$|ort-wasm-simd-threaded-[^.]*\.wasm$|(libheif-bundle|wasm-zstd)-[^.]*\.(js|wasm)$/, 'engine'],
  [/ort-wasm-simd-threaded\.asyncify-[^.]*\.wasm$/, 'gpu'],
  [/\.wasm$/, 'optional'],
];
const groupOf = (path: string): FileGroup => GROUPS.find(([name]) => name.test(path))?.[1] ?? 'shell';

/** URL as the page requests it: models have their hash in the query. */
const addressOf = (path: string, manifest: Manifest): string => {
  const model = manifest.models.find(({ file }) => `models/${file}` === path);
  return model ? `${path}?sha256=${model.sha256.slice(0, 16)}` : path;
};

const listFiles = async (folder: string): Promise<readonly OfflineFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !NOT_SERVED_BY_WORKER.has(path))
    .sort();
  const manifest = JSON.parse(await readFile(join(folder, 'models/manifest.json'), 'utf8')) as Manifest;
  return Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(join(folder, path));
      return {
        path: addressOf(path, manifest),
        bytes: bytes.byteLength,
        integrity: `sha256-${createHash('sha256').update(bytes).digest('base64')}`,
        group: groupOf(path),
      };
    }),
  );
};

/** Bundles a classic script, because not every browser supports module service workers. */
const bundle = async (files: readonly OfflineFile[]): Promise<string> => {
  const list = JSON.stringify(files);
  const version = createHash('sha256').update(list).digest('hex').slice(0, 12);
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: {
      VEIL_FILES: list,
      VEIL_VERSION: JSON.stringify(version),
    },
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: SOURCE, formats: ['iife'], name: 'veil', fileName: () => WORKER },
    },
  });
  const [output] = outputs as readonly Rolldown.RolldownOutput[];
  const chunk = output?.output[0];
  if (!chunk) throw new Error('The service worker was not bundled');
  return chunk.code;
};

/** Writes the service worker of a built page, with the list of all its files. */
export const writeServiceWorker = async (folder: string): Promise<void> =>
  writeFile(join(folder, WORKER), await bundle(await listFiles(folder)));

/**
 * Builds the service worker last, with the list of all files, and adds the content security policy to the page. During
 * development the worker has no files: it only answers the API and counts requests.
 */
export const serviceWorker = (): Plugin => ({
  name: 'veil-service-worker',
  configureServer: (server) => {
    server.middlewares.use(`/${WORKER}`, (_request, response, next) => {
      bundle([]).then((code) => {
        response.setHeader('content-type', 'text/javascript').end(code);
      }, next);
    });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle: isBuilt }) =>
      isBuilt
        ? [
            {
              tag: 'meta',
              attrs: { 'http-equiv': 'Content-Security-Policy', content: META_POLICY },
              injectTo: 'head-prepend',
            },
          ]
        : [],
  },
  writeBundle: {
    order: 'post',
    sequential: true,
    handler: async ({ dir = '' }) => writeServiceWorker(dir),
  },
});
