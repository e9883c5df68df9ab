import { checkManifest, type Manifest } from '#shared/domain/manifest';
import type { ModelFiles } from '#shared/ports/inference';

/** Reads a body as it arrives. @param expected size from the manifest; a compressed response states another length */
const readBody = async (
  response: Response,
  expected: number,
  onProgress: (share: number) => void,
): Promise<Uint8Array> => {
  const reader = response.body?.getReader();
  if (!reader) return new Uint8Array(await response.arrayBuffer());
  const bytes = new Uint8Array(expected);
  let received = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const end = received + part.value.length;
    if (end > expected) throw new Error(`${response.url} is longer than the manifest says`);
    bytes.set(part.value, received);
    received = end;
    onProgress(received / expected);
  }
  return bytes.subarray(0, received);
};

/** @param folder URL of the models, with a trailing slash */
export const fetchManifest = async (folder: string): Promise<Manifest> => {
  // Never from a cache: it is small, and everything else must match it.
  const response = await fetch(`${folder}manifest.json`, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`The list of models could not be loaded (status ${response.status})`);
  return checkManifest((await response.json()) as Manifest);
};

/** Reads models from the page's own host. The browser's cache keeps them. */
export const createModelFiles = (folder: string, manifest: Manifest): ModelFiles => ({
  read: async (file, onProgress = () => undefined) => {
    const entry = manifest.models.find((model) => model.file === file);
    if (!entry) throw new Error(`The list of models does not name ${file}`);
    // The hash is part of the URL, so that no cache returns an old version.
    const response = await fetch(`${folder}${encodeURIComponent(file)}?sha256=${entry.sha256.slice(0, 16)}`);
    if (!response.ok) throw new Error(`Model ${file} could not be loaded (status ${response.status})`);
    return readBody(response, entry.bytes, onProgress);
  },
});
