import type { ModelInput } from '../catalogue/manifest';
import type { Letterbox } from './letterbox';
import type { Pyramid } from './pyramid';
import { RGBA, type Raster } from './raster';

/** Which source positions make one target position, and with what weights. */
interface Taps {
  readonly count: number;
  /** `count` per target position. */
  readonly index: Int32Array;
  readonly weight: Float32Array;
}

/**
 * A triangle filter, widened when shrinking so that every source pixel counts (what image libraries call
 * antialiased bilinear).
 *
 * @param start first source px of the window, in source px; `scale` target px per source px
 * @param wrap source positions past the end go on at the beginning (panoramas) instead of repeating the last
 */
const planTaps = (
  start: number,
  scale: number,
  targets: number,
  sourceLength: number,
  wrap: boolean,
): Taps => {
  const radius = Math.max(1, 1 / scale);
  const count = Math.ceil(radius * 2) + 1;
  const index = new Int32Array(targets * count);
  const weight = new Float32Array(targets * count);
  for (let t = 0; t < targets; t++) {
    const centre = start + (t + 0.5) / scale - 0.5;
    const first = Math.ceil(centre - radius);
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const at = first + k;
      const w = Math.max(0, 1 - Math.abs(at - centre) / radius);
      index[t * count + k] = wrap
        ? ((at % sourceLength) + sourceLength) % sourceLength
        : Math.min(Math.max(at, 0), sourceLength - 1);
      weight[t * count + k] = w;
      sum += w;
    }
    for (let k = 0; k < count; k++) weight[t * count + k] = (weight[t * count + k] as number) / sum;
  }
  return { count, index, weight };
};

/** Scales one source row to `targets` RGB triplets. */
const scaleRow = (source: Raster, row: number, taps: Taps, out: Float32Array): void => {
  const { data } = source;
  const { count, index, weight } = taps;
  const base = row * source.width * RGBA;
  const targets = index.length / count;
  for (let t = 0, k = 0; t < targets; t++) {
    let r = 0;
    let g = 0;
    let b = 0;
    for (const end = k + count; k < end; k++) {
      const w = weight[k] as number;
      const at = base + (index[k] as number) * RGBA;
      r += w * (data[at] as number);
      g += w * (data[at + 1] as number);
      b += w * (data[at + 2] as number);
    }
    out[3 * t] = r;
    out[3 * t + 1] = g;
    out[3 * t + 2] = b;
  }
};

/** Rows already scaled across, so that no source row is scaled twice. */
const rowCache = (source: Raster, taps: Taps, size: number): ((row: number) => Float32Array) => {
  const width = taps.index.length / taps.count;
  const slots = Array.from({ length: size }, () => ({ row: -1, values: new Float32Array(width * 3) }));
  return (row) => {
    const slot = slots[row % size] as (typeof slots)[number];
    if (slot.row !== row) {
      scaleRow(source, row, taps, slot.values);
      slot.row = row;
    }
    return slot.values;
  };
};

/** The smallest level that still has at least the target's resolution. */
const levelFor = (scale: number): number => Math.max(0, Math.floor(Math.log2(1 / Math.min(1, scale))));

/**
 * Scales a tile into a network's input planes, normalised.
 *
 * @param out float32 `[3, netHeight, netWidth]`; what the tile does not fill becomes normalised black
 */
export const resample = (
  pyramid: Pyramid,
  fit: Letterbox,
  { mean, std }: Pick<ModelInput, 'mean' | 'std'>,
  out: Float32Array,
): void => {
  const { tile, netWidth, netHeight } = fit;
  const level = levelFor(Math.max(fit.scaleX, fit.scaleY));
  const source = pyramid.level(level);
  const shrunk = 2 ** level;
  const width = Math.min(netWidth, Math.round(tile.width * fit.scaleX));
  const height = Math.min(netHeight, Math.round(tile.height * fit.scaleY));
  const across = planTaps(tile.x / shrunk, fit.scaleX * shrunk, width, source.width, tile.wraps);
  const down = planTaps(tile.y / shrunk, fit.scaleY * shrunk, height, source.height, false);
  const rowAt = rowCache(source, across, down.count);
  const plane = netWidth * netHeight;
  for (let channel = 0; channel < 3; channel++) {
    out.fill(-(mean[channel] as number) / (std[channel] as number), channel * plane, (channel + 1) * plane);
  }
  const line = new Float32Array(width * 3);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    for (let k = y * down.count; k < (y + 1) * down.count; k++) {
      const w = down.weight[k] as number;
      if (w === 0) continue;
      const row = rowAt(down.index[k] as number);
      for (let i = 0; i < line.length; i++) line[i] = (line[i] as number) + w * (row[i] as number);
    }
    for (let channel = 0; channel < 3; channel++) {
      const offset = mean[channel] as number;
      const gain = 1 / (std[channel] as number);
      const to = channel * plane + y * netWidth;
      for (let x = 0; x < width; x++) out[to + x] = ((line[3 * x + channel] as number) - offset) * gain;
    }
  }
};
