import type { ImageHeader } from '../../domain/image-header';
import type { Size } from '../../domain/raster';
import type { ImageFormat } from '../../ports/engine';
import { bytesAt } from './header-reader';
import { INSERT } from './insert-metadata';
import { keptExif } from './kept-exif';
import { writeXmp } from './write-xmp';

/** What a result gets of its source. */
export interface MetadataSource {
  readonly bytes: Uint8Array;
  readonly header: Pick<ImageHeader, 'exif' | 'xmp'>;
  /** Whether fields of the source are kept. */
  readonly isKept: boolean;
  /** Size of an equirectangular panorama, whose result says that it is one; undefined for other images. */
  readonly sphere?: Size | undefined;
}

/**
 * Writes the source's camera, exposure, date, GPS and panorama fields into the result; `kept-fields.ts` lists them.
 * What makes viewers show a panorama as one is always written, from the pixels' size and never from the source.
 *
 * @param result the encoded result, without metadata
 */
export const writeMetadata = (
  { bytes, header: { exif = [], xmp = [] }, isKept, sphere }: MetadataSource,
  result: { readonly bytes: Uint8Array; readonly format: ImageFormat },
): Uint8Array => {
  const kept = {
    exif: isKept ? keptExif(bytesAt(bytes, exif)) : undefined,
    xmp: writeXmp(bytesAt(bytes, isKept ? xmp : []), sphere),
  };
  return kept.exif || kept.xmp ? INSERT[result.format](result.bytes, kept) : result.bytes;
};
