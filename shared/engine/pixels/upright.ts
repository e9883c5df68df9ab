import { RGBA, type Area, type Raster } from '../../domain/raster';

/** A part of a raster, moved together in the raster's own memory. */
export const cropInPlace = (raster: Raster, { width, height, left = 0, top = 0 }: Area): Raster => {
  const { data } = raster;
  if (left + width > raster.width || top + height > raster.height) {
    throw new Error('a raster cannot be cropped to a larger size');
  }
  const rowBytes = width * RGBA;
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * raster.width + left) * RGBA;
    data.copyWithin(row * rowBytes, from, from + rowBytes);
  }
  return { width, height, data: data.subarray(0, height * rowBytes) };
};

/** Rotation of a video's frames, clockwise, and mirroring left to right after it. */
export interface Turn {
  readonly rotation: 0 | 90 | 180 | 270;
  readonly flip: boolean;
}

/** What each EXIF orientation asks for. */
const TURNS: Readonly<Record<number, Turn>> = {
  2: { rotation: 0, flip: true },
  3: { rotation: 180, flip: false },
  4: { rotation: 180, flip: true },
  5: { rotation: 90, flip: true },
  6: { rotation: 90, flip: false },
  7: { rotation: 270, flip: true },
  8: { rotation: 270, flip: false },
};

/** @param orientation 1..8 as in EXIF */
export const turnOf = (orientation: number): Turn => TURNS[orientation] ?? { rotation: 0, flip: false };

/** Index of the source pixel that moves to (x, y) of the upright frame. */
const sourcePixel = (x: number, y: number, { width, height }: Raster, rotation: Turn['rotation']): number => {
  switch (rotation) {
    case 0:
      return y * width + x;
    case 90:
      return (height - 1 - x) * width + y;
    case 180:
      return (height - 1 - y) * width + (width - 1 - x);
    case 270:
      return x * width + (width - 1 - y);
  }
};

/**
 * Rotates and mirrors a frame to stand upright; returns the same raster if there is nothing to do.
 *
 * @param allocate returns memory for the rotated frame; it may contain any values
 */
export const turnUpright = (
  raster: Raster,
  { rotation, flip }: Turn,
  allocate: (bytes: number) => ArrayBuffer,
): Raster => {
  if (rotation === 0 && !flip) return raster;
  const isTurned = rotation === 90 || rotation === 270;
  const width = isTurned ? raster.height : raster.width;
  const height = isTurned ? raster.width : raster.height;
  const data = new Uint8Array(allocate(width * height * RGBA));
  const to = new Uint32Array(data.buffer);
  const from = new Uint32Array(raster.data.buffer, raster.data.byteOffset, raster.width * raster.height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const unflippedX = flip ? width - 1 - x : x;
      to[y * width + x] = from[sourcePixel(unflippedX, y, raster, rotation)] as number;
    }
  }
  return { width, height, data };
};
