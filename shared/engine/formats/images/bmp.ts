import type { HeaderReader } from '../header-reader';
import { viewOf } from '../bytes';
import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/failure';

const FORMAT = 'BMP';
const FILE_HEADER_BYTES = 14;
/** `BITMAPCOREHEADER` of OS/2: sides of 16 bits, palette entries of 3 bytes. */
const CORE_BYTES = 12;
/** `BITMAPINFOHEADER` and its successors, by their size. */
const INFO_BYTES = 40;
const HEADER_SIZES = [CORE_BYTES, INFO_BYTES, 52, 56, 108, 124];
const V5_BYTES = 124;
const BIT_COUNTS = [1, 4, 8, 16, 24, 32];
/** `PROFILE_EMBEDDED` as colour space of a V5 header. */
const EMBEDDED_PROFILE = 0x4d424544;

export const BMP_CODING = { rgb: 0, rle8: 1, rle4: 2, masks: 3, masksWithAlpha: 6 } as const;

/** Bits of a pixel that are each channel's: red, green, blue, alpha. 0: the channel is absent. */
export type BmpMasks = readonly [red: number, green: number, blue: number, alpha: number];

export interface BmpHeader {
  readonly width: number;
  readonly height: number;
  readonly isTopDown: boolean;
  readonly bitCount: number;
  /** A value of `BMP_CODING`. */
  readonly coding: number;
  readonly masks: BmpMasks;
  readonly paletteAt: number;
  readonly paletteEntryBytes: 3 | 4;
  readonly paletteLength: number;
  readonly pixelsAt: number;
  readonly profile: Uint8Array | undefined;
}

const DEFAULT_MASKS: Readonly<Record<number, BmpMasks>> = {
  16: [0x7c00, 0x03e0, 0x001f, 0],
  32: [0xff0000, 0x00ff00, 0x0000ff, 0],
};
const NO_MASKS: BmpMasks = [0, 0, 0, 0];

/** Bytes of a row: rows are filled up to multiples of four. */
export const bmpRowBytes = ({ width, bitCount }: Pick<BmpHeader, 'width' | 'bitCount'>): number =>
  Math.ceil((width * bitCount) / 32) * 4;

const requireCoding = (coding: number, bitCount: number): void => {
  const { rgb, rle8, rle4, masks, masksWithAlpha } = BMP_CODING;
  const fits =
    coding === rgb ||
    (coding === rle8 && bitCount === 8) ||
    (coding === rle4 && bitCount === 4) ||
    ((coding === masks || coding === masksWithAlpha) && (bitCount === 16 || bitCount === 32));
  if (!fits || !BIT_COUNTS.includes(bitCount)) {
    throw new UnreadableFile(
      'This BMP file is coded in a way that is not supported; uncompressed and run-length coded files are supported.',
    );
  }
};

/** Masks follow headers of 40 bytes, and are part of longer ones. */
const readMasks = (view: DataView, headerBytes: number, coding: number, bitCount: number): BmpMasks => {
  if (coding !== BMP_CODING.masks && coding !== BMP_CODING.masksWithAlpha) {
    return DEFAULT_MASKS[bitCount] ?? NO_MASKS;
  }
  const at = FILE_HEADER_BYTES + INFO_BYTES;
  const mask = (index: number): number => view.getUint32(at + 4 * index, true);
  const hasAlphaMask = headerBytes >= 56 || coding === BMP_CODING.masksWithAlpha;
  return [mask(0), mask(1), mask(2), hasAlphaMask ? mask(3) : 0];
};

const readProfile = (bytes: Uint8Array, view: DataView, headerBytes: number): Uint8Array | undefined => {
  if (headerBytes !== V5_BYTES || view.getUint32(FILE_HEADER_BYTES + 56, true) !== EMBEDDED_PROFILE) {
    return undefined;
  }
  const start = FILE_HEADER_BYTES + view.getUint32(FILE_HEADER_BYTES + 112, true);
  const end = start + view.getUint32(FILE_HEADER_BYTES + 116, true);
  return end <= bytes.length ? bytes.subarray(start, end) : undefined;
};

