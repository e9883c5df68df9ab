import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Folder of libraries in onnxruntime-node, with one folder for each system and processor. */
const LIBRARIES = 'bin/napi-v6';

/** A system and a processor as Node names them, for example `linux-x64`. */
const PLATFORM = /^(linux|darwin|win32)-(x64|arm64)$/;

/**
 * The folder of the library that a build contains.
 *
 * @param wanted name of a platform; undefined for this machine's
 * @throws Error for an unknown name
 */
export const libraryFolder = (wanted = `${process.platform}-${process.arch}`): string => {
  const [, system, processor] = PLATFORM.exec(wanted) ?? [];
  if (!system || !processor) throw new Error(`VEIL_PACK_PLATFORM must be like linux-arm64, not "${wanted}".`);
  return `${LIBRARIES}/${system}/${processor}`;
};

/**
 * Copies the library of onnxruntime next to the built server, where the bundled JavaScript loads it.
 *
 * The package onnxruntime-node contains the libraries of all platforms (294 MB, of which 45 MB are used), and its
 * installation script downloads more. Therefore it is not a dependency of the installed package.
 */
export const onnxruntimeLibrary = (): Plugin => ({
  name: 'veil-onnxruntime-library',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const folder = libraryFolder(process.env['VEIL_PACK_PLATFORM']);
    const main = createRequire(import.meta.url).resolve('onnxruntime-node');
    await rm(join(dir, LIBRARIES), { recursive: true, force: true });
    await cp(join(dirname(main), '..', folder), join(dir, folder), { recursive: true });
  },
});
