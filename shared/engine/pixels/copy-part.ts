import { wordsOf, type Raster } from '../../domain/raster';
import { within } from './positions';

/** Positions from `from` to `to`, not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * Divides a range of positions, which may exceed an image, into parts that are next to each other in the image.
 *
 * @param place the position in the image
 */
export const partsOf = ({ from, to }: Range, length: number, place: typeof within): Range[] => {
  if (from >= 0 && to <= length) return [{ from, to }];
  const parts: { from: number; to: number }[] = [];
  for (let index = from; index < to; index++) {
    const at = place(index, length);
    const last = parts.at(-1);
    if (last?.to === at) last.to++;
    else parts.push({ from: at, to: at + 1 });
  }
  return parts;
};

/** Up to so many words, a loop is faster than a call of `set`. */
const SHORT = 64;

/**
 * Copies a part of an image, row after row. Above and below the image, its first and last rows repeat.
 *
 * @param columns as `partsOf` them
 */
export const copyPart = (
  raster: Raster,
  columns: readonly Range[],
  rows: Range,
  target: Uint32Array,
): void => {
  const words = wordsOf(raster);
  let at = 0;
  for (let row = rows.from; row < rows.to; row++) {
    const start = within(row, raster.height) * raster.width;
    for (const { from, to } of columns) {
      if (to - from > SHORT) target.set(words.subarray(start + from, start + to), at);
      else for (let i = from; i < to; i++) target[at + i - from] = words[start + i] as number;
      at += to - from;
    }
  }
};
