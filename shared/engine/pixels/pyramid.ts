import { RGBA, type Raster } from '../../domain/raster';
import { BLOCK_BYTES, startKernels } from '../kernels/kernels';
import { copyPart, partsOf } from './copy-part';
import { within } from './positions';

/**
 * The image at full, half, quarter … size.
 *
 * Several detectors run at several scales. Scaling down from the nearest larger level takes a fraction of the time of
 * scaling down the full image, and averages every source pixel, so that small objects are not lost between samples.
 */
export interface Pyramid {
  readonly width: number;
  readonly height: number;
  /** Level 0 is the image; each next level has half the sides, rounded up. Computed on demand and cached. */
  level(index: number): Raster;
}

const halve = (from: Raster): Raster => {
  const width = Math.ceil(from.width / 2);
  const height = Math.ceil(from.height / 2);
  const words = new Uint32Array(width * height);
  // The last row and column of an odd side repeat.
  const columns = partsOf({ from: 0, to: 2 * width }, from.width, within);
  const rows = Math.max(1, Math.floor(BLOCK_BYTES / (4 * width * RGBA)));
  for (let first = 0; first < height; first += rows) {
    const count = Math.min(rows, height - first);
    const kernels = startKernels();
    const source = kernels.place(4 * width * count * RGBA);
    const read = { from: 2 * first, to: 2 * (first + count) };
    copyPart(from, columns, read, kernels.wordsAt(source, 4 * width * count));
    const target = kernels.place(width * count * RGBA);
    kernels.halveRows(source, 2 * width * RGBA, width * RGBA, count, target);
    words.set(kernels.wordsAt(target, width * count), first * width);
  }
  return { width, height, data: new Uint8Array(words.buffer) };
};

export const createPyramid = (raster: Raster): Pyramid => {
  const levels: Raster[] = [raster];
  const level = (index: number): Raster => {
    const made = levels[index];
    if (made) return made;
    const next = halve(level(index - 1));
    levels[index] = next;
    return next;
  };
  return { width: raster.width, height: raster.height, level };
};
