import { boxHeight, boxWidth, type Box, type Size } from '../../domain/boxes';
import { type Stroke, mapBetween, outlineBounds } from '../../domain/edits/edits';
import type { Shape } from '../../domain/plan';
import type { DrawnPlace } from './follow-drawn';
import { strokeShape } from './stroke';

/** Maximum distance in px by which a side of `outer` lies outside of `inner`; at least 0. */
const overhang = (outer: Box, inner: Box): number =>
  Math.max(0, inner.x1 - outer.x1, inner.y1 - outer.y1, outer.x2 - inner.x2, outer.y2 - inner.y2);

/** A stroke, moved and stretched from one box to another: its brush covers the stretched brush. */
const moveStroke = ({ points, radius }: Stroke, from: Box, to: Box): Omit<Stroke, 'shape'> => {
  const scale = Math.max(boxWidth(to) / boxWidth(from), boxHeight(to) / boxHeight(from));
  return { points: points.map(mapBetween(from, to)), radius: radius * scale };
};

/**
 * The shape that hides a drawn area at the place to which it was followed.
 *
 * A stretched stroke would miss pixels of the original one. Therefore it is moved to the place at which it was
 * recognised, and its brush grows by the margin of the box.
 *
 * @param box to hide, with its padding
 * @returns undefined if all of it lies outside the frame
 */
export const followedShape = ({ area, seen }: DrawnPlace, box: Box, size: Size): Shape | undefined => {
  if (area.shape !== 'stroke') return { kind: area.shape, box };
  const { points, radius } = moveStroke(area, outlineBounds(area), seen);
  return strokeShape({ points, radius: radius + overhang(box, seen) }, size);
};
