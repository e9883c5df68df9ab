import { checkManifest, type Manifest } from '#shared/domain/manifest';
import type { ModelFiles } from '#shared/ports/model-files';

/** Reads a body as it arrives. `expected` is what the manifest says: a compressed answer states another length. */
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

/** @param folder address of the models, with a trailing slash */
export const fetchManifest = async (folder: string): Promise<Manifest> => {
  // Asked for anew each time: it is small and names what everything else must match.
  const response = await fetch(`${folder}manifest.json`, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`The list of models could not be loaded (status ${response.status})`);
  return checkManifest((await response.json()) as Manifest);
};

/** Reads models from where the page came from; the browser's own cache keeps them. */
export const createModelFiles = (folder: string, manifest: Manifest): ModelFiles => ({
  read: async (file, onProgress = () => undefined) => {
    const entry = manifest.models.find((model) => model.file === file);
    if (!entry) throw new Error(`The list of models does not name ${file}`);
    // The hash makes the address of a new version a new one, so that no cache can hand out the old one.
    const response = await fetch(`${folder}${encodeURIComponent(file)}?sha256=${entry.sha256.slice(0, 16)}`);
    if (!response.ok) throw new Error(`Model ${file} could not be loaded (status ${response.status})`);
    return readBody(response, entry.bytes, onProgress);
  },
});
