import type { Manifest, ModelEntry } from '#shared/domain/manifest';
import { withPacks, type Pack } from '#shared/engine/packs/packs';
import { verifyModel } from '#shared/engine/inference/verify';
import type { Log } from '#shared/ports/system';
import type { ModelFiles } from '#shared/ports/inference';
import { createOwnModels } from './own-models';
import { system } from './system';

/** The default models, preceded by the models that the user added. */
export interface UsedModels {
  readonly manifest: Manifest;
  readonly modelFiles: ModelFiles;
  /** Names of the user's packs that are in use. */
  readonly ownPacks: readonly string[];
  /** Names of the user's packs that are not in use because they are damaged or do not load. */
  readonly leftOut: readonly string[];
}

const isOwn = (packs: readonly Pack[], name: string): boolean =>
  packs.some(({ models }) => models.some(({ file }) => file === name));

/**
 * Adds the user's models to the default models.
 *
 * A model that was changed on disk is not loaded; the default model of its classes is used instead.
 *
 * @param isAllLeftOut whether to ignore all added models because the worker ended while it loaded them
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
