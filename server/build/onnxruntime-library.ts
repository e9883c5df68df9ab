import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where onnxruntime-node keeps its libraries, one folder for each system and processor. */
const LIBRARIES = 'bin/napi-v6';

/** A system and a processor as Node names them, for example `linux-x64`. */
const PLATFORM = /^(linux|darwin|win32)-(x64|arm64)$/;

/**
 * The platform whose library is put beside the server.
 *
 * @param wanted a platform's name; undefined for that of this machine
 * @throws Error at a name that is no platform
 */
export const libraryFolder = (wanted = `${process.platform}-${process.arch}`): string => {
  const [, system, processor] = PLATFORM.exec(wanted) ?? [];
  if (!system || !processor) throw new Error(`VEIL_PACK_PLATFORM must be like linux-arm64, not "${wanted}".`);
  return `${LIBRARIES}/${system}/${processor}`;
};

/**
 * Puts the library of onnxruntime beside the built server, where its bundled JavaScript looks for it.
 *
 * The package onnxruntime-node holds the libraries of all platforms (294 MB, 45 of them used), and its installation
 * script downloads more; an installed Veil therefore does not depend on it.
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
