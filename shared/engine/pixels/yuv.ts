import { RGBA, type Raster } from '../../domain/raster';
import { BLOCK_BYTES, startKernels } from '../kernels/kernels';
import { YUV_BITS } from '../kernels/fixed-point';
import { copyPart, partsOf, type Range } from './copy-part';
import { within } from './positions';

/** The matrix between RGB and YUV (ITU-R BT.601, BT.709, BT.2020 without constant luminance). */
export type YuvMatrix = 'bt601' | 'bt709' | 'bt2020';

export interface YuvCoding {
  readonly matrix: YuvMatrix;
  /** Whether levels are 0 to 255; otherwise luma is 16 to 235 and chroma 16 to 240. */
  readonly fullRange: boolean;
}

/** An image in three planes. */
export interface YuvImage<Plane extends Uint8Array | Uint16Array = Uint8Array> {
  readonly width: number;
  readonly height: number;
  readonly y: Plane;
  readonly u: Plane;
  readonly v: Plane;
  /** Samples from one row to the next. */
  readonly strideY: number;
  readonly strideUv: number;
  /** 1 if chroma has half the columns, 0 if it has all. */
  readonly shiftX: 0 | 1;
  /** 1 if chroma has half the rows, 0 if it has all. */
  readonly shiftY: 0 | 1;
}

/** Weights of red and blue in luma; the rest is the weight of green. */
const LUMA_SHARES = {
  bt601: { red: 0.299, blue: 0.114 },
  bt709: { red: 0.2126, blue: 0.0722 },
  bt2020: { red: 0.2627, blue: 0.0593 },
} as const satisfies Record<YuvMatrix, unknown>;

const ONE = 1 << YUV_BITS;
const HALF = ONE >> 1;
const NEUTRAL = 128;
const addHalf = (value: number): number => value + HALF;

/** @param bits of each sample */
const rangeOf = ({ fullRange }: YuvCoding, bits = 8) => {
  const unit = 1 << (bits - 8);
  const [black, luma, chroma] = fullRange
    ? [0, 256 * unit - 1, 256 * unit - 1]
    : [16 * unit, 219 * unit, 224 * unit];
  return { black, luma, chroma, neutral: NEUTRAL * unit };
};

/**
 * Contribution of each code value to red, green and blue, as whole numbers.
 *
 * @param white the number of the largest red, green and blue
 * @param bits of each sample
 */
export const yuvTables = (coding: YuvCoding, white: number, bits = 8) => {
  const { black, luma, chroma, neutral } = rangeOf(coding, bits);
  const { red, blue } = LUMA_SHARES[coding.matrix];
  const green = 1 - red - blue;
  const table = (valueOf: (code: number) => number): Int32Array =>
    Int32Array.from({ length: 1 << bits }, (_, code) => Math.round(valueOf(code) * white));
  const difference = (code: number): number => (code - neutral) / chroma;
  return {
    luma: table((code) => (code - black) / luma),
    redOfV: table((code) => 2 * (1 - red) * difference(code)),
    greenOfU: table((code) => -((2 * blue * (1 - blue)) / green) * difference(code)),
    greenOfV: table((code) => -((2 * red * (1 - red)) / green) * difference(code)),
    blueOfU: table((code) => 2 * (1 - blue) * difference(code)),
  };
};

const NUMBER_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** Calls `convert` for all rows in blocks of an even number. */
const inBlocks = (height: number, width: number, convert: (rows: Range) => void): void => {
  const rows = 2 * Math.ceil(BLOCK_BYTES / (2 * width * RGBA));
  for (let from = 0; from < height; from += rows) convert({ from, to: Math.min(height, from + rows) });
};

/**
 * Rows of a plane, complete. A decoder may leave out the last chroma samples of an odd side, as FFmpeg's does in Node: the
 * ones before them repeat.
 */
const rowsOf = (
  plane: Uint8Array,
  stride: number,
  width: number,
  [from, to]: readonly [number, number],
): { readonly samples: Uint8Array; readonly stride: number } => {
  if (stride >= width && plane.length >= (to - 1) * stride + width) {
    return { samples: plane.subarray(from * stride, to * stride), stride };
  }
  const samples = new Uint8Array((to - from) * width);
  const present = Math.min(stride, width);
  const lastRow = Math.max(0, Math.floor(plane.length / stride) - 1);
  for (let row = from; row < to; row++) {
    const [start, at] = [Math.min(row, lastRow) * stride, (row - from) * width];
    samples.set(plane.subarray(start, start + present), at);
    samples.fill(samples[at + present - 1] as number, at + present, at + width);
  }
  return { samples, stride: width };
};

/**
 * Converts YUV to RGBA. Each chroma sample applies to all its pixels.
 *
 * @param memory `width * height * 4` bytes with any content, which become the raster's
 */
