import { func, i16x8, i32, i8x16, local, v128, type Local } from 'wasmati';
import { WEIGHT_BITS } from './fixed-point';
import { advance, repeat } from './loops';
import { lanes, lookUp, NUMBER, packPixels, PIXEL, TABLE, VECTOR } from './pixels';

/** Half a level, so that truncation rounds. */
const HALF = 1 << (WEIGHT_BITS - 1);
/** Bytes of a weight and of an offset: int16, int32. */
const [WEIGHT, OFFSET] = [2, 4];

/** The second half of a vector, twice. */
const SECOND_HALF = lanes((index) => 8 + (index % 8));
/** The first weight for the four channels of a pixel, the second for those of the next. */
const WEIGHT_OF_CHANNELS = lanes((index) => (index < 8 ? 0 : WEIGHT) + (index % WEIGHT));

/** Adds the product of the two vectors on the stack, levels and weights, to a sum. */
const addProduct = (sum: Local<'v128'>): void => {
  local.set(sum, i16x8.add(i16x8.mul(), sum));
};

/**
 * Scales rows of pixels horizontally: each target pixel is a weighted sum of neighbouring source pixels.
 *
 * Sums never overflow 16 bits, because weights add up to 2⁸. Two source pixels are read at once, the last of them perhaps
 * beyond a row, with a weight of 0.
 *
 * Parameters:
 * - address of the first source row, and bytes from row to row;
 * - address of the offset (int32) of each target pixel's first source pixel in its row;
 * - address of the weights (int16), and bytes of those of one target pixel, a multiple of 4;
 * - number of target pixels and of rows;
 * - address of the target, whose rows follow each other.
 */
export const scaleAcross = func(
  {
    in: [i32, i32, i32, i32, i32, i32, i32, i32],
    locals: [i32, i32, i32, i32, i32, i32, v128, v128],
    out: [],
  },
  (
    [source, stride, offsets, weights, weightBytes, width, rows, target],
    [row, x, tap, offset, weight, from, sum, pair],
  ) => {
    repeat(row, 1, rows, () => {
      local.set(offset, offsets);
      local.set(weight, weights);
      repeat(x, 1, width, () => {
        local.set(from, i32.add(source, i32.load({}, offset)));
        local.set(sum, v128.const('i16x8', [HALF, HALF, HALF, HALF, 0, 0, 0, 0]));
        repeat(tap, 2 * WEIGHT, weightBytes, () => {
          local.set(pair, v128.load32_splat({ align: WEIGHT }, weight));
          i16x8.extend_low_i8x16_u(v128.load64_zero({ align: PIXEL }, from));
          i8x16.shuffle(WEIGHT_OF_CHANNELS, pair, pair);
          addProduct(sum);
          advance(from, 2 * PIXEL);
          advance(weight, 2 * WEIGHT);
        });
        local.set(sum, i16x8.add(sum, i8x16.shuffle(SECOND_HALF, sum, sum)));
        local.get(target);
        packPixels(sum, sum, WEIGHT_BITS);
        v128.store32_lane({}, 0);
        advance(target, PIXEL);
        advance(offset, OFFSET);
      });
      advance(source, stride);
    });
  },
);

/** Where the numbers of four pixels in one channel come from and go to: addresses, and a vector for them. */
interface Channel {
  readonly channel: number;
  readonly tables: Local<'i32'>;
  readonly plane: Local<'i32'>;
  readonly numbers: Local<'v128'>;
}

/** Stores the number that a table contains for the level of each of four pixels. */
const storeChannel = (pixels: Local<'v128'>, { channel, tables, plane, numbers }: Channel): void => {
  lookUp(numbers, channel * TABLE, (pixel) => {
    i32.add(tables, i32.mul(i8x16.extract_lane_u(pixel * PIXEL + channel, pixels), NUMBER));
  });
  v128.store({ align: NUMBER }, plane, numbers);
};

/**
 * Blends rows of pixels into target rows, in three planes of numbers: those that tables contain for the levels.
 *
 * Four pixels are read and stored at once, up to three of them beyond the end of a row.
 *
 * Parameters:
 * - address of the first source row, and bytes of a row, which follow each other;
 * - address of the offset (int32) of each target row's first source row;
 * - address of the weights (int16), and their number for one target row;
 * - number of target rows;
 * - address of the tables of red, green and blue (float32);
 * - addresses of the planes of red, green and blue, and bytes from row to row.
 */
