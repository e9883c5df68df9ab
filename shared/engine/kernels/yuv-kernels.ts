import { $, func, i16x8, i32, i32x4, i8x16, local, v128, type Local } from 'wasmati';
import { YUV_BITS } from './fixed-point';
import { advance, repeat } from './loops';
import { lanes, lookUp, NUMBER, PIXEL, TABLE, VECTOR } from './pixels';

/** Where a table begins. */
const table = (index: number): { readonly offset: number } => ({ offset: index * TABLE });
/** In the order in which tables of colours follow each other. */
const [LUMA, RED_OF_V, GREEN_OF_U, GREEN_OF_V, BLUE_OF_U] = [
  table(0),
  table(1),
  table(2),
  table(3),
  table(4),
] as const;

/**
 * Calculates what the chroma of a row adds to red, green and blue, with one or two pixels for each sample.
 *
 * Parameters: addresses of the samples U and V, and their number; address of the tables; bytes of the pixels of a sample;
 * addresses of red, green and blue (int32 for each pixel, and one more).
 */
export const chromaOfRow = func(
  { in: [i32, i32, i32, i32, i32, i32, i32, i32], locals: [i32, i32, i32, i32], out: [] },
  ([u, v, samples, tables, step, red, green, blue], [sample, entryU, entryV, sum]) => {
    const entryOf = (plane: Local<'i32'>): void => {
      i32.add(tables, i32.mul(i32.load8_u({}, i32.add(plane, sample)), NUMBER));
    };
    const store = (plane: Local<'i32'>): void => {
      i32.store({}, plane, sum);
      i32.store({ offset: NUMBER }, plane, sum);
      advance(plane, step);
    };
    repeat(sample, 1, samples, () => {
      entryOf(u);
      local.set(entryU);
      entryOf(v);
      local.set(entryV);
      local.set(sum, i32.load(RED_OF_V, entryV));
      store(red);
      local.set(sum, i32.add(i32.load(GREEN_OF_U, entryU), i32.load(GREEN_OF_V, entryV)));
      store(green);
      local.set(sum, i32.load(BLUE_OF_U, entryU));
      store(blue);
    });
  },
);

/** Red, green, blue and alpha of four pixels, each in a quarter of the vector, as pixels. */
const PIXELS_OF_PLANES = lanes((index) => (index % PIXEL) * PIXEL + Math.floor(index / PIXEL));

/**
 * Makes a row of pixels of luma and of what chroma adds. Four are made at once, up to three of them beyond the end.
 *
 * Parameters: address of the luma; address of the tables; addresses of red, green and blue, as of `chromaOfRow`; bytes
 * of a row of pixels, and its address.
 */
export const pixelsOfRow = func(
  { in: [i32, i32, i32, i32, i32, i32, i32], locals: [i32, v128], out: [] },
  ([luma, tables, red, green, blue, width, target], [x, levels]) => {
    const pushColour = (plane: Local<'i32'>): void => {
      i32x4.shr_s(i32x4.add(levels, v128.load({ align: NUMBER }, i32.add(plane, x))), YUV_BITS);
    };
    repeat(x, VECTOR, width, () => {
      lookUp(levels, LUMA.offset, (pixel) => {
        i32.add(tables, i32.mul(i32.load8_u({ offset: pixel }, luma), NUMBER));
      });
      pushColour(red);
      pushColour(green);
      i16x8.narrow_i32x4_s();
      pushColour(blue);
      v128.const('i32x4', [255, 255, 255, 255]);
      i16x8.narrow_i32x4_s();
      local.set(levels, i8x16.narrow_i16x8_u());
      i32.add(target, x);
      i8x16.shuffle(PIXELS_OF_PLANES, levels, levels);
      v128.store({ align: PIXEL });
      advance(luma, VECTOR / PIXEL);
    });
  },
);

/** Every second 32-bit number of two vectors, from the first or from the second one. */
const EVEN_NUMBERS = lanes((index) => Math.floor(index / NUMBER) * 2 * NUMBER + (index % NUMBER));
const ODD_NUMBERS = lanes((index) => NUMBER + Math.floor(index / NUMBER) * 2 * NUMBER + (index % NUMBER));

