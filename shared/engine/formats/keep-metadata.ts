import type { ImageHeader } from '../../domain/image-header';
import type { ImageFormat } from '../../ports/engine';
import { bytesAt } from './header-reader';
import { INSERT } from './insert-metadata';
import { keptExif } from './kept-exif';
import { keptXmp } from './xmp';

/** An image whose metadata is kept. */
export interface MetadataSource {
  readonly bytes: Uint8Array;
  readonly header: Pick<ImageHeader, 'exif' | 'xmp'>;
}

/**
 * Writes the source's camera, exposure, date, GPS and panorama fields into the result; `kept-fields.ts` lists them.
 *
 * @param result the encoded result, without metadata
 */
export const keepMetadata = (
  { bytes, header: { exif = [], xmp = [] } }: MetadataSource,
  result: { readonly bytes: Uint8Array; readonly format: ImageFormat },
): Uint8Array => {
  const kept = { exif: keptExif(bytesAt(bytes, exif)), xmp: keptXmp(bytesAt(bytes, xmp)) };
  return kept.exif || kept.xmp ? INSERT[result.format](result.bytes, kept) : result.bytes;
};
