import type { ImageSource } from '#shared/domain/image-source';
import type { Raster } from '#shared/domain/raster';
import { withoutWebpExif } from '#shared/engine/formats/images/sniff-webp';
import { turnOf, turnUpright } from '#shared/engine/pixels/upright';

/** Browsers disagree about the orientation in the EXIF of WebP files: it is taken out, and applied here. */
export const decodeTurnedWebp = async (
  bytes: Uint8Array,
  source: ImageSource,
  decode: (bytes: Uint8Array, source: ImageSource) => Promise<Raster>,
): Promise<Raster> => {
  const raster = await decode(withoutWebpExif(bytes), source);
  return turnUpright(raster, turnOf(source.orientation), (size) => new ArrayBuffer(size));
};
