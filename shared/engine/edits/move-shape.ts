import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import { type ImagePoint, mapBetween } from '../../domain/edits/edits';
import type { Shape } from '../../domain/plan';

/** Differences below this, in px, are rounding errors. */
const SAME_PX = 1e-6;

const isSameSize = (a: Box, b: Box): boolean =>
  Math.abs(boxWidth(a) - boxWidth(b)) < SAME_PX && Math.abs(boxHeight(a) - boxHeight(b)) < SAME_PX;

const mapBox = ({ x1, y1, x2, y2 }: Box, map: (place: ImagePoint) => ImagePoint): Box => {
  const [left, top] = map([x1, y1]);
  const [right, bottom] = map([x2, y2]);
  return { x1: left, y1: top, x2: right, y2: bottom };
};

/**
 * Moves and stretches a shape with its box.
 *
 * @returns undefined for a mask that would have to be stretched
 */
export const moveShape = (shape: Shape, from: Box, to: Box): Shape | undefined => {
  const map = mapBetween(from, to);
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
