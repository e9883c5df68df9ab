import type { ModelInput } from '../catalogue/manifest';
import type { Letterbox } from './letterbox';
import type { Pyramid } from './pyramid';
import { RGBA, type Raster } from './raster';

/** Which source positions make one target position, and with what weights. */
interface Taps {
  /** Even, so that the inner loops work on pairs. */
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
  const count = 2 * Math.ceil(radius);
  const index = new Int32Array(targets * count);
  const weight = new Float32Array(targets * count);
  for (let t = 0; t < targets; t++) {
    const centre = start + (t + 0.5) / scale - 0.5;
    const first = Math.floor(centre - radius) + 1;
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

type Normalisation = Pick<ModelInput, 'mean' | 'std'>;

/** Scales one source row across, normalised, to three planes of `targets` values: the sums down stay plain then. */
const scaleRow = (
  source: Raster,
  row: number,
  taps: Taps,
  { mean, std }: Normalisation,
  out: Float32Array,
): void => {
  const { data } = source;
  const { count, index, weight } = taps;
  const base = row * source.width * RGBA;
  const targets = index.length / count;
  for (let t = 0, k = 0; t < targets; t++) {
    let r = 0;
    let g = 0;
    let b = 0;
    for (const end = k + count; k < end; k += 2) {
      const w = weight[k] as number;
      const v = weight[k + 1] as number;
      const at = base + (index[k] as number) * RGBA;
      const next = base + (index[k + 1] as number) * RGBA;
      r += w * (data[at] as number) + v * (data[next] as number);
      g += w * (data[at + 1] as number) + v * (data[next + 1] as number);
      b += w * (data[at + 2] as number) + v * (data[next + 2] as number);
    }
    out[t] = (r - mean[0]) / std[0];
    out[targets + t] = (g - mean[1]) / std[1];
    out[2 * targets + t] = (b - mean[2]) / std[2];
  }
};

/** Rows already scaled across, so that no source row is scaled twice. */
const rowCache = (
  source: Raster,
  taps: Taps,
  normalisation: Normalisation,
  size: number,
): ((row: number) => Float32Array) => {
  const width = taps.index.length / taps.count;
  const slots = Array.from({ length: size }, () => ({ row: -1, planes: new Float32Array(width * 3) }));
  return (row) => {
    const slot = slots[row % size] as (typeof slots)[number];
    if (slot.row !== row) {
      scaleRow(source, row, taps, normalisation, slot.planes);
      slot.row = row;
    }
    return slot.planes;
  };
};

/** `out = w * a + v * b`, or added to `out`, over one row of one plane. */
const blendPair = (
  out: Float32Array,
  rows: readonly [Float32Array, Float32Array],
  weights: readonly [number, number],
  isFirst: boolean,
): void => {
  const [a, b] = rows;
  const [w, v] = weights;
  if (isFirst) {
    for (let x = 0; x < out.length; x++) out[x] = w * (a[x] as number) + v * (b[x] as number);
  } else {
    for (let x = 0; x < out.length; x++) {
      out[x] = (out[x] as number) + w * (a[x] as number) + v * (b[x] as number);
    }
  }
};

/** Blends the cached rows that make one target row. @param out its place in each of the three planes */
const blendRows = (
  rowAt: (row: number) => Float32Array,
  { count, index, weight }: Taps,
  y: number,
  out: readonly Float32Array[],
): void => {
  const first = y * count;
  for (let k = first; k < first + count; k += 2) {
    const weights = [weight[k] as number, weight[k + 1] as number] as const;
    if (k > first && weights[0] === 0 && weights[1] === 0) continue;
    const a = rowAt(index[k] as number);
    const b = rowAt(index[k + 1] as number);
    out.forEach((target, channel) => {
      const from = channel * target.length;
      const to = from + target.length;
      blendPair(target, [a.subarray(from, to), b.subarray(from, to)], weights, k === first);
    });
  }
};

/** Fills what a tile leaves free, right of it and below it, with normalised black. */
const fillRest = (
  out: Float32Array,
  fit: Letterbox,
  width: number,
  height: number,
  { mean, std }: Normalisation,
): void => {
  const { netWidth, netHeight } = fit;
  for (let channel = 0; channel < 3; channel++) {
    const black = -(mean[channel] as number) / (std[channel] as number);
    const start = channel * netWidth * netHeight;
    if (width < netWidth) {
      for (let y = 0; y < height; y++) {
        out.fill(black, start + y * netWidth + width, start + (y + 1) * netWidth);
      }
    }
    out.fill(black, start + height * netWidth, start + netHeight * netWidth);
  }
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
  normalisation: Normalisation,
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
  const rowAt = rowCache(source, across, normalisation, down.count);
  for (let y = 0; y < height; y++) {
    const places = [0, 1, 2].map((channel) => {
      const start = (channel * netHeight + y) * netWidth;
      return out.subarray(start, start + width);
    });
    blendRows(rowAt, down, y, places);
  }
  fillRest(out, fit, width, height, normalisation);
};
