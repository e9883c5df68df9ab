import type { MaskKind } from '../../ports/engine';
import { FORMATS, formatOfType } from '../../catalogue/formats';

const split = (name: string): { readonly stem: string; readonly extension: string } => {
  const [, stem = name, extension = ''] = /^(.+?)(?:\.([^.]*))?$/s.exec(name) ?? [];
  return { stem, extension };
};

/**
 * `street.jpeg` → `street-anonymised.jpeg`. It differs from the original's name, so that saving it does not overwrite
 * the original. The extension matches the actual format.
 */
export const anonymisedName = (name: string, mediaType: string): string => {
  const { stem, extension } = split(name);
  const format = formatOfType(mediaType);
  const isKept = format === 'jpeg' && /^jpe?g$/i.test(extension);
  const kept = isKept ? extension : FORMATS[format].extensions[0];
  return `${stem}-anonymised.${kept}`;
};

const MASK_SUFFIXES = { binary: 'bin', instance: 'ins' } as const satisfies Record<MaskKind, string>;

/** `street.jpeg` → `street_bin_mask.png`, the same name as in batch mode. */
export const maskName = (name: string, kind: MaskKind): string =>
  `${split(name).stem}_${MASK_SUFFIXES[kind]}_mask.png`;

/** `street.jpeg` → `street-report.json` */
export const reportName = (name: string, extension: string): string =>
  `${split(name).stem}-report.${extension}`;

/** `street.jpeg` → `street.json` */
export const metadataName = (name: string): string => `${split(name).stem}.json`;
