import type { Box } from '../domain/boxes';
import type { Raster } from '../domain/raster';
import { boxOf } from './plans';
import { createRaster, seededRandom } from './rasters';

/** Of the pictures that `scene` draws, in px. */
export const SIZE = { width: 320, height: 200 };

/** A smooth pattern, as cameras see things: blobs some px wide. */
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
 * A thing with a pattern of its own before a ground with another.
 *
 * @param camera how far the ground has moved to the left and up; the box is the picture's
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
