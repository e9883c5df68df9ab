import { decodeHere, isDecodedHere, turnedUpright } from '#shared/engine/decode/decode-here';
import { withoutWebpExif } from '#shared/engine/formats/images/webp';
import { damagedImage } from '#shared/domain/failure';
import { hdrOf, type ImageHeader } from '#shared/domain/image-header';
import { hdrTags, hdrWithoutPlanes } from '#shared/media/tone-tables';
import type { Raster } from '#shared/domain/raster';
import type { HeifLibrary } from '#shared/engine/decode/decode-heic';

/** Loaded with the first HEIC file. */
const loadHeifLibrary = async (): Promise<HeifLibrary> => {
  const { default: create } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  // What it prints about broken files is for its own developers.
  const silent = (): undefined => undefined;
  return create({ print: silent, printErr: silent });
};

/**
 * Decodes an AVIF in high dynamic range by its planes: browsers map others in ways of their own.
 *
 * @throws UnreadableFile where the browser gives out no planes
 */
const decodeHdrAvif = async (
  bytes: Uint8Array,
  { transfer, primaries }: NonNullable<ReturnType<typeof hdrOf>>,
): Promise<Raster> => {
  if (!('ImageDecoder' in globalThis)) throw hdrWithoutPlanes();
  const [{ VideoSample }, { rasterOfSample }] = await Promise.all([
    import('mediabunny'),
    import('#shared/media/sample-raster'),
  ]);
  const decoder = new ImageDecoder({ data: bytes as Uint8Array<ArrayBuffer>, type: 'image/avif' });
  try {
    const { image } = await decoder.decode().catch(() => {
      throw damagedImage();
    });
    using sample = new VideoSample(image);
    return await rasterOfSample(sample, hdrTags(image.colorSpace, transfer, primaries), undefined, 'image');
  } finally {
    decoder.close();
  }
};

/** Decodes what the browser decodes, and applies orientation and colours. */
type BrowserDecoder = (bytes: Uint8Array, header: Pick<ImageHeader, 'format'>) => Promise<Raster>;

/**
 * Decodes what browsers do not decode, or a WebP that EXIF turns, to opaque, upright sRGB. Loaded with the first such
 * file, as most visits have none.
 *
 * @throws UnreadableFile
 */
export const decodeOtherFormat = async (
  bytes: Uint8Array,
  header: ImageHeader,
  decodeByBrowser: BrowserDecoder,
): Promise<Raster> => {
  if (isDecodedHere(header)) {
    const decodeJpeg = (jpeg: Uint8Array): Promise<Raster> => decodeByBrowser(jpeg, { format: 'jpeg' });
    return decodeHere(bytes, header, { loadHeifLibrary, decodeJpeg });
  }
  const hdr = hdrOf(header);
  if (hdr) return turnedUpright(await decodeHdrAvif(bytes, hdr), header.orientation);
  // Browsers disagree about the orientation in the EXIF of WebP files: it is taken out, and applied here.
  return turnedUpright(await decodeByBrowser(withoutWebpExif(bytes), header), header.orientation);
};
