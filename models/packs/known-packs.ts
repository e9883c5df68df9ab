import { parsePack, type Pack } from '#shared/engine/packs/packs';
import catalogue from './catalogue.json' with { type: 'json' };

/** Name of the recommended packs together. */
export const RECOMMENDED = 'recommended';

/** The packs of the catalogue. */
export const KNOWN_PACKS: readonly Pack[] = catalogue.packs.map(parsePack);

/** The packs that improve the default detection most for their size, each for other quality presets. */
export const RECOMMENDED_PACKS: readonly Pack[] = catalogue.recommended.map((id) => {
  const pack = KNOWN_PACKS.find((known) => known.id === id);
  if (!pack) throw new Error(`The catalogue has no pack ${id}`);
  return pack;
});

const MEGABYTE = 1e6;

/** Size of the files of packs, as users read it. */
export const sizeOf = (packs: readonly Pack[]): string => {
  const models = packs.flatMap((pack) => pack.models);
  const bytes = models.reduce((sum, model) => sum + model.bytes, 0);
  const bound = models.some(({ source }) => source.isLengthUnknown) ? 'at most ' : '';
  return `${bound}${(bytes / MEGABYTE).toFixed(1)} MB`;
};
