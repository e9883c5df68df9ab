import { damagedImage } from '../../domain/failure';
import { BMP_CODING, bmpRowBytes, readBmpHeader, type BmpHeader } from '../formats/images/bmp';
import { transformOf } from '../colour/icc-profile';
import type { DecodedPixels } from './decoded-pixels';

const PIXEL_BYTES = 4;
/** Commands of run-length coded files, behind a zero. */
const END_OF_LINE = 0;
const END_OF_IMAGE = 1;
const JUMP = 2;

/** Where row `y`, counted as in the file, begins among the pixels of the image. */
const rowStart = ({ width, height, isTopDown }: BmpHeader, y: number): number =>
  (isTopDown ? y : height - 1 - y) * width * PIXEL_BYTES;

/** Colours of the palette as pixels; indices behind its end are black. */
const readPalette = (bytes: Uint8Array, header: BmpHeader): Uint8Array => {
  const colours = new Uint8Array(256 * PIXEL_BYTES);
  for (let index = 0; index < 256; index += 1) {
    const at = header.paletteAt + index * header.paletteEntryBytes;
    const isThere = index < header.paletteLength;
    const [blue = 0, green = 0, red = 0] = isThere ? bytes.subarray(at, at + 3) : [];
    colours.set([red, green, blue, 255], index * PIXEL_BYTES);
  }
  return colours;
};

const copyColour = (palette: Uint8Array, index: number, data: Uint8Array, at: number): void => {
  for (let byte = 0; byte < PIXEL_BYTES; byte += 1) {
    data[at + byte] = palette[index * PIXEL_BYTES + byte] ?? 0;
  }
};

const readIndexed = (bytes: Uint8Array, header: BmpHeader, data: Uint8Array): void => {
  const palette = readPalette(bytes, header);
  const { width, height, bitCount, pixelsAt } = header;
  const [rowBytes, perByte, mask] = [bmpRowBytes(header), 8 / bitCount, 2 ** bitCount - 1];
  for (let y = 0; y < height; y += 1) {
    const to = rowStart(header, y);
    for (let x = 0; x < width; x += 1) {
      const byte = bytes[pixelsAt + y * rowBytes + Math.floor(x / perByte)] ?? 0;
      const shift = 8 - bitCount * ((x % perByte) + 1);
      copyColour(palette, (byte >> shift) & mask, data, to + x * PIXEL_BYTES);
    }
  }
};

/** How a channel is cut out of a pixel, and made 0..255. */
interface Channel {
  readonly mask: number;
  readonly shift: number;
  readonly max: number;
}

const channelOf = (mask: number): Channel => {
  if (mask === 0) return { mask, shift: 0, max: 0 };
  const shift = 31 - Math.clz32(mask & -mask);
  return { mask, shift, max: mask >>> shift };
};

const levelOf = (word: number, { mask, shift, max }: Channel): number =>
  max === 0 ? 0 : Math.round((((word & mask) >>> shift) * 255) / max);

const readDirect = (bytes: Uint8Array, header: BmpHeader, data: Uint8Array): void => {
  const { width, height, bitCount, masks, pixelsAt } = header;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [red, green, blue, alpha] = masks.map(channelOf) as [Channel, Channel, Channel, Channel];
  const [rowBytes, pixelBytes] = [bmpRowBytes(header), bitCount / 8];
  for (let y = 0; y < height; y += 1) {
    const to = rowStart(header, y);
    for (let x = 0; x < width; x += 1) {
      const from = pixelsAt + y * rowBytes + x * pixelBytes;
      const at = to + x * PIXEL_BYTES;
      const word = pixelBytes === 2 ? view.getUint16(from, true) : view.getUint32(from, true);
      data[at] = levelOf(word, red);
      data[at + 1] = levelOf(word, green);
      data[at + 2] = levelOf(word, blue);
      data[at + 3] = alpha.max === 0 ? 255 : levelOf(word, alpha);
    }
  }
};

const readTrueColour = (bytes: Uint8Array, header: BmpHeader, data: Uint8Array): void => {
  const rowBytes = bmpRowBytes(header);
  for (let y = 0; y < header.height; y += 1) {
    let at = rowStart(header, y);
    let from = header.pixelsAt + y * rowBytes;
    for (let x = 0; x < header.width; x += 1, at += PIXEL_BYTES, from += 3) {
      data[at] = bytes[from + 2] ?? 0;
      data[at + 1] = bytes[from + 1] ?? 0;
      data[at + 2] = bytes[from] ?? 0;
      data[at + 3] = 255;
    }
  }
};

/** Reads runs; pixels that no run reaches have the first colour of the palette. */
const readRuns = (bytes: Uint8Array, header: BmpHeader, data: Uint8Array): void => {
  const palette = readPalette(bytes, header);
  const { width, height, coding } = header;
  for (let at = 0; at < data.length; at += PIXEL_BYTES) copyColour(palette, 0, data, at);
  const isNibbles = coding === BMP_CODING.rle4;
  let [x, y, at] = [0, 0, header.pixelsAt];
  const next = (): number => {
    const byte = bytes[at];
    if (byte === undefined) throw damagedImage();
    at += 1;
    return byte;
  };
  const put = (index: number): void => {
    if (x >= width || y >= height) throw damagedImage();
    copyColour(palette, index, data, rowStart(header, y) + x * PIXEL_BYTES);
    x += 1;
  };
  const putOf = (byte: number, index: number): void =>
    put(isNibbles ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  const putAsTheyAre = (count: number): void => {
    const start = at;
    for (let index = 0; index < count; index += 1) {
      const byte = isNibbles && index % 2 === 1 ? (bytes[at - 1] ?? 0) : next();
      putOf(byte, index);
    }
    at += (at - start) % 2; // Such runs fill whole words.
  };
  while (at < bytes.length && y < height) {
    const count = next();
    const value = next();
    if (count > 0) for (let index = 0; index < count; index += 1) putOf(value, index);
    else if (value === END_OF_IMAGE) return;
    else if (value === END_OF_LINE) [x, y] = [0, y + 1];
    else if (value === JUMP) [x, y] = [x + next(), y + next()];
    else putAsTheyAre(value);
  }
};

/** Programs that write no transparency leave its byte zero: a file in which all is transparent is opaque. */
const requireVisible = (data: Uint8Array): void => {
  for (let at = 3; at < data.length; at += PIXEL_BYTES) if (data[at] !== 0) return;
  for (let at = 3; at < data.length; at += PIXEL_BYTES) data[at] = 255;
};

/**
 * Decodes a BMP file that was sniffed.
 *
 * Written for both hosts, as browsers and libvips read different kinds of BMP, and disagree about transparency.
 *
 * @throws UnreadableFile where runs lead out of the image
 */
export const decodeBmp = (bytes: Uint8Array): DecodedPixels => {
  const header = readBmpHeader(bytes);
  const { width, height, bitCount, coding, profile } = header;
  const data = new Uint8Array(width * height * PIXEL_BYTES);
  if (coding === BMP_CODING.rle4 || coding === BMP_CODING.rle8) readRuns(bytes, header, data);
  else if (bitCount <= 8) readIndexed(bytes, header, data);
  else if (bitCount === 24) readTrueColour(bytes, header, data);
  else readDirect(bytes, header, data);
  requireVisible(data);
  return { width, height, data, space: 'rgb', transform: profile && transformOf(profile, 'rgb') };
};
