import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** File types that compression makes smaller; models and images stay as they are. */
const COMPRESSIBLE = /\.(html|js|css|json|webmanifest|svg|wasm)$/;
/** Brotli level: half of the maximum gain in a hundredth of its time; 32 MB of WASM take 2 s. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 } };

const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

const compressFile = async (path: string): Promise<void> => {
  const bytes = await readFile(path);
  await Promise.all([
    brotli(bytes, BROTLI).then((compressed) => writeFile(`${path}.br`, compressed)),
    gzipped(bytes).then((compressed) => writeFile(`${path}.gz`, compressed)),
  ]);
};

/** Writes a compressed copy beside each file for the server to send. Must run after all files are written. */
export const precompress = (): Plugin => ({
  name: 'veil-precompress',
  apply: 'build',
  writeBundle: {
    order: 'post',
    sequential: true,
    handler: async ({ dir = '' }) => {
      const entries = await readdir(dir, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name));
      await Promise.all(files.map(({ parentPath, name }) => compressFile(join(parentPath, name))));
    },
  },
});
