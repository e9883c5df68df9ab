import { boxHeight, boxWidth, type Box } from './boxes';
import type { Outline, Place } from './edits';
import type { Shape } from './plan';
import { strokeBounds } from './stroke';

/** Less of a difference, in px, is one of rounding. */
const SAME_PX = 1e-6;

const isSameSize = (a: Box, b: Box): boolean =>
  Math.abs(boxWidth(a) - boxWidth(b)) < SAME_PX && Math.abs(boxHeight(a) - boxHeight(b)) < SAME_PX;

/** Takes places in one box to the same shares of another; a side without length is moved alone. */
const mapping = (from: Box, to: Box): ((place: Place) => Place) => {
  const scaleX = boxWidth(from) > 0 ? boxWidth(to) / boxWidth(from) : 1;
  const scaleY = boxHeight(from) > 0 ? boxHeight(to) / boxHeight(from) : 1;
  return ([x, y]) => [to.x1 + (x - from.x1) * scaleX, to.y1 + (y - from.y1) * scaleY];
};

const mapBox = ({ x1, y1, x2, y2 }: Box, map: (place: Place) => Place): Box => {
  const [left, top] = map([x1, y1]);
  const [right, bottom] = map([x2, y2]);
  return { x1: left, y1: top, x2: right, y2: bottom };
};

/**
 * A shape moved and stretched along with the box it belongs to.
 *
 * @returns undefined for an outline of pixels that would have to be stretched
 */
export const moveShape = (shape: Shape, from: Box, to: Box): Shape | undefined => {
  const map = mapping(from, to);
  switch (shape.kind) {
    case 'box':
    case 'ellipse':
    case 'superellipse':
      return { ...shape, box: mapBox(shape.box, map) };
    case 'quad':
      return { ...shape, corners: shape.corners.map(map) };
    case 'runs': {
      if (!isSameSize(from, to)) return undefined;
      const [dx, dy] = [Math.round(to.x1 - from.x1), Math.round(to.y1 - from.y1)];
      const { x1, y1, x2, y2 } = shape.box;
      return { ...shape, box: { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy } };
    }
  }
};

/** The box that holds what was drawn. */
export const outlineBounds = (outline: Outline): Box =>
  outline.kind === 'stroke' ? strokeBounds(outline) : outline.box;

const shrink = ({ x1, y1, x2, y2 }: Box, by: number): Box => ({
  x1: Math.min(x1 + by, (x1 + x2) / 2),
  y1: Math.min(y1 + by, (y1 + y2) / 2),
  x2: Math.max(x2 - by, (x1 + x2) / 2),
  y2: Math.max(y2 - by, (y1 + y2) / 2),
});

/** What was drawn, moved and stretched to fill another box; a brush keeps its radius. */
export const moveOutline = (outline: Outline, to: Box): Outline => {
  if (outline.kind !== 'stroke') return { ...outline, box: to };
  const { radiusPx } = outline;
  const map = mapping(shrink(strokeBounds(outline), radiusPx), shrink(to, radiusPx));
  return { ...outline, points: outline.points.map(map) };
};
