import { unzlibSync } from 'fflate';
import { damagedImage, UnreadableFile } from '../../domain/failure';
import { hdrOf, type ImageHeader } from '../../domain/image-header';
import { bytesOfHdr } from '../colour/hdr-raster';
import { toneTable } from '../colour/tone-table';
import { fourCharacters, joinBytes, viewOf } from '../formats/bytes';
import type { DecodedPixels } from './decoded-pixels';

const SIGNATURE_BYTES = 8;
/** Bytes of a chunk's length and type, and with its checksum. */
const [HEAD_BYTES, OVERHEAD_BYTES] = [8, 12];
const SAMPLES = 4;
/** Samples of a pixel by colour type: grey, colour, and both with transparency. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** Which sample of a pixel becomes red, green and blue. */
const [OF_GREY, OF_COLOUR] = [
  [0, 0, 0],
  [0, 1, 2],
];

/** Contents of the chunks of a type. */
const chunksOf = (png: Uint8Array, type: string): Uint8Array[] => {
  const found: Uint8Array[] = [];
  for (let at = SIGNATURE_BYTES; at + OVERHEAD_BYTES <= png.length;) {
    const start = at + HEAD_BYTES;
    const end = start + viewOf(png).getUint32(at);
    if (fourCharacters(png, at + 4) === type) found.push(png.subarray(start, end));
    at = end + OVERHEAD_BYTES - HEAD_BYTES;
  }
  return found;
};

/** The nearest of three neighbours to their gradient. @see https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth */
const paeth = (left: number, above: number, corner: number): number => {
  const [toLeft, toAbove] = [Math.abs(above - corner), Math.abs(left - corner)];
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
};

const PREDICTIONS: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Undoes the filters in place. @param rowBytes without the byte of the filter. @param step bytes of a pixel */
const unfilter = (lines: Uint8Array, rowBytes: number, step: number): void => {
  for (let row = 0; row < lines.length; row += rowBytes + 1) {
    const predict = PREDICTIONS[lines[row] as number];
    if (!predict) throw damagedImage();
    for (let at = row + 1; at <= row + rowBytes; at++) {
      const [hasLeft, hasAbove] = [at > row + step, row > 0];
      const left = hasLeft ? (lines[at - step] as number) : 0;
      const above = hasAbove ? (lines[at - rowBytes - 1] as number) : 0;
      const corner = hasLeft && hasAbove ? (lines[at - rowBytes - 1 - step] as number) : 0;
      lines[at] = (lines[at] as number) + predict(left, above, corner);
    }
  }
};

const unusual = (): UnreadableFile =>
  new UnreadableFile(
    'This PNG image is in high dynamic range and interlaced, or its colours are listed; convert it to standard range first.',
  );

/** How the pixels of a file are stored. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly sampleBytes: number;
}

/** The rows of a file without their filters; each begins with one byte that says nothing any more. */
const readLines = (png: Uint8Array, { width, height, channels, sampleBytes }: Layout): Uint8Array => {
  const rowBytes = width * channels * sampleBytes;
  const lines = new Uint8Array(height * (rowBytes + 1));
  let inflated: Uint8Array;
  try {
    inflated = unzlibSync(joinBytes(chunksOf(png, 'IDAT')), { out: lines });
  } catch {
    throw damagedImage();
  }
  if (inflated.length < lines.length) throw damagedImage();
  unfilter(lines, rowBytes, channels * sampleBytes);
  return lines;
};

/** Red, green, blue and transparency of each pixel. */
const samplesOf = (lines: Uint8Array, { width, height, channels, sampleBytes }: Layout): Uint16Array => {
  const samples = new Uint16Array(width * height * SAMPLES).fill(2 ** (8 * sampleBytes) - 1);
  const sources = [...(channels < 3 ? OF_GREY : OF_COLOUR), ...(channels % 2 === 0 ? [channels - 1] : [])];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const start = pixel * channels * sampleBytes + Math.floor(pixel / width) + 1;
    for (const [target, source] of sources.entries()) {
      const at = start + source * sampleBytes;
      const high = lines[at] as number;
      samples[pixel * SAMPLES + target] = sampleBytes === 1 ? high : (high << 8) | (lines[at + 1] as number);
    }
  }
  return samples;
};

/**
 * Decodes a PNG file in high dynamic range, of which hosts would lose bits or which they map by curves of their own.
 *
 * @param header of the file, whose chunks were checked
 * @throws UnreadableFile
 */
export const decodeHdrPng = (png: Uint8Array, header: ImageHeader): DecodedPixels => {
  const { width, height } = header;
  const hdr = hdrOf(header);
  const [bits = 0, colourType = 0, , , interlace] = chunksOf(png, 'IHDR')[0]?.subarray(8) ?? [];
  const channels = CHANNELS[colourType];
  if (!hdr || !channels || bits < 8 || interlace !== 0) throw unusual();
  if (header.hasAlpha !== (channels % 2 === 0)) throw unusual();
  const layout = { width, height, channels, sampleBytes: bits / 8 };
  const samples = samplesOf(readLines(png, layout), layout);
  const data = bytesOfHdr(samples, 2 ** bits - 1, toneTable(hdr.transfer, hdr.primaries, 'image'));
  return { width, height, data, space: 'rgb', transform: undefined };
};
