import { boxHeight, boxWidth, type Box } from '../boxes';
import type { DrawnShape, ImagePoint } from './edits';

export type Stroke = Extract<DrawnShape, { readonly kind: 'stroke' }>;

/** The box around a stroke, with its radius. */
export const strokeBounds = ({ points, radiusPx }: Omit<Stroke, 'kind'>): Box => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    x1: Math.min(...xs) - radiusPx,
    y1: Math.min(...ys) - radiusPx,
    x2: Math.max(...xs) + radiusPx,
    y2: Math.max(...ys) + radiusPx,
  };
};

/** The box around a drawn shape. */
export const outlineBounds = (outline: DrawnShape): Box =>
  outline.kind === 'stroke' ? strokeBounds(outline) : outline.box;

/** Maps points of one box to the same relative points of another. A side of length 0 is moved and not scaled. */
export const mapBetween = (from: Box, to: Box): ((place: ImagePoint) => ImagePoint) => {
  const scaleX = boxWidth(from) > 0 ? boxWidth(to) / boxWidth(from) : 1;
  const scaleY = boxHeight(from) > 0 ? boxHeight(to) / boxHeight(from) : 1;
  return ([x, y]) => [to.x1 + (x - from.x1) * scaleX, to.y1 + (y - from.y1) * scaleY];
};

const shrink = ({ x1, y1, x2, y2 }: Box, by: number): Box => ({
  x1: Math.min(x1 + by, (x1 + x2) / 2),
  y1: Math.min(y1 + by, (y1 + y2) / 2),
  x2: Math.max(x2 - by, (x1 + x2) / 2),
  y2: Math.max(y2 - by, (y1 + y2) / 2),
});

/** A drawn shape, moved and stretched to fill another box; a brush keeps its radius. */
export const moveOutline = (outline: DrawnShape, to: Box): DrawnShape => {
  if (outline.kind !== 'stroke') return { ...outline, box: to };
  const { radiusPx } = outline;
  const map = mapBetween(shrink(strokeBounds(outline), radiusPx), shrink(to, radiusPx));
  return { ...outline, points: outline.points.map(map) };
};