export const blendDown = func(
  {
    in: [i32, i32, i32, i32, i32, i32, i32, i32, i32, i32, i32],
    locals: [i32, i32, i32, i32, i32, i32, v128, v128, v128, v128],
    out: [],
  },
  (
    [source, stride, offsets, weights, count, rows, tables, red, green, blue, planeStride],
    [row, x, tap, from, weight, plane, low, high, pixels, factor],
  ) => {
    const planes = [red, green, blue] as const;
    repeat(row, 1, rows, () => {
      repeat(x, VECTOR, stride, () => {
        local.set(low, v128.const('i16x8', [HALF, HALF, HALF, HALF, HALF, HALF, HALF, HALF]));
        local.set(high, low);
        local.set(from, i32.add(x, i32.add(source, i32.load({}, offsets))));
        local.set(weight, weights);
        repeat(tap, 1, count, () => {
          local.set(pixels, v128.load({ align: PIXEL }, from));
          local.set(factor, v128.load16_splat({}, weight));
          i16x8.extend_low_i8x16_u(pixels);
          local.get(factor);
          addProduct(low);
          i16x8.extend_high_i8x16_u(pixels);
          local.get(factor);
          addProduct(high);
          advance(from, stride);
          advance(weight, WEIGHT);
        });
        packPixels(low, high, WEIGHT_BITS);
        local.set(pixels);
        planes.forEach((start, channel) => {
          local.set(plane, i32.add(start, x));
          storeChannel(pixels, { channel, tables, plane, numbers: factor });
        });
      });
      advance(offsets, OFFSET);
      local.set(weights, weight);
      planes.forEach((start) => advance(start, planeStride));
    });
  },
);

/** The first pixels of two pairs, and the second ones: each pixel has four 16-bit numbers. */
const FIRST_OF_PAIRS = lanes((index) => (index < 8 ? index : index + 8));
const SECOND_OF_PAIRS = lanes((index) => 8 + (index < 8 ? index : index + 8));

/**
 * Halves both sides of an image: each target pixel is the mean of four, rounded.
 *
 * Eight pixels of two rows are read and four stored at once, up to three of them beyond the end of a row.
 *
 * Parameters: address of the source, bytes from row to row, bytes of a target row, number of target rows, address of the
 * target, whose rows follow each other.
 */
export const halveRows = func(
  {
    in: [i32, i32, i32, i32, i32],
    locals: [i32, i32, i32, i32, v128, v128, v128, v128],
    out: [],
  },
  ([source, stride, width, rows, target], [row, x, upper, lower, first, second, a, b]) => {
    /** Adds two neighbouring pixels of two rows: the sums of four in a pair of vectors become those of two pixels. */
    const sumPixels = (offset: number, sum: Local<'v128'>): void => {
      const at = { offset, align: PIXEL };
      local.set(a, v128.load(at, upper));
      local.set(b, v128.load(at, lower));
      local.set(sum, i16x8.add(i16x8.extend_low_i8x16_u(a), i16x8.extend_low_i8x16_u(b)));
      local.set(a, i16x8.add(i16x8.extend_high_i8x16_u(a), i16x8.extend_high_i8x16_u(b)));
      i8x16.shuffle(FIRST_OF_PAIRS, sum, a);
      i8x16.shuffle(SECOND_OF_PAIRS, sum, a);
      i16x8.add();
      v128.const('i16x8', [2, 2, 2, 2, 2, 2, 2, 2]);
      local.set(sum, i16x8.add());
    };
    repeat(row, 1, rows, () => {
      local.set(upper, source);
      local.set(lower, i32.add(source, stride));
      repeat(x, VECTOR, width, () => {
        sumPixels(0, first);
        sumPixels(VECTOR, second);
        i32.add(target, x);
        packPixels(first, second, 2);
        v128.store({ align: PIXEL });
        advance(upper, 2 * VECTOR);
        advance(lower, 2 * VECTOR);
      });
      advance(target, width);
      advance(source, i32.mul(stride, 2));
    });
  },
);
