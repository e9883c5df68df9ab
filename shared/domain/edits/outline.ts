import { boxHeight, boxWidth, toBbox, toBox, type Box } from '../boxes';
import type { DrawnShape, ImagePoint, Stroke } from './edits';

/** The box around a stroke, with its radius. */
export const strokeBounds = ({ points, radius }: Omit<Stroke, 'shape'>): Box => {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return {
    x1: Math.min(...xs) - radius,
    y1: Math.min(...ys) - radius,
    x2: Math.max(...xs) + radius,
    y2: Math.max(...ys) + radius,
  };
};

/** The box around a drawn shape. */
export const outlineBounds = (outline: DrawnShape): Box =>
  outline.shape === 'stroke' ? strokeBounds(outline) : toBox(outline.bbox);

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
export const moveOutline = <Shape extends DrawnShape>(outline: Shape, to: Box): Shape => {
  if (outline.shape !== 'stroke') return { ...outline, bbox: toBbox(to) };
  const { radius } = outline;
  const map = mapBetween(shrink(strokeBounds(outline), radius), shrink(to, radius));
  return { ...outline, points: outline.points.map(map) };
};
