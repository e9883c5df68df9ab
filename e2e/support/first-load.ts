import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { BrowserContext } from '@playwright/test';

const PAGE = join(import.meta.dirname, '../../dist/web');

/** What a file of the page is to who waits for it. */
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

/** Whoever has a file loaded: the page with its workers, or the service worker, which stores it for later. */
export interface LoadedFiles {
  readonly byPage: ReadonlyMap<string, LoadedFile>;
  readonly byServiceWorker: ReadonlyMap<string, LoadedFile>;
}

const pathOf = (url: string): string => {
  const { pathname } = new URL(url);
  return extname(pathname) === '' ? '/index.html' : pathname;
};

/** Notes each file of the page that is loaded from now on, once. @param origin of the page */
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

/** How many bytes a file is on disk and on its way. */
export interface Sizes {
  readonly raw: number;
  readonly gzip: number;
  readonly brotli: number;
}

const QUICK_BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Of a file of the built page; what is compressed already stays as it is. */
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
