import { existsSync } from 'node:fs';
import { cp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Folder of libraries in onnxruntime-node, with one folder for each system, and in it one for each processor. */
const LIBRARIES = 'bin/napi-v6';

/** A system and a processor as Node names them, for example `linux-x64`. */
const PLATFORM = /^(linux|darwin|win32)-(x64|arm64)$/;

/** Folder of the installed package onnxruntime-node. */
export const packageFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..');

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
 * The package onnxruntime-node contains the libraries of all platforms (288 MB, of which 45 MB are used), and its
 * installation script downloads more. Therefore it is not a dependency of the installed package.
 *
 * @param from folder of the package onnxruntime-node
 */
export const onnxruntimeLibrary = (from = packageFolder()): Plugin => ({
  name: 'veil-onnxruntime-library',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const folder = libraryFolder(process.env['VEIL_PACK_PLATFORM']);
    const source = join(from, folder);
    if (!existsSync(source)) {
      throw new Error(
        `${folder} is missing in onnxruntime-node: "npm ci --ignore-scripts" installs all platforms.`,
      );
    }
    await rm(join(dir, LIBRARIES), { recursive: true, force: true });
    await cp(source, join(dir, folder), { recursive: true });
  },
});

/**
 * Deletes the libraries for other platforms than this machine's, which take a quarter of the disk space of a checkout.
 * A package without this machine's library stays unchanged.
 *
 * @param folder that of the package onnxruntime-node
 */
export const deleteOtherLibraries = async (folder: string): Promise<void> => {
  const own = `${LIBRARIES}/${process.platform}/${process.arch}`;
  if (!existsSync(join(folder, own))) return;
  const systems = await readdir(join(folder, LIBRARIES));
  const platforms = await Promise.all(
    systems.map(async (system) =>
      (await readdir(join(folder, LIBRARIES, system))).map(
        (processor) => `${LIBRARIES}/${system}/${processor}`,
      ),
    ),
  );
  const others = platforms.flat().filter((platform) => platform !== own);
  await Promise.all(others.map((platform) => rm(join(folder, platform), { recursive: true })));
};
