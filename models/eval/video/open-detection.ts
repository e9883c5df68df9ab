import type { Detection } from '#shared/domain/detection';
import type { Raster } from '#shared/domain/raster';
import type { ImageOptions } from '#shared/domain/options';
import { createSessions } from '#shared/engine/inference/sessions';
import { createPyramid } from '#shared/engine/pixels/pyramid';
import { findObjects } from '#shared/engine/search/find-objects';
import type { SearchScope } from '#shared/engine/search/plan-search';
import { createInferenceRuntime } from '../../../server/adapters/inference';
import { createModelFiles, readManifest } from '../../../server/adapters/model-files';
import { system } from '../../../server/adapters/system';

const MODELS = new URL('../../', import.meta.url).pathname;

/** Searches one frame. */
export type Detect = (raster: Raster, scope?: SearchScope) => Promise<readonly Detection[]>;

/** The product's detection with its models. */
export const openDetection = async (): Promise<(options: ImageOptions) => Detect> => {
  const manifest = await readManifest(MODELS);
  const sessions = createSessions({
    runtime: createInferenceRuntime(2),
    modelFiles: createModelFiles(MODELS),
    manifest,
    system,
  });
  return (options) => (raster, scope) =>
    findObjects(
      createPyramid(raster),
      options,
      { sessions, manifest },
      { signal: new AbortController().signal, scope },
    );
};
