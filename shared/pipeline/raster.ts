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
