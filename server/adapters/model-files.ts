import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Manifest } from '#shared/catalogue/manifest';
import type { ModelFiles } from '#shared/ports/model-files';

const MANIFEST = 'manifest.json';
/** A manifest is data too: its file names must not lead out of the models' folder. */
const FILE_NAME = /^[\w-][\w.-]*\.onnx$/;

/** @param folder holds the manifest and the models it names */
export const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;

export const createModelFiles = (folder: string): ModelFiles => ({
  read: async (file, onProgress) => {
    if (!FILE_NAME.test(file)) {
      throw new Error(`The manifest names a model file that is no file name: ${file}`);
    }
    const bytes = await readFile(join(folder, file));
    onProgress?.(1);
    return bytes;
  },
});
