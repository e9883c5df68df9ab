import sharp, { type Sharp } from 'sharp';
import type { ColourTransform } from '#shared/engine/colour/colour-transform';
import { transformOf } from '#shared/engine/colour/icc-profile';
import { describedTransform } from '#shared/engine/colour/code-points';
import { decodeHere, isDecodedHere, type OwnFormat } from '#shared/engine/decode/decode-here';
import { bytesOfHdr } from '#shared/engine/colour/hdr-raster';
import { toneTable } from '#shared/engine/colour/tone-table';
import { toRaster } from '#shared/engine/decode/decoded-pixels';
import type { ImageCodec } from '#shared/ports/codec';
import type { LossyFormat } from '#shared/ports/engine';
import { turnOf, type Turn } from '#shared/engine/pixels/upright';
import type { ImageSourceFormat } from '#shared/catalogue/formats';
import { hdrOf, type ImageHeader } from '#shared/domain/image-header';
import { RGBA, type Raster } from '#shared/domain/raster';
import { damagedImage } from '#shared/domain/failure';
import type { HeifLibrary } from '#shared/engine/decode/decode-heic';

/** Loaded with the first HEIC file. */
const loadHeifLibrary = async (): Promise<HeifLibrary> => {
  const { default: create } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');
  // What it prints about broken files is for its own developers.
  const silent = (): undefined => undefined;
  return create({ print: silent, printErr: silent });
};

// Every image is another one: a cache of operations only holds memory.
sharp.cache(false);

const AS_STORED = turnOf(1);

const open = (bytes: Uint8Array): Sharp =>
  sharp(bytes, {
    // Warnings are many and harmless in photographs; errors mean that pixels are missing.
    failOn: 'error',
    // The claims were checked when the file was sniffed, with a sentence of ours.
    limitInputPixels: false,
    sequentialRead: true,
  });

/** libvips mirrors before it turns. */
const turned = (image: Sharp, { rotation, flip }: Turn): Sharp =>
  image.flop(flip).rotate(flip ? (360 - rotation) % 360 : rotation);

const read = async (image: Sharp): Promise<Raster> => {
  const { data, info } = await image
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw damagedImage();
    });
  if (info.channels !== RGBA) throw new Error(`sharp decoded ${info.channels} channels instead of ${RGBA}`);
  return { width: info.width, height: info.height, data };
};

/** With ICC profiles applied, composed onto white. */
const readAsSrgb = (bytes: Uint8Array, turn: Turn): Promise<Raster> =>
  read(turned(open(bytes), turn).toColourspace('srgb').flatten({ background: '#fff' }).ensureAlpha());

/** Of a file without an ICC profile: its colours are described otherwise. */
const readWith = async (bytes: Uint8Array, turn: Turn, transform: ColourTransform): Promise<Raster> => {
  const raster = await read(turned(open(bytes), turn).toColourspace('srgb').ensureAlpha());
  return toRaster({ ...raster, data: raster.data as Uint8Array, space: 'rgb', transform });
};

/** libvips would guess the inks of CMYK without a profile in a way of its own. */
const readCmyk = async (bytes: Uint8Array, turn: Turn, profile: Uint8Array | undefined): Promise<Raster> => {
  const image = turned(open(bytes), turn).pipelineColourspace('cmyk').toColourspace('cmyk');
  const raster = await read(image);
  const transform = profile && transformOf(profile, 'cmyk');
  return toRaster({ ...raster, data: raster.data as Uint8Array, space: 'cmyk', transform });
};

const readJpeg = async (bytes: Uint8Array, turn: Turn): Promise<Raster> => {
  const { space, icc } = await open(bytes)
    .metadata()
    .catch(() => {
      throw damagedImage();
    });
  return space === 'cmyk' ? readCmyk(bytes, turn, icc) : readAsSrgb(bytes, turn);
};

