import type { ModelInput } from '../../domain/manifest';
import type { Letterbox } from './letterbox';
import type { Pyramid } from './pyramid';
import { wordsOf, type Raster, type Size } from '../../domain/raster';
import {
  type Taps,
  type ScaledRow,
  around,
  planTaps,
  within,
  WEIGHT_BITS,
  BLUE_SHIFT,
  GREEN_SHIFT,
  HALF,
  HALVES,
  LEVEL,
  RED_BLUE,
  rowScaler,
} from './scale-row';

type Normalisation = Pick<ModelInput, 'mean' | 'std' | 'channels' | 'padding'>;

/** Caches horizontally scaled rows, so that no source row is scaled twice. */
const rowCache = (source: Raster, taps: Taps, size: number): ((row: number) => ScaledRow) => {
  const words = wordsOf(source);
  const targets = taps.index.length / taps.count;
  const scale = rowScaler(taps);
  const slots = Array.from({ length: size }, () => ({ row: -1, scaled: new Uint32Array(targets) }));
  return (row) => {
    const slot = slots[row % size] as (typeof slots)[number];
    if (slot.row !== row) {
      scale(words, row * source.width, taps, slot.scaled);
      slot.row = row;
    }
    return slot.scaled;
  };
};

/** The normalised value of each level, 0..255, for each channel. */
type Levels = readonly [Float32Array, Float32Array, Float32Array];

/** Of each network: its windows are small and many. */
const knownLevels = new WeakMap<Normalisation, Levels>();

const levelsOf = (normalisation: Normalisation): Levels => {
  const known = knownLevels.get(normalisation);
  if (known) return known;
  const { mean, std } = normalisation;
  const of = (channel: 0 | 1 | 2): Float32Array =>
    Float32Array.from({ length: LEVEL + 1 }, (_, level) => (level - mean[channel]) / std[channel]);
  const levels: Levels = [of(0), of(1), of(2)];
  knownLevels.set(normalisation, levels);
  return levels;
};

/** A target row in each of the three planes. */
type Places = readonly [Float32Array, Float32Array, Float32Array];

/** Blends three rows into one, the usual case unless an image is scaled down by much. */
const blendThree = (
  [a, b, c]: readonly [ScaledRow, ScaledRow, ScaledRow],
  [w, v, u]: readonly [number, number, number],
  [toRed, toGreen, toBlue]: Levels,
  [reds, greens, blues]: Places,
): void => {
  for (let x = 0; x < reds.length; x++) {
    const p = a[x] as number;
    const q = b[x] as number;
    const r = c[x] as number;
    const redBlue =
      (HALVES + Math.imul(p & RED_BLUE, w) + Math.imul(q & RED_BLUE, v) + Math.imul(r & RED_BLUE, u)) | 0;
    const green =
      HALF +
      Math.imul((p >>> GREEN_SHIFT) & LEVEL, w) +
      Math.imul((q >>> GREEN_SHIFT) & LEVEL, v) +
      Math.imul((r >>> GREEN_SHIFT) & LEVEL, u);
    reds[x] = toRed[(redBlue >>> WEIGHT_BITS) & LEVEL] as number;
    greens[x] = toGreen[(green >>> WEIGHT_BITS) & LEVEL] as number;
    blues[x] = toBlue[redBlue >>> (BLUE_SHIFT + WEIGHT_BITS)] as number;
  }
};

/** Blends four rows into one, as when an image is scaled down to about half. */
const blendFour = (
  [a, b, c, d]: readonly [ScaledRow, ScaledRow, ScaledRow, ScaledRow],
  [w, v, u, s]: readonly [number, number, number, number],
  [toRed, toGreen, toBlue]: Levels,
  [reds, greens, blues]: Places,
): void => {
  for (let x = 0; x < reds.length; x++) {
    const p = a[x] as number;
    const q = b[x] as number;
    const r = c[x] as number;
    const o = d[x] as number;
    const first = (Math.imul(p & RED_BLUE, w) + Math.imul(q & RED_BLUE, v)) | 0;
    const second = (Math.imul(r & RED_BLUE, u) + Math.imul(o & RED_BLUE, s)) | 0;
    const redBlue = (((HALVES + first) | 0) + second) | 0;
    const green =
      HALF +
      Math.imul((p >>> GREEN_SHIFT) & LEVEL, w) +
      Math.imul((q >>> GREEN_SHIFT) & LEVEL, v) +
      Math.imul((r >>> GREEN_SHIFT) & LEVEL, u) +
      Math.imul((o >>> GREEN_SHIFT) & LEVEL, s);
    reds[x] = toRed[(redBlue >>> WEIGHT_BITS) & LEVEL] as number;
    greens[x] = toGreen[(green >>> WEIGHT_BITS) & LEVEL] as number;
    blues[x] = toBlue[redBlue >>> (BLUE_SHIFT + WEIGHT_BITS)] as number;
  }
};

/** Blends two rows into one. Each number of rows has its own loop: a common one takes 1.5 times as long. */
const blendTwo = (
  [a, b]: readonly [ScaledRow, ScaledRow],
  [w, v]: readonly [number, number],
  [toRed, toGreen, toBlue]: Levels,
  [reds, greens, blues]: Places,
): void => {
  for (let x = 0; x < reds.length; x++) {
    const p = a[x] as number;
    const q = b[x] as number;
    const redBlue = (HALVES + Math.imul(p & RED_BLUE, w) + Math.imul(q & RED_BLUE, v)) | 0;
    const green =
      HALF + Math.imul((p >>> GREEN_SHIFT) & LEVEL, w) + Math.imul((q >>> GREEN_SHIFT) & LEVEL, v);
    reds[x] = toRed[(redBlue >>> WEIGHT_BITS) & LEVEL] as number;
    greens[x] = toGreen[(green >>> WEIGHT_BITS) & LEVEL] as number;
    blues[x] = toBlue[redBlue >>> (BLUE_SHIFT + WEIGHT_BITS)] as number;
  }
};

