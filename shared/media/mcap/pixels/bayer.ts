import { RGBA, type Size } from '../../../domain/raster';

/** Colour channels (0 red, 1 green, 2 blue) of the four pixels of a Bayer pattern, row by row. */
export type BayerPattern = readonly [number, number, number, number];

export const BAYER: Readonly<Record<string, BayerPattern>> = {
  bayer_rggb8: [0, 1, 1, 2],
  bayer_bggr8: [2, 1, 1, 0],
  bayer_gbrg8: [1, 2, 0, 1],
  bayer_grbg8: [1, 0, 2, 1],
};

export const channelAt = (pattern: BayerPattern, x: number, y: number): number =>
  pattern[(y & 1) * 2 + (x & 1)]!;

/** Interpolates each colour from the pixels of that colour around; good enough to find objects. */
export const rasterOfBayer = (
  samples: Uint8Array,
  { width, height, step }: Size & { readonly step: number },
  pattern: BayerPattern,
): Uint8Array => {
  const out = new Uint8Array(width * height * RGBA).fill(255);
  const sum = [0, 0, 0];
  const count = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      sum.fill(0);
      count.fill(0);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const channel = channelAt(pattern, nx, ny);
          sum[channel]! += samples[ny * step + nx]!;
          count[channel]! += 1;
        }
      }
      const own = channelAt(pattern, x, y);
      const at = (y * width + x) * RGBA;
      for (let channel = 0; channel < 3; channel++) {
        out[at + channel] = count[channel] ? sum[channel]! / count[channel]! : 0;
      }
      out[at + own] = samples[y * step + x]!;
    }
  }
  return out;
};
