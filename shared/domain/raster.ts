/** Width and height of an image, a window or an area of the screen, in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A decoded image: 8-bit RGBA rows, top to bottom, no padding between rows, sRGB, alpha always 255.
 *
 * Four channels, because a canvas reads and writes them without a copy.
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Length `width * height * 4`. Redaction writes into it. */
  readonly data: Uint8Array | Uint8ClampedArray;
  /** A panorama's frame, whose columns continue at the other edge where a template is matched; absent for others. */
  readonly wraps?: true;
}

/** Only the luma of a raster, 0..255, one byte for each pixel: all that templates are matched in. */
export interface LumaRaster extends Size, Pick<Raster, 'wraps'> {
  readonly luma: Uint8Array;
}

export const RGBA = 4;

/** A raster's pixels as one number each, `0xAABBGGRR`: all supported machines are little-endian. */
export const wordsOf = ({ data, width, height }: Raster): Uint32Array => {
  const aligned = data.byteOffset % RGBA === 0 ? data : data.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, width * height);
};

/**
 * Changes a raster's pixels as words, in place. Bytes that are not aligned to words are copied and written back.
 *
 * The words are signed, which is faster; their bits are those of `wordsOf`.
 */
export const editWords = (raster: Raster, edit: (words: Int32Array) => void): void => {
  const words = wordsOf(raster);
  edit(new Int32Array(words.buffer, words.byteOffset, words.length));
  if (words.buffer !== raster.data.buffer) raster.data.set(new Uint8Array(words.buffer));
};

/** Alpha bits of an opaque pixel. */
export const OPAQUE = 0xff000000 | 0;

/** The signed word of an opaque pixel; levels 0..255 are rounded to the nearest whole one. */
export const packRgba = (red: number, green: number, blue: number): number =>
  OPAQUE | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | (red + 0.5);

/** `wordsOf` as signed numbers. JavaScript engines calculate faster with them: unsigned words exceed 31 bits. */
export const signedWordsOf = (raster: Raster): Int32Array => {
  const words = wordsOf(raster);
  return new Int32Array(words.buffer, words.byteOffset, words.length);
};

/** A part of a raster, in px; without a place, at its upper left corner. */
export interface Area extends Size {
  readonly left?: number;
  readonly top?: number;
}
