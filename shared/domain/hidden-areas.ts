import type { HidingMethod } from '../catalogue/methods';
import type { Box, ImagePoint } from './boxes';
import { UnreadableFile } from './failure';
import type { Size } from './raster';

/** Sides of a box, or the corners of a polygon in their order. */
type AreaShape =
  | {
      readonly topLeftX: number;
      readonly topLeftY: number;
      readonly width: number;
      readonly height: number;
    }
  | { readonly points: readonly ImagePoint[] };

/**
 * An area that is hidden whatever is found there, as requests and reports have it.
 * An image is hidden there whether there are times or not.
 */
export type HiddenArea = AreaShape & {
  /** Lengths are shares of the sides of the upright image; absent: px. */
  readonly unit?: 'fraction';
  /** In seconds of a video; absent: its beginning. */
  readonly start?: number;
  /** In seconds, exclusive; absent: the end of the video. */
  readonly end?: number;
  /** Absent: that of the image. */
  readonly method?: HidingMethod;
  /** Why it is hidden: a code. */
  readonly reason?: string;
};

/** The corners of an area, in its own unit. */
export const cornersOf = (area: AreaShape): readonly ImagePoint[] => {
  if ('points' in area) return area.points;
  const { topLeftX: x, topLeftY: y, width, height } = area;
  return [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ];
};

/** The corners of an area, in px of an image. */
export const cornersIn = (area: HiddenArea, { width, height }: Size): readonly ImagePoint[] =>
  area.unit === 'fraction'
    ? cornersOf(area).map(([x, y]) => [x * width, y * height] as const)
    : cornersOf(area);

export const boundsOf = (corners: readonly ImagePoint[]): Box => {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

/** On which side of the line from `a` to `b` a point lies; 0 on it. */
const sideOf = ([ax, ay]: ImagePoint, [bx, by]: ImagePoint, [x, y]: ImagePoint): number =>
  Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));

/** Whether sides of a polygon cross each other: then its inside is not what its author thinks. */
export const isCrossing = (corners: readonly ImagePoint[]): boolean => {
  const at = (i: number): ImagePoint => corners[i % corners.length] as ImagePoint;
  return corners.some((a, i) =>
    corners.slice(0, i).some((c, j) => {
      const [b, d] = [at(i + 1), at(j + 1)];
      return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
    }),
  );
};

/**
 * Refuses areas that hide nothing: the image has another size than their author thinks.
 *
 * @throws UnreadableFile
 */
export const requireInside = (areas: readonly HiddenArea[], size: Size): void => {
  const outside = areas.findIndex((area) => {
    const { x1, y1, x2, y2 } = boundsOf(cornersIn(area, size));
    return x1 >= size.width || y1 >= size.height || x2 <= 0 || y2 <= 0;
  });
  if (outside === -1) return;
  throw new UnreadableFile(
    `\`hides[${outside}]\` lies outside the image, which has ${size.width} × ${size.height} pixels.`,
  );
};