/** A header of 12 bytes. */
const readCore = (view: DataView): Omit<BmpHeader, 'pixelsAt'> => {
  const bitCount = view.getUint16(24, true);
  return {
    width: view.getUint16(18, true),
    height: view.getUint16(20, true),
    ...{ isTopDown: false, bitCount, coding: BMP_CODING.rgb, profile: undefined },
    masks: DEFAULT_MASKS[bitCount] ?? NO_MASKS,
    paletteAt: FILE_HEADER_BYTES + CORE_BYTES,
    paletteEntryBytes: 3,
    paletteLength: bitCount <= 8 ? 2 ** bitCount : 0,
  };
};

const readInfo = (bytes: Uint8Array, view: DataView, headerBytes: number): Omit<BmpHeader, 'pixelsAt'> => {
  const height = view.getInt32(22, true);
  const bitCount = view.getUint16(28, true);
  const coding = view.getUint32(30, true);
  const colours = view.getUint32(46, true);
  const maskBytes = coding === BMP_CODING.masksWithAlpha ? 16 : coding === BMP_CODING.masks ? 12 : 0;
  return {
    width: view.getInt32(18, true),
    height: Math.abs(height),
    ...{ isTopDown: height < 0, bitCount, coding, profile: readProfile(bytes, view, headerBytes) },
    masks: readMasks(view, headerBytes, coding, bitCount),
    paletteAt: FILE_HEADER_BYTES + headerBytes + (headerBytes === INFO_BYTES ? maskBytes : 0),
    paletteEntryBytes: 4,
    paletteLength: bitCount > 8 ? 0 : Math.min(colours || 2 ** bitCount, 2 ** bitCount),
  };
};

const readHeader = (bytes: Uint8Array): BmpHeader => {
  const view = viewOf(bytes);
  const headerBytes = view.getUint32(FILE_HEADER_BYTES, true);
  if (!HEADER_SIZES.includes(headerBytes)) throw corruptHeader(FORMAT);
  const header = headerBytes === CORE_BYTES ? readCore(view) : readInfo(bytes, view, headerBytes);
  return { ...header, pixelsAt: view.getUint32(10, true) };
};

/**
 * Reads the headers of a BMP file, of all versions since Windows 2.
 *
 * @throws UnreadableFile
 * @see https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
 */
export const readBmpHeader = (bytes: Uint8Array): BmpHeader => {
  let header: BmpHeader;
  try {
    header = readHeader(bytes);
  } catch (error) {
    throw error instanceof RangeError ? truncatedFile(FORMAT) : error;
  }
  if (header.width < 0) throw corruptHeader(FORMAT);
  requireCoding(header.coding, header.bitCount);
  return header;
};

/** Reads the size of a BMP file, and checks that its pixels are in the file; run-length coded ones may end early. */
export const readBmp: HeaderReader = (bytes, { note }) => {
  const header = readBmpHeader(bytes);
  if (header.profile) note('colour-profile');
  const { width, height, coding, masks, paletteAt, paletteEntryBytes, paletteLength, pixelsAt } = header;
  const paletteEnd = paletteAt + paletteEntryBytes * paletteLength;
  if (pixelsAt < paletteAt) throw corruptHeader(FORMAT);
  const isRunLengthCoded = coding === BMP_CODING.rle4 || coding === BMP_CODING.rle8;
  const minPixelBytes = isRunLengthCoded ? 1 : bmpRowBytes(header) * height;
  if (Math.max(pixelsAt + minPixelBytes, paletteEnd) > bytes.length) throw truncatedFile(FORMAT);
  return { format: 'bmp', width, height, orientation: 1, hasAlpha: masks[3] !== 0 };
};