/** libvips applies no description of colours but an ICC profile. */
const readDescribed = (bytes: Uint8Array, turn: Turn, { colour }: ImageHeader): Promise<Raster> => {
  const transform = describedTransform(colour);
  return transform ? readWith(bytes, turn, transform) : readAsSrgb(bytes, turn);
};

/** libvips leaves the lower bits of its 16 unused. */
const VIPS_BITS = 16;

const readHdr = async (
  bytes: Uint8Array,
  { transfer, primaries }: NonNullable<ReturnType<typeof hdrOf>>,
): Promise<Raster> => {
  const image = open(bytes);
  const { bitsPerSample = 8 } = await image.metadata();
  const { data, info } = await image
    .toColourspace('rgb16')
    .ensureAlpha()
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
  const white = (2 ** bitsPerSample - 1) * 2 ** (VIPS_BITS - bitsPerSample);
  const mapped = bytesOfHdr(samples, white, toneTable(transfer, primaries, 'image'));
  const { width, height } = info;
  return toRaster({ width, height, data: mapped, space: 'rgb', transform: undefined });
};

const readAvif = async (bytes: Uint8Array, header: ImageHeader): Promise<Raster> => {
  const hdr = hdrOf(header);
  if (!hdr) return readDescribed(bytes, AS_STORED, header);
  return readHdr(bytes, hdr).catch(() => {
    throw damagedImage();
  });
};

type Decoder = (bytes: Uint8Array, turn: Turn, header: ImageHeader) => Promise<Raster>;

const DECODERS = {
  jpeg: readJpeg,
  png: readDescribed,
  webp: readAsSrgb,
  gif: readAsSrgb,
  // libvips turns these by itself.
  avif: (bytes, _turn, header) => readAvif(bytes, header),
} as const satisfies Record<Exclude<ImageSourceFormat, OwnFormat>, Decoder>;

const TOOLS = { loadHeifLibrary, decodeJpeg: (jpeg: Uint8Array) => readAsSrgb(jpeg, AS_STORED) };

/**
 * Decodes a file to opaque, upright sRGB.
 *
 * Turned by what the file's own description says, not by what libvips reads from it: the two could differ on broken
 * EXIF, and the masks would then lie next to the persons.
 *
 * @param header of the file
 * @throws UnreadableFile
 */
const decodeImage = async (bytes: Uint8Array, header: ImageHeader): Promise<Raster> => {
  if (isDecodedHere(header)) return decodeHere(bytes, header, TOOLS);
  const decode: Decoder = DECODERS[header.format as keyof typeof DECODERS];
  return decode(bytes, turnOf(header.orientation), header);
};

/** A view of the same memory. */
const bufferOf = (bytes: Uint8Array | Uint8ClampedArray): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The image as an encoder gets it: opaque. */
const opaque = ({ width, height, data }: Raster): Sharp =>
  sharp(bufferOf(data), { raw: { width, height, channels: RGBA }, limitInputPixels: false }).removeAlpha();

const LOSSY = {
  // Huffman tables of its own would make a file 3 % smaller, in 2.5 times the time, and all of its coefficients would
  // be in memory.
  jpeg: (image, quality) => image.jpeg({ quality, chromaSubsampling: '4:2:0', optimiseCoding: false }),
  webp: (image, quality) => image.webp({ quality }),
  // The usual effort takes six times as long, for files 4 % smaller.
  avif: (image, quality) => image.avif({ quality, chromaSubsampling: '4:2:0', effort: 2 }),
} as const satisfies Record<LossyFormat, (image: Sharp, quality: number) => Sharp>;

/** The image codec on libvips. Results contain no metadata, because sharp keeps none by default. */
export const imageCodec = {
  decode: decodeImage,
  encodeLossy: (format, raster, quality) => LOSSY[format](opaque(raster), quality).toBuffer(),
  encodePng: ({ width, height, channels, data }, compressLevel) =>
    sharp(bufferOf(data), { raw: { width, height, channels }, limitInputPixels: false })
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
      .png({ compressionLevel: compressLevel, adaptiveFiltering: channels > 1 })
      .toBuffer(),
} satisfies ImageCodec;
