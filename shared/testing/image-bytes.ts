import { crc32 } from '../engine/formats/bytes';

/** Builds image files with valid or invalid headers and without real pixels. */

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (c) => c.charCodeAt(0));
const uint16 = (value: number): number[] => [value >> 8, value & 0xff];
const uint32 = (value: number): number[] => [
  ...uint16(Math.floor(value / 65_536)),
  ...uint16(value % 65_536),
];

/** Not as arguments, of which there cannot be very many. */
export const joinBytes = (parts: readonly Iterable<number>[]): Uint8Array => {
  const arrays = parts.map((part) => (part instanceof Uint8Array ? part : Uint8Array.from(part)));
  const joined = new Uint8Array(arrays.reduce((length, array) => length + array.length, 0));
  let offset = 0;
  for (const array of arrays) {
    joined.set(array, offset);
    offset += array.length;
  }
  return joined;
};

export const concatBytes = (...parts: readonly Iterable<number>[]): Uint8Array => joinBytes(parts);

/** An EXIF (TIFF) structure with the orientation as its only entry. */
export const exifBytes = (orientation: number, byteOrder: 'II' | 'MM' = 'MM'): Uint8Array => {
  const order = (bytes: number[]): number[] => (byteOrder === 'MM' ? bytes : bytes.reverse());
  const entry = [uint16(0x0112), uint16(3), uint32(1), uint16(orientation)].flatMap(order);
  return concatBytes(
    text(byteOrder),
    order(uint16(42)),
    order(uint32(8)),
    order(uint16(1)),
    entry,
    [0, 0, 0, 0, 0, 0],
  );
};

export const jpegSegment = (marker: number, payload: Iterable<number>): Uint8Array => {
  const bytes = [...payload];
  return concatBytes([0xff, marker], uint16(bytes.length + 2), bytes);
};

export const jpegExif = (exif: Uint8Array): Uint8Array =>
  jpegSegment(0xe1, concatBytes(text('Exif\0\0'), exif));

export const jpegFrame = (width: number, height: number, marker = 0xc0, precision = 8): Uint8Array =>
  jpegSegment(marker, [precision, ...uint16(height), ...uint16(width), 1, 1, 0x11, 0]);

/** A scan whose data contains a stuffed 0xff and a restart marker. */
export const JPEG_SCAN = concatBytes(
  jpegSegment(0xda, [1, 1, 0, 0, 63, 0]),
  [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56],
);
export const JPEG_START: readonly number[] = [0xff, 0xd8];
export const JPEG_END: readonly number[] = [0xff, 0xd9];

export const jpegFile = (width: number, height: number, exif?: Uint8Array): Uint8Array =>
  concatBytes(JPEG_START, exif ? jpegExif(exif) : [], jpegFrame(width, height), JPEG_SCAN, JPEG_END);

export const PNG_SIGNATURE = text('\x89PNG\r\n\x1a\n');

export const pngChunk = (type: string, payload: Iterable<number> = []): Uint8Array => {
  const checked = concatBytes(text(type), payload);
  return concatBytes(uint32(checked.length - 4), checked, uint32(crc32(checked)));
};

export const pngHeader = (width: number, height: number, bitDepth = 8, colourType = 2): Uint8Array =>
  pngChunk('IHDR', [...uint32(width), ...uint32(height), bitDepth, colourType, 0, 0, 0]);

/** @param chunks chunks between the header and the pixels */
export const pngFile = (width: number, height: number, ...chunks: readonly Uint8Array[]): Uint8Array =>
  concatBytes(
    PNG_SIGNATURE,
    pngHeader(width, height),
    ...chunks,
    pngChunk('IDAT', [1, 2, 3]),
    pngChunk('IEND'),
  );
