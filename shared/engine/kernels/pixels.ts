import { i16x8, i8x16, type Local } from 'wasmati';

/** Bytes of a pixel: red, green, blue, alpha. */
export const PIXEL = 4;
/** Bytes of a vector: four pixels. */
export const VECTOR = 16;

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
