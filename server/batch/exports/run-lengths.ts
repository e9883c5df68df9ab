import { boxHeight, boxWidth, type Box } from '#shared/domain/boxes';
import type { Shape } from '#shared/domain/plan';
import type { Size } from '#shared/domain/raster';
import { fillShape, shapeBounds } from '#shared/engine/masks/fill-shape';

/** A mask as COCO has it: lengths of runs down each column, the first of them uncovered, in its text form. */
export interface CocoMask {
  readonly size: readonly [height: number, width: number];
  readonly counts: string;
}

/** Whole pixels that a shape may touch, inside the image; undefined: none. */
const windowOf = (shape: Shape, { width, height }: Size): Box | undefined => {
  const { x1, y1, x2, y2 } = shapeBounds(shape);
  const window = {
    x1: Math.max(0, Math.floor(x1)),
    y1: Math.max(0, Math.floor(y1)),
    x2: Math.min(width, Math.ceil(x2)),
    y2: Math.min(height, Math.ceil(y2)),
  };
  return window.x1 < window.x2 && window.y1 < window.y2 ? window : undefined;
};

/** Run lengths of all pixels that a shape hides, down the columns of the image. */
export const columnRuns = (shape: Shape, size: Size): number[] => {
  const window = windowOf(shape, size);
  const runs = [0];
  let isCovered = false;
  const add = (covers: boolean, pixels: number): void => {
    if (pixels === 0) return;
    if (covers !== isCovered) runs.push(0);
    isCovered = covers;
    runs[runs.length - 1]! += pixels;
  };
  if (!window) return [size.width * size.height];
  const [width, height] = [boxWidth(window), boxHeight(window)];
  const alpha = new Uint8Array(width * height);
  fillShape(shape, window, alpha);
  add(false, window.x1 * size.height);
  for (let x = 0; x < width; x++) {
    add(false, window.y1);
    for (let y = 0; y < height; y++) add(alpha[y * width + x]! > 0, 1);
    add(false, size.height - window.y2);
  }
  add(false, (size.width - window.x2) * size.height);
  return runs;
};

/** Bits of a character, and the code of the character for 0, in the text form of COCO's `rleToString`. */
const [BITS, FIRST_CODE] = [5, 48];

/** Each run from the third on as the difference to the run before the last, in groups of 5 bits. */
const textOf = (runs: readonly number[]): string => {
  let text = '';
  for (const [index, run] of runs.entries()) {
    let rest = index > 2 ? run - runs[index - 2]! : run;
    for (let isLast = false; !isLast;) {
      const bits = rest & 0x1f;
      rest >>= BITS;
      isLast = (bits & 0x10) !== 0 ? rest === -1 : rest === 0;
      text += String.fromCharCode(FIRST_CODE + (isLast ? bits : bits | 0x20));
    }
  }
  return text;
};

export const cocoMask = (shape: Shape, size: Size): CocoMask => ({
  size: [size.height, size.width],
  counts: textOf(columnRuns(shape, size)),
});
