import type { ImagePoint } from '#shared/domain/boxes';
import { isCrossing } from '#shared/domain/hidden-areas';
import type { Point } from '../stage/view-geometry';
import type { ShownImage } from './box-geometry';

/** Corners of a polygon that is being drawn, in px of the image. */
export type Corners = readonly ImagePoint[];

/** A press this near to the first corner closes the polygon, in px of the screen. */
const CLOSING_SCREEN_PX = 12;
const MIN_CORNERS = 3;

export const canClose = (corners: Corners): boolean => corners.length >= MIN_CORNERS && !isCrossing(corners);

/** @returns the corners with one more at a point; `closed` where the press closes the polygon */
export const withCorner = (corners: Corners, { x, y }: Point, image: ShownImage): Corners | 'closed' => {
  const [first] = corners;
  const isFirst = first && Math.hypot(x - first[0], y - first[1]) < CLOSING_SCREEN_PX * image.pxPerScreenPx;
  if (isFirst && corners.length >= MIN_CORNERS) return 'closed';
  return isFirst ? corners : [...corners, [Math.round(x), Math.round(y)]];
};
