/**
 * A decoded picture: 8-bit RGBA rows, top to bottom, no padding between rows, sRGB, alpha always 255.
 *
 * Four channels, because that is what a canvas gives and takes without a copy.
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Length `width * height * 4`. Redaction writes into it. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

export const RGBA = 4;

/** A raster's pixels as one number each, `0xAABBGGRR`: every machine that this runs on is little-endian. */
export const wordsOf = ({ data, width, height }: Raster): Uint32Array => {
  const aligned = data.byteOffset % RGBA === 0 ? data : data.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, width * height);
};

/** The same as signed numbers, which engines calculate with faster: unsigned ones may need more than 31 bits. */
export const signedWordsOf = (raster: Raster): Int32Array => {
  const words = wordsOf(raster);
  return new Int32Array(words.buffer, words.byteOffset, words.length);
};
