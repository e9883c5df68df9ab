import { RGBA, type Raster } from '../../domain/raster';
import type { Size } from '../../domain/boxes';

/** The upper left part of a raster, moved together in the raster's own memory. */
export const cropInPlace = ({ width, height, data }: Raster, size: Size): Raster => {
  if (size.width > width || size.height > height) {
    throw new Error('a raster cannot be cropped to a larger size');
  }
  const rowBytes = size.width * RGBA;
  for (let row = 1; row < size.height; row++) {
    const from = row * width * RGBA;
    data.copyWithin(row * rowBytes, from, from + rowBytes);
  }
  return { ...size, data: data.subarray(0, size.height * rowBytes) };
};