type Vector = Local<'v128'>;
type Colours = readonly [Vector, Vector, Vector];

/** Pushes the weighted sum of three colours, in fixed point. @param first of their three factors */
const pushSum = (factors: Local<'i32'>, first: number, [red, green, blue]: Colours): void => {
  const factor = (index: number) => v128.load32_splat({ offset: (first + index) * NUMBER }, factors);
  i32x4.mul(factor(0), red);
  i32x4.mul(factor(1), green);
  i32x4.add();
  i32x4.mul(factor(2), blue);
  i32x4.add();
};

/** Makes bytes of the four sums on the stack. @param added place of what is added to each */
const packLevels = (factors: Local<'i32'>, added: number, level: Vector): void => {
  v128.load32_splat({ offset: added * NUMBER }, factors);
  local.set(level, i32x4.shr_s(i32x4.add(), YUV_BITS));
  local.set(level, i16x8.narrow_i32x4_s(level, level));
  local.set(level, i8x16.narrow_i16x8_u(level, level));
};

/**
 * Makes luma and chroma of two rows of pixels. Eight pixels are read at once, up to seven of them beyond the end.
 *
 * Parameters:
 * - addresses of the two rows, and bytes of a row;
 * - address of the factors (int32) of red, green and blue, with what is added to their sum, for luma, U and V;
 * - addresses of the two rows of luma, of U and of V.
 */
export const planesOfRows = func(
  {
    in: [i32, i32, i32, i32, i32, i32, i32, i32],
    locals: [i32, v128, v128, v128, v128, v128, v128, v128, v128, v128, v128],
    out: [],
  },
  (
    [upper, lower, width, factors, upperLuma, lowerLuma, u, v],
    [x, level, red, green, blue, redLeft, greenLeft, blueLeft, redRight, greenRight, blueRight],
  ) => {
    const colours = [red, green, blue] as const;
    const left = [redLeft, greenLeft, blueLeft] as const;
    const right = [redRight, greenRight, blueRight] as const;
    const read = (row: Local<'i32'>, offset: number): void => {
      local.set(level, v128.load({ offset, align: PIXEL }, row));
      colours.forEach((colour, channel) => {
        i32x4.shr_u(level, 8 * channel);
        v128.const('i32x4', [255, 255, 255, 255]);
        local.set(colour, v128.and());
      });
    };
    const storeLuma = (luma: Local<'i32'>, offset: number): void => {
      pushSum(factors, 0, colours);
      packLevels(factors, 3, level);
      v128.store32_lane({ offset, align: 1 }, 0, luma, level);
    };
    const storeChroma = (plane: Local<'i32'>, first: number): void => {
      pushSum(factors, first, left);
      i32x4.shr_s($, 2);
      packLevels(factors, first + 3, level);
      v128.store32_lane({ align: 1 }, 0, plane, level);
      advance(plane, 4);
    };
    repeat(x, 2 * VECTOR, width, () => {
      [left, right].forEach((sums, half) => {
        read(upper, half * VECTOR);
        storeLuma(upperLuma, half * 4);
        sums.forEach((sum, channel) => local.set(sum, colours[channel] as Vector));
        read(lower, half * VECTOR);
        storeLuma(lowerLuma, half * 4);
        sums.forEach((sum, channel) => local.set(sum, i32x4.add(sum, colours[channel] as Vector)));
      });
      left.forEach((sum, channel) => {
        i8x16.shuffle(EVEN_NUMBERS, sum, right[channel] as Vector);
        i8x16.shuffle(ODD_NUMBERS, sum, right[channel] as Vector);
        local.set(sum, i32x4.add());
      });
      storeChroma(u, 4);
      storeChroma(v, 8);
      [upper, lower].forEach((row) => advance(row, 2 * VECTOR));
      [upperLuma, lowerLuma].forEach((luma) => advance(luma, 8));
    });
  },
);
