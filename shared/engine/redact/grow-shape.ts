import { type Box, boxArea, boxHeight, boxWidth, growBox, outerPixels } from '../../domain/boxes';
import type { RedactionPlan, Shape } from '../../domain/plan';
import { shapeBounds } from '../masks/fill-shape';
import { encodeRuns, forEachRun } from '../pixels/runs';

type PlanSize = Pick<RedactionPlan, 'width' | 'height' | 'wraps'>;

/** The share of its sides by which a box grows at each of them. */
const shareOf = (factor: number): number => (factor - 1) / 2;

export const growByMargin = (box: Box, factor: number): Box => growBox(box, shareOf(factor));

/** Covers each pixel that has a covered one at most `reach` px above it in its column, or below it. */
const spreadInColumns = (mask: Uint8Array, width: number, reach: number): Uint8Array => {
  const spread = new Uint8Array(mask.length);
  const height = mask.length / width;
  for (const isUp of [false, true]) {
    const left = new Int32Array(width);
    for (let i = 0; i < height; i++) {
      const row = (isUp ? height - 1 - i : i) * width;
      for (let x = 0; x < width; x++) {
        if (mask[row + x] === 1) left[x] = reach + 1;
        if (left[x]! > 0) {
          spread[row + x] = 1;
          left[x]!--;
        }
      }
    }
  }
  return spread;
};

/** Spreads a mask as far as its bounds grow: an object's outline has no middle about which it could be stretched. */
const growMask = (
  { box, runs }: Extract<Shape, { kind: 'runs' }>,
  grown: Box,
  { width, height, wraps }: PlanSize,
): Shape => {
  const whole = outerPixels(grown);
  const [reachX, reachY] = [box.x1 - whole.x1, box.y1 - whole.y1];
  const across = wraps ? whole : { x1: Math.max(whole.x1, 0), x2: Math.min(whole.x2, width) };
  const to = { ...across, y1: Math.max(whole.y1, 0), y2: Math.min(whole.y2, height) };
  const [fromWidth, toWidth] = [boxWidth(box), boxWidth(to)];
  const mask = new Uint8Array(boxArea(to));
  forEachRun(runs, (start, end) => {
    for (let at = start; at < end;) {
      const row = Math.floor(at / fromWidth);
      const rowEnd = Math.min(end, (row + 1) * fromWidth);
      const y = box.y1 + row - to.y1;
      const shift = box.x1 - row * fromWidth - to.x1;
      const [from, until] = [Math.max(0, at + shift - reachX), Math.min(toWidth, rowEnd + shift + reachX)];
      if (y >= 0 && y < boxHeight(to)) mask.fill(1, y * toWidth + from, y * toWidth + until);
      at = rowEnd;
    }
  });
  return { kind: 'runs', box: to, runs: encodeRuns(spreadInColumns(mask, toWidth, reachY)) };
};

/**
 * The shape, `factor` times as wide and as high about its middle (`margin` of a request); at most as wide as a
 * panorama, whose edges meet.
 */
export const growShape = (shape: Shape, factor: number, size: PlanSize): Shape => {
  if (factor === 1) return shape;
  const bounds = shapeBounds(shape);
  const widest = size.wraps ? Math.max(1, size.width / boxWidth(bounds)) : Infinity;
  const [byX, byY] = [Math.min(factor, widest), factor];
  if (shape.kind === 'quad') {
    const middle = (axis: 0 | 1): number =>
      shape.corners.reduce((sum, corner) => sum + corner[axis], 0) / shape.corners.length;
    const [mx, my] = [middle(0), middle(1)];
    const move = ([x, y]: readonly [number, number]) => [mx + byX * (x - mx), my + byY * (y - my)] as const;
    return { ...shape, corners: shape.corners.map(move) };
  }
  const grown = growBox(bounds, shareOf(byX), shareOf(byY));
  return shape.kind === 'runs' ? growMask(shape, grown, size) : { ...shape, box: grown };
};
