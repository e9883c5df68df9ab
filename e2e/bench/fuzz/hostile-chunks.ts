import { deflateSync } from 'node:zlib';
import { bmpFile } from '#shared/testing/bmp-files';
import {
  concatBytes,
  JPEG_END,
  JPEG_SCAN,
  JPEG_START,
  jpegExif,
  jpegFrame,
  jpegSegment,
  PNG_SIGNATURE,
  pngChunk,
  pngFile,
  pngHeader,
} from '#shared/testing/image-bytes';
import { TIFF_START, tiffFile, type TiffEntry } from '#shared/testing/tiff-files';
import {
  ascii,
  countOf,
  limitOf,
  little,
  pickOf,
  repeated,
  times,
  type HostileFiles,
} from './structure-values';

/** EXIF whose directories lead to themselves, to each other, or behind the end. */
const hostileExif = (next: () => number, maxBytes: number): Uint8Array => {
  const entries: TiffEntry[] = times(countOf(next, 12, Math.floor(maxBytes / 12) - 8), () => [
    pickOf([0x010f, 0x0112, 0x8769, 0x8825, 0x927c, 1], next),
    pickOf([2, 3, 4, 7], next),
    pickOf([1, limitOf(next)], next),
    pickOf([8, limitOf(next)], next),
  ]);
  const exif = tiffFile([entries]);
  new DataView(exif.buffer).setUint16(8, pickOf([entries.length, limitOf(next, 2)], next), true);
  return exif;
};

const jpegOf = (...segments: readonly Iterable<number>[]): Uint8Array =>
  concatBytes(JPEG_START, ...segments, jpegFrame(16, 16), JPEG_SCAN, JPEG_END);

/** Segments, markers and scans. */
export const HOSTILE_JPEG: HostileFiles = {
  'segments without content': (next) =>
    jpegOf(repeated(countOf(next, 4), [0xff, pickOf([0xe0, 0xe1, 0xe2, 0xfe, 0xdb, 0xc4], next), 0, 2])),
  'markers without content': (next) => jpegOf(repeated(countOf(next, 2), [0xff, pickOf([0x01, 0xd0], next)])),
  'fill bytes': (next) => jpegOf(repeated(countOf(next, 1), [pickOf([0xff, 0], next)])),
  'segments of any length': (next) =>
    jpegOf(repeated(countOf(next, 400, 1_000), jpegSegment(0xe1, new Uint8Array(pickOf([0, 300], next)))), [
      ...[0xff, 0xe1],
      ...little(limitOf(next, 2), 2),
    ]),
  'EXIF again and again': (next) => {
    const exif = jpegExif(hostileExif(next, pickOf([200, 65_000], next)));
    return jpegOf(repeated(countOf(next, exif.length), exif));
  },
  'a profile in parts': (next) =>
    jpegOf(
      repeated(
        countOf(next, 30, 30_000),
        jpegSegment(0xe2, concatBytes(ascii('ICC_PROFILE\0'), [pickOf([0, 1, 255], next), 255], [1])),
      ),
    ),
  scans: (next) =>
    concatBytes(
      JPEG_START,
      jpegFrame(2_000, 2_000, 0xc2),
      repeated(countOf(next, JPEG_SCAN.length, 600), JPEG_SCAN),
      JPEG_END,
    ),
  'restarts and stuffed bytes': (next) =>
    concatBytes(
      JPEG_START,
      jpegFrame(16, 16),
      JPEG_SCAN,
      repeated(countOf(next, 2), [0xff, pickOf([0, 0xd0], next)]),
      JPEG_END,
    ),
};

const compressed = (bytes: number): Uint8Array => deflateSync(new Uint8Array(bytes));
const BOMB_BYTES = [0, 2 ** 16, 2 ** 24, 2 ** 27];

/** Chunks, also compressed ones. */
export const HOSTILE_PNG: HostileFiles = {
  'chunks without content': (next) =>
    pngFile(
      16,
      16,
      repeated(countOf(next, 12), pngChunk(pickOf(['teXt', 'IDAT', 'eXIf', 'tIME', 'PLTE'], next))),
    ),
  'chunks of one byte': (next) =>
    pngFile(16, 16, repeated(countOf(next, 13), pngChunk(pickOf(['IDAT', 'zTXt'], next), [1]))),
  'EXIF again and again': (next) => {
    const chunk = pngChunk('eXIf', hostileExif(next, pickOf([200, 900_000], next)));
    return pngFile(16, 16, repeated(countOf(next, chunk.length), chunk));
  },
  'packed text and profiles': (next) => {
    const type = pickOf(['zTXt', 'iCCP', 'iTXt'], next);
    const start = type === 'iTXt' ? [120, 0, 1, 0, 0, 0] : [120, 0, 0];
    const chunk = pngChunk(type, concatBytes(start, compressed(pickOf(BOMB_BYTES, next))));
    return pngFile(16, 16, repeated(countOf(next, chunk.length, 200), chunk));
  },
  'packed pixels': (next) =>
    concatBytes(
      PNG_SIGNATURE,
      pngHeader(
        pickOf([1, 2_000], next),
        pickOf([1, 2_000], next),
        pickOf([8, 16], next),
        pickOf([0, 2, 6], next),
      ),
      pngChunk('IDAT', compressed(pickOf(BOMB_BYTES, next))),
      pngChunk('IEND'),
    ),
  'chunks of any length': (next) =>
    concatBytes(
      pngFile(16, 16).subarray(0, 33),
      little(limitOf(next), 4).reverse(),
      ascii('IDAT'),
      new Uint8Array(100),
    ),
};