export const rasterOfYuv = (
  image: YuvImage,
  coding: YuvCoding,
  memory = new ArrayBuffer(image.width * image.height * RGBA),
): Raster => {
  const { width, height, y, u, v, strideY, strideUv, shiftX, shiftY } = image;
  const { luma, redOfV, greenOfU, greenOfV, blueOfU } = yuvTables(coding, 255 * ONE);
  // Half a level is added to each colour, once, so that truncation rounds.
  const tables = Int32Array.of(
    ...luma,
    ...redOfV.map(addHalf),
    ...greenOfU.map(addHalf),
    ...greenOfV,
    ...blueOfU.map(addHalf),
  );
  const data = new Uint8Array(memory);
  const samples = (width + shiftX) >> shiftX;
  inBlocks(height, width, ({ from, to }) => {
    const kernels = startKernels();
    const rows = to - from;
    const chroma = [from >> shiftY, (to + shiftY) >> shiftY] as const;
    const lumaRows = rowsOf(y, strideY, width, [from, to]);
    const [rowsU, rowsV] = [rowsOf(u, strideUv, samples, chroma), rowsOf(v, strideUv, samples, chroma)];
    const [fromY, fromU, fromV] = [lumaRows, rowsU, rowsV].map((one) => kernels.put(one.samples)) as [
      number,
      number,
      number,
    ];
    const tableAt = kernels.put(tables);
    const colour = (): number => kernels.place(((samples + 1) << shiftX) * NUMBER_BYTES);
    const colours = [colour(), colour(), colour()] as const;
    const pixels = kernels.place(rows * width * RGBA);
    for (let row = 0; row < rows; row++) {
      const chromaRow = row >> shiftY;
      if (row % (1 << shiftY) === 0) {
        const step = NUMBER_BYTES << shiftX;
        kernels.chromaOfRow(
          fromU + chromaRow * rowsU.stride,
          fromV + chromaRow * rowsV.stride,
          samples,
          tableAt,
          step,
          ...colours,
        );
      }
      const target = pixels + row * width * RGBA;
      kernels.pixelsOfRow(fromY + row * lumaRows.stride, tableAt, ...colours, width * RGBA, target);
    }
    data.set(kernels.bytesAt(pixels, rows * width * RGBA), from * width * RGBA);
  });
  return { width, height, data };
};

/**
 * Weights of red, green and blue in luma, blue difference and red difference, in fixed point, each with what is added to
 * the sum: the neutral level, and half a level so that truncation rounds.
 */
const factorsFrom = (coding: YuvCoding): Int32Array => {
  const { black, luma, chroma } = rangeOf(coding);
  const { red, blue } = LUMA_SHARES[coding.matrix];
  const green = 1 - red - blue;
  const [scale, half] = [luma / 255, chroma / 255 / 2];
  const fixed = (shares: readonly [number, number, number], neutral: number): number[] => [
    ...shares.map((share) => Math.round(share * ONE)),
    neutral * ONE + HALF,
  ];
  return Int32Array.from([
    ...fixed([red * scale, green * scale, blue * scale], black),
    ...fixed([(-red / (1 - blue)) * half, (-green / (1 - blue)) * half, half], NEUTRAL),
    ...fixed([half, (-green / (1 - red)) * half, (-blue / (1 - red)) * half], NEUTRAL),
  ]);
};

/** Pixels that a kernel converts at once. */
const PIXELS_AT_ONCE = 8;

const even = (length: number): number => length + (length % 2);

/** Pixels that are added at the right and at the lower edge of an image for an encoder. */
export const paddingOf = ({ width, height }: Pick<Raster, 'width' | 'height'>): readonly [number, number] => [
  width % 2,
  height % 2,
];

/** An image for an encoder: the planes Y, U and V in this order, chroma with half the columns and rows. */
export interface I420Image {
  /** Even. */
  readonly width: number;
  /** Even. */
  readonly height: number;
  readonly data: Uint8Array;
}

/** Bytes of an image as I420. */
export const i420Bytes = ({ width, height }: Pick<Raster, 'width' | 'height'>): number =>
  even(width) * even(height) * 1.5;

/**
 * Converts RGBA to I420. An odd side is padded by repeating its last pixel.
 *
 * @param bytes `i420Bytes` bytes with any content, which become the image's
 */
export const i420OfRaster = (
  raster: Raster,
  coding: YuvCoding,
  bytes = new Uint8Array(i420Bytes(raster)),
): I420Image => {
  const [width, height] = [even(raster.width), even(raster.height)];
  const factors = factorsFrom(coding);
  // The last pixel of an odd row repeats.
  const columns = partsOf({ from: 0, to: width }, raster.width, within);
  const stride = Math.ceil(width / PIXELS_AT_ONCE) * PIXELS_AT_ONCE;
  const size = width * height;
  inBlocks(height, width, (rows) => {
    const count = rows.to - rows.from;
    const kernels = startKernels();
    const pixels = kernels.place(count * width * RGBA);
    copyPart(raster, columns, rows, kernels.wordsAt(pixels, count * width));
    const factorAt = kernels.put(factors);
    const luma = kernels.place(count * stride);
    const [u, v] = [kernels.place((count * stride) / 4), kernels.place((count * stride) / 4)];
    for (let row = 0; row < count; row += 2) {
      const upper = pixels + row * width * RGBA;
      const upperLuma = luma + row * stride;
      const chroma = (row * stride) / 4;
      kernels.planesOfRows(
        upper,
        upper + width * RGBA,
        width * RGBA,
        factorAt,
        upperLuma,
        upperLuma + stride,
        u + chroma,
        v + chroma,
      );
    }
    const copy = (place: number, share: 1 | 2, start: number): void => {
      for (let row = 0; row < count / share; row++) {
        const at = place + (row * stride) / share;
        const to = start + ((rows.from / share + row) * width) / share;
        bytes.set(kernels.bytesAt(at, width / share), to);
      }
    };
    copy(luma, 1, 0);
    copy(u, 2, size);
    copy(v, 2, size + size / 4);
  });
  return { width, height, data: bytes };
};
