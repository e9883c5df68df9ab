import type { PngPixels } from '../ports/codec';
import type { MaskKind } from '../ports/engine';
import { boxWidth } from './boxes';
import { coverRegion } from './coverage';
import { CLASS_CODES } from './object-class';
import type { RedactionPlan, Region } from './plan';

/** RGB of one object in the instance mask: R 0, G its number, B its class (spec/compatibility: instance mask). */
export const instanceColor = (
  region: Pick<Region, 'id' | 'detection'>,
): readonly [number, number, number] => [
  0,
  1 + (region.id % 255),
  CLASS_CODES[region.detection.objectClass].maskBit,
];

/** Calls `mark` with the byte offset of each pixel that a region changes, in an image of one byte a pixel. */
const forEachCovered = (region: Region, plan: RedactionPlan, mark: (pixel: number) => void): void => {
  const { box, alpha } = coverRegion(region, plan);
  const width = boxWidth(box);
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue;
    const x = i % width;
    mark((box.y1 + (i - x) / width) * plan.width + box.x1 + x);
  }
};

const renderBinary = (plan: RedactionPlan): PngPixels => {
  const data = new Uint8Array(plan.width * plan.height);
  for (const region of plan.regions) {
    forEachCovered(region, plan, (pixel) => {
      data[pixel] = 255;
    });
  }
  return { width: plan.width, height: plan.height, channels: 1, data };
};

const renderInstance = (plan: RedactionPlan): PngPixels => {
  const data = new Uint8Array(plan.width * plan.height * 3);
  for (const region of plan.regions) {
    const [, green, blue] = instanceColor(region);
    forEachCovered(region, plan, (pixel) => {
      data[3 * pixel + 1] = (data[3 * pixel + 1] as number) | green;
      data[3 * pixel + 2] = (data[3 * pixel + 2] as number) | blue;
    });
  }
  return { width: plan.width, height: plan.height, channels: 3, data };
};

/** Nearest neighbour: a mask's values are names, and names have no mean. */
const scaleDown = (mask: PngPixels, percent: number): PngPixels => {
  if (percent === 100) return mask;
  const width = Math.max(1, Math.round((mask.width * percent) / 100));
  const height = Math.max(1, Math.round((mask.height * percent) / 100));
  const { channels } = mask;
  const data = new Uint8Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const fromRow = Math.min(mask.height - 1, Math.floor(((y + 0.5) * mask.height) / height)) * mask.width;
    for (let x = 0; x < width; x++) {
      const from =
        (fromRow + Math.min(mask.width - 1, Math.floor(((x + 0.5) * mask.width) / width))) * channels;
      for (let c = 0; c < channels; c++) data[(y * width + x) * channels + c] = mask.data[from + c] as number;
    }
  }
  return { width, height, channels, data };
};

/**
 * Draws a plan as a mask: white, or each object's colour joined by OR, exactly where pixels are changed.
 *
 * @param scalePercent above 0 to 100
 */
export const renderMask = (plan: RedactionPlan, kind: MaskKind, scalePercent: number): PngPixels =>
  scaleDown(kind === 'binary' ? renderBinary(plan) : renderInstance(plan), scalePercent);
