import { createEngine } from '#shared/engine/engine';
import type { EngineMethods } from '#shared/ports/engine';
import { imageCodec } from '../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../server/adapters/model-files';
import { system } from '../../server/adapters/system';
import { videoCodec } from '../../server/adapters/video-codec';

const MODELS = new URL('../', import.meta.url).pathname;

/**
 * The server's engine without its worker and its HTTP: what is measured is the engine alone.
 *
 * @param packsFolder holds packs of models that are measured instead of the default ones
 */
export const openEngine = async (packsFolder?: string): Promise<EngineMethods> => {
  const manifest = await readManifest(MODELS, packsFolder);
  const modelFiles = createModelFiles(MODELS, packsFolder);
  return createEngine({
    codec: imageCodec,
    videoCodec,
    runtime: createInferenceRuntime(2),
    modelFiles,
    manifest,
    system,
  });
};
