import { clipBox, outerPixels, type Box } from '#shared/domain/boxes';
import type { RedactionPlan, Region } from '#shared/domain/plan';
import type { LabelledImage } from './labelled-image';
import { areaOf, drawHidden, hiddenPixels } from './pixels';

/** Pixels that the regions of one class hide in one image. */
export interface OverBlur {
  readonly hidden: number;
  /** Those that belong to no labelled object of any class. */
  readonly nextTo: number;
}

/** Removes the hidden pixels of an area. @param isInside by the index in the box; without it, all pixels are removed */
const removeArea = (
  hidden: Uint8Array,
  width: number,
  box: Box,
  isInside?: (index: number) => boolean,
): void => {
  const across = box.x2 - box.x1;
  for (let y = box.y1; y < box.y2; y++) {
    for (let x = box.x1; x < box.x2; x++) {
      if (isInside?.((y - box.y1) * across + x - box.x1) ?? true) hidden[y * width + x] = 0;
    }
  }
};

/**
 * Counts the pixels that are hidden without need.
 *
 * Pixels of an area whose objects are not labelled do not count.
 *
 * @param regions of the class
 * @returns undefined for a photo with objects whose outlines are not labelled
 */
export const countOverBlur = (
  { truth, uncounted }: LabelledImage,
  regions: readonly Region[],
  plan: RedactionPlan,
): OverBlur | undefined => {
  if (truth.some(({ outline }) => outline === undefined)) return undefined;
  const left = drawHidden(regions, plan);
  for (const { box } of uncounted) {
    removeArea(left, plan.width, outerPixels(clipBox(box, plan.width, plan.height)));
  }
  const hidden = hiddenPixels(left);
  for (const object of truth) {
    const { box, alpha } = areaOf(object, plan);
    removeArea(left, plan.width, box, (index) => alpha[index] === 255);
  }
  return { hidden, nextTo: hiddenPixels(left) };
};

/** Share of the hidden pixels of many images that belong to no object; NaN if nothing is hidden. */
export const measureOverBlur = (counts: readonly OverBlur[]): number => {
  const hidden = counts.reduce((sum, count) => sum + count.hidden, 0);
  const nextTo = counts.reduce((sum, count) => sum + count.nextTo, 0);
  return hidden === 0 ? Number.NaN : nextTo / hidden;
};
