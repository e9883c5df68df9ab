import type { Box } from '../domain/boxes';
import type { Raster } from '../domain/raster';
import { boxOf } from './plans';
import { createRaster, seededRandom } from './rasters';

/** Size of the images of `scene`, in px. */
export const SIZE = { width: 320, height: 200 };

/** A smooth pattern of blobs some px wide, similar to camera images. */
const blobs = (seed: number, cell: number): ((x: number, y: number) => number) => {
  const random = seededRandom(seed);
  const side = 64;
  const values = Float32Array.from({ length: side * side }, () => random() * 255);
  const at = (c: number, r: number): number =>
    values[(((r % side) + side) % side) * side + (((c % side) + side) % side)]!;
  return (x, y) => {
    const [u, v] = [x / cell, y / cell];
    const [c, r] = [Math.floor(u), Math.floor(v)];
    const [s, t] = [u - c, v - r];
    return (
      (at(c, r) * (1 - s) + at(c + 1, r) * s) * (1 - t) + (at(c, r + 1) * (1 - s) + at(c + 1, r + 1) * s) * t
    );
  };
};
const ground = blobs(1, 9);
const thing = blobs(2, 6);

/**
 * An object with one pattern on a background with another.
 *
 * @param box place of the object in the image
 * @param camera shift of the background to the left and up, in px
 */
export const scene = (box: Box, light = 0, camera = { x: 0, y: 0 }): Raster =>
  createRaster(SIZE.width, SIZE.height, (x, y) => {
    const isInside = x >= box.x1 && x < box.x2 && y >= box.y1 && y < box.y2;
    const scale = 40 / (box.x2 - box.x1);
    const value =
      light +
      (isInside ? thing((x - box.x1) * scale, (y - box.y1) * scale) : ground(x + camera.x, y + camera.y));
    return [value, value, value];
  });
export const square = (x: number, y: number, side = 40): Box => boxOf(x, y, x + side, y + side);
