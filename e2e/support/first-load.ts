import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BrowserContext } from '@playwright/test';

const PAGE = join(import.meta.dirname, '../../dist/web');

/** Purpose of a file of the page, by its extension. */
export type FileKind = 'page' | 'script' | 'style' | 'font' | 'runtime' | 'model' | 'other';

const KINDS: readonly (readonly [RegExp, FileKind])[] = [
  [/\.html$/, 'page'],
  [/\.js$/, 'script'],
  [/\.css$/, 'style'],
  [/\.woff2$/, 'font'],
  [/\.wasm$/, 'runtime'],
  [/\.onnx$/, 'model'],
];
export const kindOf = (path: string): FileKind => KINDS.find(([name]) => name.test(path))?.[1] ?? 'other';

export interface LoadedFile {
  readonly path: string;
  readonly kind: FileKind;
}

/** Loaded files by requester: the page with its workers, or the service worker, which stores files for later. */
export interface LoadedFiles {
  readonly byPage: ReadonlyMap<string, LoadedFile>;
  readonly byServiceWorker: ReadonlyMap<string, LoadedFile>;
}

const pathOf = (url: string): string => {
  const { pathname } = new URL(url);
  return extname(pathname) === '' ? '/index.html' : pathname;
};

/** Records each file of the page that is loaded from now on, once. @param origin of the page */
export const watchFiles = (context: BrowserContext, origin: string): LoadedFiles => {
  const byPage = new Map<string, LoadedFile>();
  const byServiceWorker = new Map<string, LoadedFile>();
  context.on('requestfinished', (request) => {
    if (new URL(request.url()).origin !== origin) return;
    const path = pathOf(request.url());
    const files = request.serviceWorker() ? byServiceWorker : byPage;
    files.set(path, { path, kind: kindOf(path) });
  });
  return { byPage, byServiceWorker };
};

/** Size of a file on disk and with each compression, in bytes. */
export interface Sizes {
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
}

const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Sizes of a file of the built page. Fonts and models are compressed already. */
export const sizesOf = ({ path, kind }: LoadedFile): Sizes => {
  const bytes = readFileSync(join(PAGE, path));
  const raw = bytes.byteLength;
  if (kind === 'font' || kind === 'model') return { raw, gzip: raw, brotli: raw };
  return {
    raw,
    gzip: gzipSync(bytes).byteLength,
    brotli: brotliCompressSync(bytes, QUICK_BROTLI).byteLength,
  };
};

export const sumOf = (files: Iterable<LoadedFile>): Sizes => {
  let sum: Sizes = { raw: 0, gzip: 0, brotli: 0 };
  for (const file of files) {
    const { raw, gzip, brotli } = sizesOf(file);
    sum = { raw: sum.raw + raw, gzip: sum.gzip + gzip, brotli: sum.brotli + brotli };
  }
  return sum;
};
