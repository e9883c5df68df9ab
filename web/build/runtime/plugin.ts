import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { Plugin } from 'vite';
import { replaceFunctions } from './replace-functions';

const FILE = 'ort-wasm-simd-threaded.wasm';
const IMPORT = `onnxruntime-web/${FILE}`;
const RUNTIME = createRequire(import.meta.url).resolve(IMPORT);
/** Where the changed runtime is kept, for builds and for the development server. */
const CHANGED = join(import.meta.dirname, '../../../.cache/runtime', FILE);

const addressOf = (file: string): string => `new URL("${file}",import.meta.url)`;

let isWritten = false;

const writeChanged = (): void => {
  if (isWritten) return;
  mkdirSync(dirname(CHANGED), { recursive: true });
  // Builds may run at the same time, and none reads a part of the file.
  const part = `${CHANGED}.${process.pid}`;
  writeFileSync(part, replaceFunctions(readFileSync(RUNTIME)));
  renameSync(part, CHANGED);
  isWritten = true;
};

/** Puts onnxruntime with functions of ours in the place of onnxruntime: see `replaceFunctions`. */
export const fasterRuntime = (): Plugin => ({
  name: 'faster-runtime',
  enforce: 'pre',
  buildStart: writeChanged,
  resolveId: {
    filter: { id: new RegExp(`^${IMPORT}[?]url$`) },
    handler: () => `${CHANGED}?url`,
  },
  // The address that onnxruntime itself would use: otherwise the page would contain both.
  transform: {
    filter: { id: /onnxruntime-web.dist.ort\.wasm\.bundle\.min\.mjs$/ },
    handler: (code) => ({
      code: code.replaceAll(
        addressOf(FILE),
        addressOf(relative(dirname(RUNTIME), CHANGED).replaceAll('\\', '/')),
      ),
      map: null,
    }),
  },
});
