import { i16x8, i8x16, local, v128, type Local } from 'wasmati';

/** Bytes of a pixel: red, green, blue, alpha. */
export const PIXEL = 4;
/** Bytes of a vector: four pixels. */
export const VECTOR = 16;

/** Bytes of a number in a table: int32 or float32. */
export const NUMBER = 4;
/** Bytes of a table: a number for each level. */
export const TABLE = 256 * NUMBER;

type Lanes = Parameters<typeof i8x16.shuffle>[0];

/** Bytes 0 to 15 of one vector and 16 to 31 of a second one, in a new order. */
export const lanes = (byteAt: (index: number) => number): Lanes =>
  Array.from({ length: VECTOR }, (_, index) => byteAt(index)) as Lanes;

/** Makes four pixels, on the stack, of their levels: two pixels of 16-bit numbers in each vector. */
export const packPixels = (first: Local<'v128'>, second: Local<'v128'>, fractionalBits: number): void => {
  i16x8.shr_u(first, fractionalBits);
  i16x8.shr_u(second, fractionalBits);
  i8x16.narrow_i16x8_u();
};

/**
 * Loads a number of a table for each of four pixels.
 *
 * @param offset of the table
 * @param pushAddress pushes the address of a pixel's number in the first table
 */
export const lookUp = (
  numbers: Local<'v128'>,
  offset: number,
  pushAddress: (pixel: number) => void,
): void => {
  const entry = { offset, align: NUMBER };
  pushAddress(0);
  local.set(numbers, v128.load32_zero(entry));
  for (let pixel = 1; pixel < VECTOR / PIXEL; pixel++) {
    pushAddress(pixel);
    local.get(numbers);
    local.set(numbers, v128.load32_lane(entry, pixel));
  }
};
