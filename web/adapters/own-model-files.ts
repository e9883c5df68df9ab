import type { Manifest, ModelEntry } from '#shared/domain/manifest';
import { withPacks, type Pack } from '#shared/engine/packs/packs';
import { verifyModel } from '#shared/engine/inference/verify';
import type { Log } from '#shared/ports/log';
import type { ModelFiles } from '#shared/ports/model-files';
import { createOwnModels } from './own-models';
import { system } from './system';

/** The default models, and those of the user in front of them. */
export interface UsedModels {
  readonly manifest: Manifest;
  readonly modelFiles: ModelFiles;
  /** Those of the user's packs that are in use, by name. */
  readonly ownPacks: readonly string[];
  /** Those that are not: damaged, or left out because they could not be loaded. */
  readonly leftOut: readonly string[];
}

const isOwn = (packs: readonly Pack[], name: string): boolean =>
  packs.some(({ models }) => models.some(({ file }) => file === name));

/**
 * Adds the user's own models to the default ones. What was changed on disk is left out, not loaded: without it the
 * default model of its classes does the work.
 *
 * @param isAllLeftOut because the worker did not survive them
 */
export const withOwnModels = async (
  defaults: { readonly manifest: Manifest; readonly modelFiles: ModelFiles },
  log: Log,
  isAllLeftOut = false,
): Promise<UsedModels> => {
  const own = createOwnModels(log);
  const isWhole = async (model: ModelEntry): Promise<void> =>
    verifyModel(model, await own.read(model.file), system);
  const packs: Pack[] = [];
  const leftOut: string[] = [];
  for (const pack of await own.list()) {
    try {
      if (isAllLeftOut) throw new Error('loading failed with this pack');
      withPacks(defaults.manifest, [...packs, pack]);
      for (const model of pack.models) await isWhole(model);
      packs.push(pack);
    } catch (cause) {
      log.error(`The added pack ${pack.id} is not used`, cause);
      leftOut.push(pack.id);
    }
  }
  return {
    manifest: withPacks(defaults.manifest, packs),
    modelFiles: {
      read: (file, onProgress) =>
        isOwn(packs, file) ? own.read(file) : defaults.modelFiles.read(file, onProgress),
    },
    ownPacks: packs.map(({ id }) => id),
    leftOut,
  };
};
