import type { MaskKind } from '../../ports/engine';
import { IMAGE_FORMATS } from '../../tasks/files/image-formats';
import { SOURCE_FORMATS } from '../../tasks/files/video-formats';

const split = (name: string): { readonly stem: string; readonly extension: string } => {
  const [, stem = name, extension = ''] = /^(.+?)(?:\.([^.]*))?$/s.exec(name) ?? [];
  return { stem, extension };
};

/**
 * `street.jpeg` → `street-anonymised.jpeg`. It differs from the original's name, so that saving it does not overwrite
 * the original. The extension matches the actual format.
 */
export const anonymisedName = (name: string, contentType: string): string => {
  const { stem, extension } = split(name);
  const format = Object.values(SOURCE_FORMATS).find((each) => each.contentType === contentType);
  const real = format?.extension ?? extension;
  const kept = real === IMAGE_FORMATS.jpeg.extension && /^jpe?g$/i.test(extension) ? extension : real;
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
