import { createEngine } from '#shared/pipeline/engine';
import type { Engine } from '#shared/ports/engine';
import { imageCodec } from '../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../server/adapters/model-files';
import { system } from '../../server/adapters/system';

const MODELS = new URL('../', import.meta.url).pathname;

/** The server's engine without its worker and its HTTP: what is measured is the engine alone. */
export const openEngine = async (): Promise<Engine> => {
  const manifest = await readManifest(MODELS);
  const modelFiles = createModelFiles(MODELS);
  return createEngine({
    codec: imageCodec,
    runtime: createInferenceRuntime(2),
    modelFiles,
    manifest,
    system,
  });
};
