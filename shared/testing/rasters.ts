import { RGBA, type Raster } from '../domain/raster';

type Rgb = readonly [number, number, number];

/** A generator of repeatable pseudo-random numbers 0..1 (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** An image with the pixels of a function; values outside 0..255 are clamped. */
export const createRaster = (width: number, height: number, at: (x: number, y: number) => Rgb): Raster => {
  const data = new Uint8ClampedArray(width * height * RGBA);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * RGBA;
      [data[to], data[to + 1], data[to + 2]] = at(x, y);
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
};

export const plainRaster = (width: number, height: number, colour: Rgb): Raster =>
  createRaster(width, height, () => colour);

/** An image of noise in each pixel and channel. */
export const noiseRaster = (width: number, height: number, seed: number): Raster => {
  const random = seededRandom(seed);
  return createRaster(width, height, () => [random() * 255, random() * 255, random() * 255]);
};

export const copyRaster = (raster: Raster): Raster => ({ ...raster, data: raster.data.slice() });

export const pixelAt = (raster: Raster, x: number, y: number): Rgb => {
  const at = (y * raster.width + x) * RGBA;
  return [raster.data[at] as number, raster.data[at + 1] as number, raster.data[at + 2] as number];
};

/** Largest difference of a channel over the pixels for which `within` is true. */
export const largestDifference = (
  a: Raster,
  b: Raster,
  within: (x: number, y: number) => boolean = () => true,
): number => {
  let largest = 0;
  for (let i = 0; i < a.data.length; i++) {
    if (a.data[i] === b.data[i]) continue;
    const difference = Math.abs((a.data[i] as number) - (b.data[i] as number));
    if (difference <= largest) continue;
    const pixel = Math.floor(i / RGBA);
    if (within(pixel % a.width, Math.floor(pixel / a.width))) largest = difference;
  }
  return largest;
};
