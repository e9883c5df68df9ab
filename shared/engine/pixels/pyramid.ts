import { wordsOf, OPAQUE, type Raster } from '../../domain/raster';

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

/** Every second byte: two channels of a pixel, with room for a sum of four. */
const LANES = 0xff00ff;
/** Half of four in both lanes, for rounding. */
const ROUNDING = 0x20002;

const halve = (from: Raster): Raster => {
  const width = Math.ceil(from.width / 2);
  const height = Math.ceil(from.height / 2);
  const source = wordsOf(from);
  const words = new Uint32Array(width * height);
  const last = from.width - 1;
  for (let y = 0, to = 0; y < height; y++) {
    const upper = 2 * y * from.width;
    const lower = Math.min(2 * y + 1, from.height - 1) * from.width;
    for (let left = 0; left <= last; left += 2, to++) {
      const right = left < last ? left + 1 : last;
      const a = source[upper + left] as number;
      const b = source[upper + right] as number;
      const c = source[lower + left] as number;
      const d = source[lower + right] as number;
      const redBlue = ((a & LANES) + (b & LANES) + (c & LANES) + (d & LANES) + ROUNDING) >>> 2;
      const green =
        (((a >>> 8) & LANES) + ((b >>> 8) & LANES) + ((c >>> 8) & LANES) + ((d >>> 8) & LANES) + ROUNDING) <<
        6;
      words[to] = OPAQUE | (green & 0xff00) | (redBlue & LANES);
    }
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
