import { allModels, chooseModels } from '#shared/engine/packs/choose';
import type { ModelEntry } from '#shared/domain/manifest';
import { QUALITY_PRESETS, type QualityPreset } from '#shared/domain/options';
import { parsePack, withPacks, type Pack } from '#shared/engine/packs/packs';
import { OBJECT_CLASSES } from '#shared/catalogue/classes';
import catalogue from '../../models/packs/catalogue.json';
import { fetchManifest } from '../adapters/model-files';
import type { RecommendedPack } from '../state/recommended-models';

/** Details of a model that the page shows. */
export interface ModelFacts extends Pick<
  ModelEntry,
  'id' | 'classes' | 'bytes' | 'sha256' | 'licence' | 'presets'
> {
  /** The pack that contains the model; absent on default models. */
  readonly packId?: string;
  /**
   * Whether the model is used; `onRequest`: it is loaded when one person, or some text, is to stay visible; `damaged`: it is not used
   * because its file has changed or does not load.
   */
  readonly use: 'used' | 'onRequest' | 'replaced' | 'damaged';
}

/**
 * Lists the default models and the models that the user added.
 *
 * @param own packs on disk
 * @param usedPacks packs that the engine loaded; undefined until that is known
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
  const usedFor = (qualityPreset: QualityPreset): readonly ModelEntry[] =>
    allModels(chooseModels(manifest, { classes: OBJECT_CLASSES, qualityPreset }));
  const used = new Set(QUALITY_PRESETS.flatMap(usedFor).map(({ id }) => id));
  const useOf = ({ id, head }: ModelEntry): ModelFacts['use'] =>
    used.has(id) ? 'used' : head === 'face-embedding' || head === 'text-reader' ? 'onRequest' : 'replaced';
  return [
    ...own.flatMap((pack) =>
      pack.models.map((model) => ({
        ...model,
        ...(pack.presets && { presets: pack.presets }),
        packId: pack.id,
        use: isDamaged(pack) ? ('damaged' as const) : useOf(model),
      })),
    ),
    ...defaults.models.map((model) => ({ ...model, use: useOf(model) })),
  ];
};

/** The packs that the page offers to download. */
export const listRecommended = (): readonly RecommendedPack[] =>
  catalogue.packs
    .filter(({ id }) => catalogue.recommended.includes(id))
    .map(parsePack)
    .map(({ id, models: [model], presets = QUALITY_PRESETS }) => ({
      ...{ id, presets },
      bytes: model!.bytes,
      licence: model!.licence,
      host: new URL(model!.source.url ?? '').host,
    }));
