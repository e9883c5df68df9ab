import { Zlib } from 'fflate';
import { crc32, joinBytes } from '#shared/engine/formats/bytes';
import type { PngPixels } from '#shared/ports/codec';

type Row = Uint8Array | Uint8ClampedArray;
type Filter = (pixels: Row, above: Row, channels: number, out: Uint8Array) => void;

const none: Filter = (pixels, _above, _channels, out) => out.set(pixels, 1);

const sub: Filter = (pixels, _above, channels, out) => {
  for (let i = 0; i < pixels.length; i++) {
    out[i + 1] = pixels[i]! - (i < channels ? 0 : pixels[i - channels]!);
  }
};

const up: Filter = (pixels, above, _channels, out) => {
  for (let i = 0; i < pixels.length; i++) out[i + 1] = pixels[i]! - above[i]!;
};

/** Paeth predictor: the left, upper or upper left byte that is nearest to left + up − upper left. */
const paeth: Filter = (pixels, above, channels, out) => {
  for (let i = 0; i < pixels.length; i++) {
    const b = above[i]!;
    const a = i < channels ? 0 : pixels[i - channels]!;
    const c = i < channels ? 0 : above[i - channels]!;
    const toA = Math.abs(b - c);
    const toB = Math.abs(a - c);
    const toC = Math.abs(a + b - 2 * c);
    const predicted = toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
    out[i + 1] = pixels[i]! - predicted;
  }
};

/**
 * Filters with their PNG filter type. Up comes first, because it suits the flat rows of masks. Average is omitted
 * because it is rarely the best.
 */
const FILTERS = [
  { type: 2, apply: up },
  { type: 1, apply: sub },
  { type: 4, apply: paeth },
] as const;

/** Step between the bytes that are compared to select a row's filter. */
const SAMPLE_STEP = 5;

/**
 * Sum of the filtered bytes as absolute signed values: the smaller it is, the better the row compresses (heuristic of
 * the PNG specification).
 */
const cost = (filtered: Uint8Array): number => {
  let sum = 0;
  for (let i = 1; i < filtered.length; i += SAMPLE_STEP) {
    const byte = filtered[i]!;
    sum += byte < 128 ? byte : 256 - byte;
  }
  return sum;
};

let scratch = new Uint8Array(0);

/**
 * Writes one row with the filter that is expected to compress best.
 *
 * @param above the row before, or zeros
 * @param out one byte longer than the row: the first byte is the filter type
 */
const filterRow: Filter = (pixels, above, channels, out) => {
  none(pixels, above, channels, out);
  if (scratch.length !== out.length) scratch = new Uint8Array(out.length);
  let best = cost(out);
  for (const { type, apply } of FILTERS) {
    if (best === 0) return;
    apply(pixels, above, channels, scratch);
    const sum = cost(scratch);
    if (sum >= best) continue;
    best = sum;
    out.set(scratch);
    out[0] = type;
  }
};

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOUR_TYPES = { 1: 0, 3: 2, 4: 6 } as const satisfies Record<PngPixels['channels'], number>;
const BIT_DEPTH = 8;
/** Filtered bytes passed to the compressor at once. */
const BLOCK_BYTES = 2 ** 20;

const chunk = (type: string, payload: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(payload.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, payload.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(payload, 8);
  view.setUint32(8 + payload.length, crc32(bytes.subarray(4, 8 + payload.length)));
  return bytes;
};

const header = ({ width, height, channels }: PngPixels): Uint8Array => {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes[8] = BIT_DEPTH;
  bytes[9] = COLOUR_TYPES[channels];
  return chunk('IHDR', bytes);
};

/** Filters rows in blocks, so that no second copy of the image is held in memory. */
function* filteredBlocks(
  { width, height, channels, data }: PngPixels,
  filters: boolean,
): Generator<Uint8Array> {
  const stride = width * channels;
  const blockRows = Math.max(1, Math.floor(BLOCK_BYTES / (stride + 1)));
  const write = filters ? filterRow : none;
  let above: Uint8Array | Uint8ClampedArray = new Uint8Array(stride);
  for (let top = 0; top < height; top += blockRows) {
    const rows = Math.min(blockRows, height - top);
    const block = new Uint8Array(rows * (stride + 1));
    for (let row = 0; row < rows; row++) {
      const pixels = data.subarray((top + row) * stride, (top + row + 1) * stride);
      write(pixels, above, channels, block.subarray(row * (stride + 1), (row + 1) * (stride + 1)));
      above = pixels;
    }
    yield block;
  }
}

/**
 * Writes a PNG file without any ancillary chunk: pixels only.
 *
 * @param compressLevel zlib's 0..9; 0 stores
 * @see https://www.w3.org/TR/png-3/
 */
export const encodePng = (pixels: PngPixels, compressLevel: number): Uint8Array => {
  const parts: Uint8Array[] = [new Uint8Array(SIGNATURE), header(pixels)];
  const zlib = new Zlib({ level: compressLevel as 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 }, (compressed) => {
    if (compressed.length > 0) parts.push(chunk('IDAT', compressed));
  });
  for (const block of filteredBlocks(pixels, compressLevel > 0)) zlib.push(block);
  zlib.push(new Uint8Array(), true);
  parts.push(chunk('IEND', new Uint8Array()));
  return joinBytes(parts);
};
