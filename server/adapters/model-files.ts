import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkManifest, type Manifest } from '#shared/domain/manifest';
import { parseInstalled, withPacks } from '#shared/engine/packs/packs';
import type { ModelFiles } from '#shared/ports/inference';

const MANIFEST = 'manifest.json';
/** File name of the list of installed packs. */
const INSTALLED = 'packs.json';
/** Permitted file names. A manifest is data: its names must not lead out of the models' folder. */
const FILE_NAME = /^[\w-][\w.-]*\.onnx$/;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const readOrNothing = <T>(content: Promise<T>): Promise<T | undefined> =>
  content.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/**
 * Reads the manifest and the models of installed packs.
 *
 * @param folder contains the manifest and its models
 * @param packsFolder contains installed packs; it need not exist
 * @throws {BadManifest} if an entry is incomplete
 * @throws {BadPack} if the list of installed packs is damaged
 */
export const readManifest = async (folder: string, packsFolder?: string): Promise<Manifest> => {
  const manifest = checkManifest(JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest);
  if (packsFolder === undefined) return manifest;
  const installed = await readOrNothing(readFile(join(packsFolder, INSTALLED), 'utf8'));
  return installed === undefined ? manifest : withPacks(manifest, parseInstalled(parseJson(installed)));
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Reads models from the folder of the manifest, or from that of the packs. */
export const createModelFiles = (folder: string, packsFolder?: string): ModelFiles => ({
  read: async (file, onProgress) => {
    if (!FILE_NAME.test(file)) {
      throw new Error(`The manifest has an invalid name of a model file: ${file}`);
    }
    const bytes = await readFile(join(folder, file)).catch((error: unknown) => {
      if (packsFolder === undefined || !isMissing(error)) throw error;
      return readFile(join(packsFolder, file));
    });
    onProgress?.(1);
    return bytes;
  },
});
