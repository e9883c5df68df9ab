import { allModels, chooseModels } from '#shared/engine/packs/choose';
import type { ModelEntry } from '#shared/domain/manifest';
import { withPacks, type Pack } from '#shared/engine/packs/packs';
import { OBJECT_CLASSES } from '#shared/domain/object-class';
import { fetchManifest } from '../adapters/model-files';

/** What people may want to know of a model. */
export interface ModelFacts extends Pick<ModelEntry, 'id' | 'classes' | 'bytes' | 'sha256' | 'licence'> {
  /** The pack that somebody added it with; absent on those that the page comes with. */
  readonly packId?: string;
  /** Whether pictures are searched with it; `damaged`: it was left out because it is not as it was. */
  readonly use: 'used' | 'replaced' | 'damaged';
}

/**
 * The models that the page comes with, and those that the user added.
 *
 * @param own packs on disk
 * @param usedPacks those of them that the engine took; undefined while it is not known
 */
export const listModels = async (
  own: readonly Pack[],
  usedPacks: readonly string[] | undefined,
): Promise<readonly ModelFacts[]> => {
  const defaults = await fetchManifest(new URL('models/', document.baseURI).href);
  const isDamaged = ({ id }: Pack): boolean => usedPacks !== undefined && !usedPacks.includes(id);
  const manifest = withPacks(
    defaults,
    own.filter((pack) => !isDamaged(pack)),
  );
  const used = new Set(allModels(chooseModels(manifest, OBJECT_CLASSES)).map(({ id }) => id));
  const useOf = ({ id }: ModelEntry): ModelFacts['use'] => (used.has(id) ? 'used' : 'replaced');
  return [
    ...own.flatMap((pack) =>
      pack.models.map((model) => ({
        ...model,
        packId: pack.id,
        use: isDamaged(pack) ? ('damaged' as const) : useOf(model),
      })),
    ),
    ...defaults.models.map((model) => ({ ...model, use: useOf(model) })),
  ];
};