const gifOf = (...blocks: readonly Iterable<number>[]): Uint8Array =>
  concatBytes(ascii('GIF89a'), [16, 0, 16, 0, 0x80, 0, 0, 0, 0, 0, 9, 9, 9], ...blocks, [0x3b]);
const GIF_IMAGE = [0x2c, 0, 0, 0, 0, 16, 0, 16, 0, 0, 2, 2, 0x4c, 1, 0];

/** Blocks and sub-blocks. */
export const HOSTILE_GIF: HostileFiles = {
  'blocks of one byte': (next) =>
    gifOf(GIF_IMAGE.slice(0, 11), repeated(countOf(next, 2), [1, pickOf([0, 1, 255], next)]), [0]),
  'empty extensions': (next) =>
    gifOf(repeated(countOf(next, 3), [0x21, pickOf([0xf9, 0xfe, 0xff, 1], next), 0]), GIF_IMAGE),
  'images without end': (next) => gifOf(repeated(countOf(next, GIF_IMAGE.length), GIF_IMAGE)),
  'colour tables': (next) =>
    gifOf(
      repeated(countOf(next, 30, 1_000), [
        ...GIF_IMAGE.slice(0, 9),
        pickOf([0x80, 0x87, 0xff], next),
        ...GIF_IMAGE.slice(10),
      ]),
    ),
  'a screen of any size': (next) =>
    concatBytes(
      ascii('GIF89a'),
      little(limitOf(next, 2), 2),
      little(limitOf(next, 2), 2),
      [0, 0, 0],
      GIF_IMAGE,
      [0x3b],
    ),
};

const webpChunk = (type: string, payload: ArrayLike<number>): Uint8Array =>
  concatBytes(ascii(type), little(payload.length, 4), Array.from(payload), payload.length % 2 ? [0] : []);
const webpOf = (...chunks: readonly Iterable<number>[]): Uint8Array => {
  const content = concatBytes(ascii('WEBP'), ...chunks);
  return concatBytes(ascii('RIFF'), little(content.length, 4), content);
};
const WEBP_IMAGE = webpChunk('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 16, 0]);

/** Chunks. */
export const HOSTILE_WEBP: HostileFiles = {
  'chunks without content': (next) =>
    webpOf(
      WEBP_IMAGE,
      repeated(countOf(next, 8), webpChunk(pickOf(['JUNK', 'EXIF', 'XMP ', 'ICCP', 'VP8L'], next), [])),
    ),
  'frames without end': (next) => webpOf(repeated(countOf(next, 24), webpChunk('ANMF', new Uint8Array(16)))),
  'EXIF again and again': (next) => {
    const chunk = webpChunk('EXIF', hostileExif(next, pickOf([200, 900_000], next)));
    return webpOf(WEBP_IMAGE, repeated(countOf(next, chunk.length), chunk));
  },
  'chunks of any length': (next) => webpOf(WEBP_IMAGE, ascii('EXIF'), little(limitOf(next), 4), TIFF_START),
};

/** Palettes, masks and runs. */
export const HOSTILE_BMP: HostileFiles = {
  'runs that jump': (next) =>
    bmpFile({
      width: pickOf([1, 2_000], next),
      height: pickOf([1, 2_000], next),
      bitCount: 8,
      coding: 1,
      palette: [[1, 2, 3]],
      pixels: [
        ...repeated(
          countOf(next, 4, 200_000),
          pickOf(
            [
              [0, 2, 0, 0],
              [0, 0, 0, 0],
              [255, 1, 0, 0],
              [0, 2, 1, 1],
            ],
            next,
          ),
        ),
      ],
    }),
  'fields at their limits': (next) => {
    const bytes = bmpFile({
      width: 16,
      height: 16,
      bitCount: 32,
      coding: 3,
      masks: [255, 0, 1, 2],
      pixels: [...new Uint8Array(1_024)],
    });
    const view = new DataView(bytes.buffer);
    for (const at of [10, 14, 18, 22, 28, 30, 46, 54, 58, 62, 66]) {
      if (next() < 0.3) view.setUint32(at, limitOf(next), true);
    }
    return bytes;
  },
};
