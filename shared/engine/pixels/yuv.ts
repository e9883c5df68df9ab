import { RGBA, signedWordsOf, OPAQUE, type Raster } from '../../domain/raster';

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

/** Fractional bits of the fixed-point numbers: sums fit in 32 bits. */
const BITS = 16;
const ONE = 1 << BITS;
const HALF = ONE >> 1;
const NEUTRAL = 128;

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

/** Maximum distance of the tables' sums from the range 0 to 255, in levels. */
const BEYOND = 512;
/** Added to sums: the table's offset, and half a level for rounding. */
const ROUNDED = BEYOND * ONE + HALF;
const CLAMPED = Uint8Array.from({ length: 256 + 2 * BEYOND }, (_, i) =>
  Math.min(255, Math.max(0, i - BEYOND)),
);

/**
 * Makes a pixel from fixed-point sums that are `BEYOND` levels too high, so that no index into the table is negative.
 */
const colour = (red: number, green: number, blue: number): number =>
  (CLAMPED[red >> BITS] as number) |
  ((CLAMPED[green >> BITS] as number) << 8) |
  ((CLAMPED[blue >> BITS] as number) << 16) |
  OPAQUE;

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
  const words = new Int32Array(memory);
  const [stepX, stepY] = [1 << shiftX, 1 << shiftY];
  for (let row = 0; row < height; row += stepY) {
    // Converts all pixels of a chroma sample at once; at an odd edge, and without subsampling, some coincide.
    const lower = Math.min(row + stepY, height) - 1;
    const [upperLuma, lowerLuma] = [row * strideY, lower * strideY];
    const [upperWord, lowerWord] = [row * width, lower * width];
    let at = (row >> shiftY) * strideUv;
    for (let left = 0; left < width; left += stepX, at++) {
      const right = left + stepX <= width ? left + stepX - 1 : left;
      const codeV = v[at] as number;
      const codeU = u[at] as number;
      const red = (redOfV[codeV] as number) + ROUNDED;
      const green = (greenOfU[codeU] as number) + (greenOfV[codeV] as number) + ROUNDED;
      const blue = (blueOfU[codeU] as number) + ROUNDED;
      const a = luma[y[upperLuma + left] as number] as number;
      const b = luma[y[upperLuma + right] as number] as number;
      const c = luma[y[lowerLuma + left] as number] as number;
      const d = luma[y[lowerLuma + right] as number] as number;
      words[upperWord + left] = colour(a + red, a + green, a + blue);
      words[upperWord + right] = colour(b + red, b + green, b + blue);
      words[lowerWord + left] = colour(c + red, c + green, c + blue);
      words[lowerWord + right] = colour(d + red, d + green, d + blue);
    }
  }
  return { width, height, data: new Uint8Array(memory) };
};

/** Weights of red, green and blue in luma, blue difference and red difference, in fixed point. */
const factorsFrom = (coding: YuvCoding) => {
  const { black, luma, chroma } = rangeOf(coding);
  const { red, blue } = LUMA_SHARES[coding.matrix];
  const green = 1 - red - blue;
  const fixed = (...shares: readonly [number, number, number]) =>
    shares.map((share) => Math.round(share * ONE)) as [number, number, number];
  const [scale, half] = [luma / 255, chroma / 255 / 2];
  return {
    luma: fixed(red * scale, green * scale, blue * scale),
    blueDifference: fixed((-red / (1 - blue)) * half, (-green / (1 - blue)) * half, half),
    redDifference: fixed(half, (-green / (1 - red)) * half, (-blue / (1 - red)) * half),
    black: black * ONE + HALF,
  };
};

const RED_BLUE = 0xff00ff;
/** The neutral chroma level, raised by the table's offset and by half a level for rounding. */
const GREY = (NEUTRAL + BEYOND) * ONE + HALF;

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
  const size = width * height;
  const { luma, blueDifference, redDifference, black } = factorsFrom(coding);
  const [yr, yg, yb] = luma;
  const [ur, ug, ub] = blueDifference;
  const [vr, vg, vb] = redDifference;
  const words = signedWordsOf(raster);
  const lastColumn = raster.width - 1;
  const lumaOf = (word: number): number =>
    (Math.imul(word & 255, yr) +
      Math.imul((word >> 8) & 255, yg) +
      Math.imul((word >> 16) & 255, yb) +
      black) >>
    BITS;
  let toU = size;
  let toV = size + size / 4;
  for (let row = 0; row < height; row += 2) {
    const upper = row * raster.width;
    const lower = Math.min(row + 1, raster.height - 1) * raster.width;
    for (let column = 0, to = row * width; column < width; column += 2, to += 2) {
      const right = column < lastColumn ? column + 1 : lastColumn;
      const a = words[upper + column] as number;
      const b = words[upper + right] as number;
      const c = words[lower + column] as number;
      const d = words[lower + right] as number;
      bytes[to] = lumaOf(a);
      bytes[to + 1] = lumaOf(b);
      bytes[to + width] = lumaOf(c);
      bytes[to + width + 1] = lumaOf(d);
      // Red and blue are summed in one number; the sums cannot overlap.
      const redBlue = (a & RED_BLUE) + (b & RED_BLUE) + (c & RED_BLUE) + (d & RED_BLUE);
      const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      const red = redBlue & 0xffff;
      const blue = redBlue >> 16;
      bytes[toU++] = CLAMPED[
        (((Math.imul(red, ur) + Math.imul(green, ug) + Math.imul(blue, ub)) >> 2) + GREY) >> BITS
      ] as number;
      bytes[toV++] = CLAMPED[
        (((Math.imul(red, vr) + Math.imul(green, vg) + Math.imul(blue, vb)) >> 2) + GREY) >> BITS
      ] as number;
    }
  }
  return { width, height, data: bytes };
};