const addRow = (redBlues: Uint32Array, greens: Uint32Array, row: ScaledRow, weight: number): void => {
  for (let x = 0; x < row.length; x++) {
    const word = row[x] as number;
    redBlues[x] = ((redBlues[x] as number) + Math.imul(word & RED_BLUE, weight)) | 0;
    greens[x] = (greens[x] as number) + Math.imul((word >>> GREEN_SHIFT) & LEVEL, weight);
  }
};

const finishSums = (
  redBlues: Uint32Array,
  greenSums: Uint32Array,
  [toRed, toGreen, toBlue]: Levels,
  [reds, greens, blues]: Places,
): void => {
  for (let x = 0; x < reds.length; x++) {
    const redBlue = redBlues[x] as number;
    reds[x] = toRed[(redBlue >>> WEIGHT_BITS) & LEVEL] as number;
    greens[x] = toGreen[((greenSums[x] as number) >>> WEIGHT_BITS) & LEVEL] as number;
    blues[x] = toBlue[redBlue >>> (BLUE_SHIFT + WEIGHT_BITS)] as number;
  }
};

/** @returns a function that blends the source rows of target row `y` into its planes */
const createBlender = (
  rowAt: (row: number) => ScaledRow,
  { count, index, weight }: Taps,
  targets: number,
  levels: Levels,
): ((y: number, places: Places) => void) => {
  const redBlues = new Uint32Array(targets);
  const greens = new Uint32Array(targets);
  const used: number[] = [];
  const row = (k: number): ScaledRow => rowAt(index[k] as number);
  const weightAt = (k: number): number => weight[k] as number;
  return (y, places) => {
    used.length = 0;
    for (let k = y * count; k < (y + 1) * count; k++) if (weight[k] !== 0) used.push(k);
    const [first, second = first, third = first, fourth = first] = used as [number, ...number[]];
    if (used.length <= 2) {
      const rest = used.length === 1 ? 0 : weightAt(second);
      blendTwo([row(first), row(second)], [weightAt(first), rest], levels, places);
    } else if (used.length === 3) {
      const weights = [weightAt(first), weightAt(second), weightAt(third)] as const;
      blendThree([row(first), row(second), row(third)], weights, levels, places);
    } else if (used.length === 4) {
      const weights = [weightAt(first), weightAt(second), weightAt(third), weightAt(fourth)] as const;
      blendFour([row(first), row(second), row(third), row(fourth)], weights, levels, places);
    } else {
      redBlues.fill(HALVES);
      greens.fill(HALF);
      for (const k of used) addRow(redBlues, greens, row(k), weightAt(k));
      finishSums(redBlues, greens, levels, places);
    }
  };
};

/** Fills the input to the right of the tile and below it. @param values normalised padding, for each plane */
const fillPadding = (
  out: Float32Array,
  { netWidth, netHeight }: Letterbox,
  { width, height }: Size,
  values: readonly number[],
): void => {
  values.forEach((value, plane) => {
    const start = plane * netWidth * netHeight;
    if (width < netWidth) {
      for (let y = 0; y < height; y++) {
        out.fill(value, start + y * netWidth + width, start + (y + 1) * netWidth);
      }
    }
    out.fill(value, start + height * netWidth, start + netHeight * netWidth);
  });
};

/** Plane index of red, green and blue. */
export const PLANES = { rgb: [0, 1, 2], bgr: [2, 1, 0] } as const;

/** The smallest level that still has at least the target's resolution. */
export const levelFor = (scale: number): number => Math.max(0, Math.floor(Math.log2(1 / Math.min(1, scale))));

/**
 * Scales a tile into a network's input planes, normalised.
 *
 * Values are rounded to whole levels after each direction, as in image libraries: integers are twice as fast.
 *
 * @param out float32 `[3, netHeight, netWidth]`; the part outside of the tile is filled with the input's padding
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
  const reduction = 2 ** level;
  const width = Math.min(netWidth, Math.round(tile.width * fit.scaleX));
  const height = Math.min(netHeight, Math.round(tile.height * fit.scaleY));
  const column = tile.wraps ? around : within;
  const across = planTaps(tile.x / reduction, fit.scaleX * reduction, width, (x) => column(x, source.width));
  const down = planTaps(tile.y / reduction, fit.scaleY * reduction, height, (y) => within(y, source.height));
  const levels = levelsOf(normalisation);
  const blend = createBlender(rowCache(source, across, down.count), down, width, levels);
  const [red, green, blue] = PLANES[normalisation.channels ?? 'rgb'];
  const place = (plane: number, y: number): Float32Array => {
    const start = (plane * netHeight + y) * netWidth;
    return out.subarray(start, start + width);
  };
  for (let y = 0; y < height; y++) blend(y, [place(red, y), place(green, y), place(blue, y)]);
  const padding = normalisation.padding ?? 0;
  const values = [red, 1, blue].map((channel) => levels[channel]?.[padding] ?? 0);
  fillPadding(out, fit, { width, height }, values);
};
