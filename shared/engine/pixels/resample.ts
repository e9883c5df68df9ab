import type { ModelInput } from '../../domain/manifest';
import { BLOCK_BYTES, startKernels } from '../kernels/kernels';
import type { Letterbox } from './letterbox';
import type { Pyramid } from './pyramid';
import { RGBA, type Raster, type Size } from '../../domain/raster';
import { copyPart, partsOf, type Range } from './copy-part';
import { around, within } from './positions';
import { planTaps, type Taps } from './taps';

type Normalisation = Pick<ModelInput, 'mean' | 'std' | 'channels' | 'padding'>;

/** Number of levels of a channel. */
const LEVELS = 256;

/** The normalised value of each level, for each channel: red, green and blue in turn. */
const knownLevels = new WeakMap<Normalisation, Float32Array>();

/** Remembered for each network: its windows are small and many. */
const levelsOf = (normalisation: Normalisation): Float32Array => {
  const known = knownLevels.get(normalisation);
  if (known) return known;
  const { mean, std } = normalisation;
  const levels = Float32Array.from({ length: 3 * LEVELS }, (_, i) => {
    const channel = Math.floor(i / LEVELS) as 0 | 1 | 2;
    return ((i % LEVELS) - mean[channel]) / std[channel];
  });
  knownLevels.set(normalisation, levels);
  return levels;
};

/** What target positions `from` to `to` read. */
const sourcesOf = ({ first, count }: Taps, { from, to }: Range): Range => ({
  from: first[from] as number,
  to: (first[to - 1] as number) + count,
});

const lengthOf = ({ from, to }: Range): number => to - from;

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

const NUMBER_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** How an image is scaled in both directions. */
interface Scaling {
  readonly source: Raster;
  /** The column at an index, which may be beyond the ends. */
  readonly column: typeof within;
  readonly across: Taps;
  readonly down: Taps;
  /** See `levelsOf`. */
  readonly levels: Float32Array;
  /** Numbers from row to row of a plane. */
  readonly stride: number;
}

/** @returns the target rows, `stride` numbers each, in planes of red, green and blue; valid until kernels start again */
const scaleRows = (
  { source, column, across, down, levels, stride }: Scaling,
  rows: Range,
): Float32Array[] => {
  const kernels = startKernels();
  const width = across.first.length;
  const count = rows.to - rows.from;
  const read = { across: sourcesOf(across, { from: 0, to: width }), down: sourcesOf(down, rows) };
  const [readWidth, readCount] = [lengthOf(read.across), lengthOf(read.down)];
  const image = kernels.place(readWidth * readCount * RGBA);
  const columns = partsOf(read.across, source.width, column);
  copyPart(source, columns, read.down, kernels.wordsAt(image, readWidth * readCount));
  const scaled = kernels.place(width * readCount * RGBA);
  const offsets = across.first.map((first) => (first - read.across.from) * RGBA);
  kernels.scaleAcross(
    image,
    readWidth * RGBA,
    kernels.put(offsets),
    kernels.put(across.weight),
    across.count * across.weight.BYTES_PER_ELEMENT,
    width,
    readCount,
    scaled,
  );
  const rowOffsets = down.first
    .slice(rows.from, rows.to)
    .map((first) => (first - read.down.from) * width * RGBA);
  const rowWeights = down.weight.subarray(rows.from * down.count, rows.to * down.count);
  const place = (): number => kernels.place(count * stride * NUMBER_BYTES);
  const planes = [place(), place(), place()] as const;
  kernels.blendDown(
    scaled,
    width * RGBA,
    kernels.put(rowOffsets),
    kernels.put(rowWeights),
    down.count,
    count,
    kernels.put(levels),
    ...planes,
    stride * NUMBER_BYTES,
  );
  return planes.map((plane) => kernels.numbersAt(plane, count * stride));
};

/**
 * Scales a tile into a network's input planes, normalised.
 *
 * Values are rounded to whole levels after each direction, as in image libraries: kernels calculate with integers.
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
  const levels = levelsOf(normalisation);
  const maxRows = Math.min(height, Math.max(1, Math.floor(BLOCK_BYTES / (3 * netWidth * NUMBER_BYTES))));
  const scaling: Scaling = {
    source,
    column: tile.wraps ? around : within,
    across: planTaps(tile.x / reduction, fit.scaleX * reduction, width),
    down: planTaps(tile.y / reduction, fit.scaleY * reduction, height),
    levels,
    stride: netWidth,
  };
  const channels = PLANES[normalisation.channels ?? 'rgb'];
  for (let from = 0; width > 0 && from < height; from += maxRows) {
    const rows = { from, to: Math.min(height, from + maxRows) };
    scaleRows(scaling, rows).forEach((numbers, channel) => {
      out.set(numbers, ((channels[channel] as number) * netHeight + from) * netWidth);
    });
  }
  const padding = normalisation.padding ?? 0;
  const values = channels.map((channel) => levels[channel * LEVELS + padding] as number);
  fillPadding(out, fit, { width, height }, values);
};
