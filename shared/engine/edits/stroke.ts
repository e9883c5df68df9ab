import {
  boxArea,
  boxHeight,
  boxWidth,
  clipBox,
  outerPixels,
  type Box,
  type ImagePoint,
} from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import { type Stroke, strokeBounds } from '../../domain/edits/edits';
import type { RedactionPlan, Shape } from '../../domain/plan';
import { encodeRuns } from '../pixels/runs';

/** Half the diagonal of a pixel: the maximum distance from the brush to the centre of a pixel that it touches. */
const TOUCH_PX = Math.SQRT1_2;

/** Squared distance of a point from the line segment between two others. */
const squaredDistance = (x: number, y: number, [ax, ay]: ImagePoint, [bx, by]: ImagePoint): number => {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return (x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2;
};

/** Sets every pixel of a mask that a brush touches on its way. @param window of the mask, whole px */
export const fillSegment = (
  mask: Uint8Array,
  window: Box,
  [from, to]: readonly [ImagePoint, ImagePoint],
  radius: number,
): void => {
  const width = boxWidth(window);
  const reach = radius + TOUCH_PX;
  const part = outerPixels(strokeBounds({ points: [from, to], radius: reach }));
  for (let y = Math.max(part.y1, window.y1); y < Math.min(part.y2, window.y2); y++) {
    const row = (y - window.y1) * width - window.x1;
    for (let x = Math.max(part.x1, window.x1); x < Math.min(part.x2, window.x2); x++) {
      if (squaredDistance(x + 0.5, y + 0.5, from, to) <= reach * reach) mask[row + x] = 1;
    }
  }
};

/**
 * Converts a brush stroke to a shape: every pixel that the brush touches.
 *
 * The result is a shape of kind `runs`, not of a new kind, so that other versions can read stored plans.
 *
 * @returns undefined if all of it lies outside the image
 */
export const strokeShape = (
  stroke: Omit<Stroke, 'shape'>,
  { width, height, wraps }: Size & Pick<RedactionPlan, 'wraps'>,
): Extract<Shape, { kind: 'runs' }> | undefined => {
  const bounds = strokeBounds(stroke);
  const inside = clipBox(bounds, width, height);
  // In a panorama it goes on at the other edge.
  const box = outerPixels(wraps ? { ...inside, x1: bounds.x1, x2: bounds.x2 } : inside);
  if (boxArea(box) === 0) return undefined;
  const mask = new Uint8Array(boxWidth(box) * boxHeight(box));
  stroke.points.forEach((point, i) => {
    fillSegment(mask, box, [stroke.points[i - 1] ?? point, point], stroke.radius);
  });
  return { kind: 'runs', box, runs: encodeRuns(mask) };
};
