import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import { encodeRuns } from '../pixels/runs';

/** Bits of a character, and the code of the character for 0, in the text form of COCO's `rleFrString`. */
const [BITS, FIRST_CODE] = [5, 48];
/** Runs are shorter than an image has pixels. */
const MAX_SHIFT = 30;

/**
 * Lengths of runs down the columns of an image from their text form, the first of them uncovered.
 *
 * @returns undefined where the text is none
 */
export const runsOfText = (text: string): number[] | undefined => {
  const runs: number[] = [];
  let [value, shift] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) - FIRST_CODE;
    if (code < 0 || code > 0x3f || shift > MAX_SHIFT) return undefined;
    value |= (code & 0x1f) << shift;
    shift += BITS;
    if ((code & 0x20) !== 0) continue;
    if ((code & 0x10) !== 0 && shift < 32) value |= -1 << shift;
    runs.push(runs.length > 2 ? value + runs[runs.length - 2]! : value);
    [value, shift] = [0, 0];
  }
  return shift === 0 ? runs : undefined;
};

/** Whether runs have the pixels of an image of this size. */
export const areRunsOf = (runs: readonly number[], { width, height }: Size): boolean =>
  runs.every((run) => Number.isInteger(run) && run >= 0) &&
  runs.reduce((sum, run) => sum + run, 0) === width * height;

/** Calls `cover` for each covered part of a column. */
const forEachColumnPart = (
  runs: readonly number[],
  height: number,
  cover: (x: number, from: number, to: number) => void,
): void => {
  let at = 0;
  for (const [index, run] of runs.entries()) {
    const end = at + run;
    for (let start = at; index % 2 === 1 && start < end;) {
      const x = Math.floor(start / height);
      const stop = Math.min(end, (x + 1) * height);
      cover(x, start - x * height, stop - x * height);
      start = stop;
    }
    at = end;
  }
};

/** The smallest box around all covered pixels; undefined: none is. The time does not depend on the size of the image. */
export const boundsOfRuns = (runs: readonly number[], { height }: Size): Box | undefined => {
  const bounds = { x1: Infinity, y1: Infinity, x2: -Infinity, y2: -Infinity };
  let start = 0;
  for (const [index, run] of runs.entries()) {
    const end = start + run;
    if (index % 2 === 1 && run > 0) {
      const [first, last] = [Math.floor(start / height), Math.floor((end - 1) / height)];
      const isInOneColumn = first === last;
      bounds.x1 = Math.min(bounds.x1, first);
      bounds.x2 = Math.max(bounds.x2, last + 1);
      bounds.y1 = Math.min(bounds.y1, isInOneColumn ? start - first * height : 0);
      bounds.y2 = Math.max(bounds.y2, isInOneColumn ? end - first * height : height);
    }
    start = end;
  }
  return bounds.x1 < bounds.x2 ? bounds : undefined;
};

/** The shape of runs down the columns of an image. @param box around all covered pixels, whole px */
export const shapeOfRuns = (runs: readonly number[], { height }: Size, box: Box): Shape => {
  const width = boxWidth(box);
  const mask = new Uint8Array(width * boxHeight(box));
  forEachColumnPart(runs, height, (x, from, to) => {
    for (let y = from; y < to; y++) mask[(y - box.y1) * width + x - box.x1] = 1;
  });
  return { kind: 'runs', box, runs: encodeRuns(mask) };
};
