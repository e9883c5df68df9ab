import { RGBA, type Raster } from './raster';

/**
 * The picture at full, half, quarter … size.
 *
 * Several detectors look at several scales; shrinking from the nearest larger level costs a fraction of shrinking
 * from the full picture each time, and averages every source pixel, so that small objects do not fall between samples.
 */
export interface Pyramid {
  readonly width: number;
  readonly height: number;
  /** Level 0 is the picture; each next level has half the sides, rounded up. Made on demand, kept. */
  level(index: number): Raster;
}

const halve = (from: Raster): Raster => {
  const width = Math.ceil(from.width / 2);
  const height = Math.ceil(from.height / 2);
  const data = new Uint8Array(width * height * RGBA);
  const source = from.data;
  for (let y = 0; y < height; y++) {
    const upper = 2 * y * from.width;
    const lower = Math.min(2 * y + 1, from.height - 1) * from.width;
    for (let x = 0; x < width; x++) {
      const left = 2 * x;
      const right = Math.min(left + 1, from.width - 1);
      const a = (upper + left) * RGBA;
      const b = (upper + right) * RGBA;
      const c = (lower + left) * RGBA;
      const d = (lower + right) * RGBA;
      const to = (y * width + x) * RGBA;
      for (let channel = 0; channel < 3; channel++) {
        data[to + channel] =
          ((source[a + channel] as number) +
            (source[b + channel] as number) +
            (source[c + channel] as number) +
            (source[d + channel] as number) +
            2) >>
          2;
      }
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
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
