import { createEngine } from '#shared/engine/engine';
import type { EngineMethods } from '#shared/ports/engine';
import { imageCodec } from '../../server/adapters/image-codec';
import { createInferenceRuntime } from '../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../server/adapters/model-files';
import { system } from '../../server/adapters/system';
import { videoCodec } from '../../server/adapters/video-backend';

const MODELS = new URL('../', import.meta.url).pathname;

/**
 * The server's engine without worker and HTTP, so that only the engine is measured.
 *
 * @param packsFolder folder of installed packs that replace default models
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
