import { codePointsTransform } from '../colour/code-points';
import type { ColourTransform } from '../colour/colour-transform';
import { bytesOfHdr } from '../colour/hdr-raster';
import { transformOf } from '../colour/icc-profile';
import { toneTable } from '../colour/tone-table';
import { damagedImage } from '../../domain/failure';
import { hdrOf } from '../../domain/image-header';
import { readHeif } from '../formats/images/heif';
import type { HeifColour, HeifImage } from '../formats/images/heif-image';
import { divideByAlpha, type DecodedPixels } from './decoded-pixels';

/**
 * What is called of libheif, as Emscripten exports it: pointers are numbers, and a function that returns a structure
 * gets a pointer to write it to first.
 *
 * @see https://github.com/strukturag/libheif/blob/master/libheif/api/libheif/heif.h
 */
export interface HeifLibrary {
  /** Replaced when the memory grows: to be read anew after each call. */
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _heif_context_alloc(): number;
  _heif_context_get_security_limits(context: number): number;
  _heif_context_read_from_memory_without_copy(
    error: number,
    context: number,
    bytes: number,
    length: number,
    options: number,
  ): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_is_premultiplied_alpha(handle: number): number;
  _heif_decoding_options_alloc(): number;
  _heif_decode_image(
    error: number,
    handle: number,
    image: number,
    colourSpace: number,
    chroma: number,
    options: number,
  ): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
  _heif_image_get_bits_per_pixel_range(image: number, channel: number): number;
}

/**
 * Loads the library with memory of its own.
 *
 * One for each image: memory of WebAssembly never shrinks, and what a hostile file may have done to it ends with it.
 */
export type LoadHeifLibrary = () => Promise<HeifLibrary>;

/** Values of libheif's enumerations. */
const RGB = 1;
const INTERLEAVED_RGBA = 11;
/** With two bytes for each, the low one first. */
const INTERLEAVED_DEEP_RGBA = 15;
const INTERLEAVED_CHANNEL = 10;
/** Offsets in libheif's structures, for pointers of four bytes. */
const MAX_IMAGE_PIXELS = 8;
const CONVERT_HDR_TO_8_BIT = 20;
const STRICT_DECODING = 21;
const POINTER_BYTES = 4;
/** Code, detail and a pointer to a sentence. */
const ERROR_BYTES = 12;
const SAMPLES = 4;
/** Coded images are filled up to whole blocks. */
const MAX_BLOCK_PX = 128;

const transformFor = ({ profile, primaries, transfer }: HeifColour): ColourTransform | undefined => {
  if (profile) return transformOf(profile, 'rgb');
  return primaries === undefined ? undefined : codePointsTransform(primaries, transfer ?? 0);
};

const viewOf = ({ HEAPU8: { buffer } }: HeifLibrary): DataView => new DataView(buffer);

/** Reads the pointer that a call has written. */
const called = (library: HeifLibrary, call: (error: number, result: number) => void): number => {
  const error = library._malloc(ERROR_BYTES);
  const result = library._malloc(POINTER_BYTES);
  viewOf(library).setUint32(result, 0, true);
  call(error, result);
  const view = viewOf(library);
  if (view.getUint32(error, true) !== 0) throw damagedImage();
  return view.getUint32(result, true);
};

const openContext = (library: HeifLibrary, bytes: Uint8Array, { codedSize }: HeifImage): number => {
  const context = library._heif_context_alloc();
  const limits = library._heif_context_get_security_limits(context);
  const maxPixels = (codedSize.width + MAX_BLOCK_PX) * (codedSize.height + MAX_BLOCK_PX);
  viewOf(library).setBigUint64(limits + MAX_IMAGE_PIXELS, BigInt(maxPixels), true);
  const file = library._malloc(bytes.length);
  if (file === 0) throw new Error('No memory for a HEIC file');
  library.HEAPU8.set(bytes, file);
  called(library, (error) =>
    library._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0),
  );
  return context;
};

/** @param isDeep whether samples keep all of their bits */
const decodePrimary = (library: HeifLibrary, handle: number, isDeep: boolean): number => {
  const options = library._heif_decoding_options_alloc();
  library.HEAPU8[options + CONVERT_HDR_TO_8_BIT] = isDeep ? 0 : 1;
  const chroma = isDeep ? INTERLEAVED_DEEP_RGBA : INTERLEAVED_RGBA;
  // Otherwise missing parts become grey, as if somebody had been hidden there.
  library.HEAPU8[options + STRICT_DECODING] = 1;
  return called(library, (error, image) =>
    library._heif_decode_image(error, handle, image, RGB, chroma, options),
  );
};

const copyPixels = (
  library: HeifLibrary,
  image: number,
  sampleBytes: 1 | 2,
): Pick<DecodedPixels, 'width' | 'height' | 'data'> => {
  const width = library._heif_image_get_width(image, INTERLEAVED_CHANNEL);
  const height = library._heif_image_get_height(image, INTERLEAVED_CHANNEL);
  const stride = library._malloc(POINTER_BYTES);
  const plane = library._heif_image_get_plane_readonly(image, INTERLEAVED_CHANNEL, stride);
  if (plane === 0 || width <= 0 || height <= 0) throw damagedImage();
  const rowStride = viewOf(library).getInt32(stride, true);
  const rowBytes = width * SAMPLES * sampleBytes;
  const data = new Uint8Array(height * rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = plane + y * rowStride;
    data.set(library.HEAPU8.subarray(start, start + rowBytes), y * rowBytes);
  }
  return { width, height, data };
};

const decodeWith = (library: HeifLibrary, bytes: Uint8Array, heif: HeifImage): DecodedPixels => {
  const context = openContext(library, bytes, heif);
  const handle = called(library, (error, result) =>
    library._heif_context_get_primary_image_handle(error, context, result),
  );
  const hdr = hdrOf(heif.header);
  const image = decodePrimary(library, handle, hdr !== undefined);
  const pixels = copyPixels(library, image, hdr ? 2 : 1);
  const { orientation, width, height } = heif.header;
  const upright = orientation >= 5 ? [height, width] : [width, height];
  if (pixels.width !== upright[0] || pixels.height !== upright[1]) throw damagedImage();
  if (hdr) {
    const white = 2 ** library._heif_image_get_bits_per_pixel_range(image, INTERLEAVED_CHANNEL) - 1;
    const data = bytesOfHdr(
      new Uint16Array(pixels.data.buffer),
      white,
      toneTable(hdr.transfer, hdr.primaries, 'image'),
    );
    return { ...pixels, data, space: 'rgb', transform: undefined };
  }
  if (heif.header.hasAlpha && library._heif_image_handle_is_premultiplied_alpha(handle)) {
    divideByAlpha(pixels.data);
  }
  return { ...pixels, space: 'rgb', transform: transformFor(heif.colour) };
};

/**
 * Decodes the primary image of a HEIC file that was sniffed, turned upright by libheif; other images in the file are
 * not touched.
 *
 * @throws UnreadableFile where it is damaged
 */
export const decodeHeic = async (bytes: Uint8Array, load: LoadHeifLibrary): Promise<DecodedPixels> => {
  const heif = readHeif(bytes);
  const library = await load();
  try {
    return decodeWith(library, bytes, heif);
  } catch (error) {
    // WebAssembly ends with an error of its own where the library aborts.
    if (error instanceof Error && error.name === 'RuntimeError') throw damagedImage();
    throw error;
  }
};
