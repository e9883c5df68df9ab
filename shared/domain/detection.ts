import type { ObjectClass } from '../catalogue/classes';
import type { Box } from './boxes';

/** The mask of one object as its detector outputs it, on a grid coarser than the image. */
export interface DetectorMask {
  /** Probability 0..1 that a cell belongs to the object, row by row. */
  readonly data: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** The grid's upper left corner, in px of the same frame as the object's box. */
  readonly x: number;
  readonly y: number;
  /** Cells per px of that frame. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** Upper left, upper right, lower right and lower left corner, in px of the same frame as the object's box. */
export type Corners = readonly [Corner, Corner, Corner, Corner];
export type Corner = readonly [x: number, y: number];

/** The upper and the lower end of an equirectangular panorama: straight up, and straight down. */
export const POLES = ['top', 'bottom'] as const;
export type Pole = (typeof POLES)[number];

/** A place in the view of a pole (`engine/pixels/pole-view.ts`), in px of the view. */
export interface PolePlace {
  readonly pole: Pole;
  readonly box: Box;
}

/** One object found in the upright image: its class, box and score. */
export interface Detection {
  readonly objectClass: ObjectClass;
  /** Calibrated so that the API's default thresholds are the model's best operating point; 0..1. */
  readonly score: number;
  readonly box: Box;
  /** Corners of a flat, tilted object, from detectors that report them; they may lie outside the image. */
  readonly corners?: Corners;
  /**
   * Masks of the object, from detectors that output them: one for each detection merged into it. They are valid only
   * in this video frame and at this place.
   */
  readonly masks?: readonly DetectorMask[];
  /** The object of which this is the part at one edge of a panorama's seam, in px: it continues beyond the edge. */
  readonly whole?: Box;
  /** Where it lies in the view of a pole, if it was found there; `box` is around it in the panorama. */
  readonly atPole?: PolePlace;
}

/** Where a tracked object is predicted. */
export type Expected = Pick<Detection, 'objectClass' | 'box'>;

/** Moves each corner. */
export const mapCorners = ([a, b, c, d]: Corners, move: (corner: Corner) => Corner): Corners => [
  move(a),
  move(b),
  move(c),
  move(d),
];

/** The smallest axis-parallel box around corners, in the same frame. */
export const cornerBounds = (corners: Corners): Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'> => {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

/** Turns a point about a centre. @param angle clockwise in the image, in radians */
export const rotateAround = ([x, y]: Corner, [centreX, centreY]: Corner, angle: number): Corner => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [right, down] = [x - centreX, y - centreY];
  return [centreX + cos * right - sin * down, centreY + sin * right + cos * down];
};

const cross = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  (bx - ax) * (cy - by) - (by - ay) * (cx - bx);

/** Whether corners form a convex quadrilateral in clockwise order; crossed or dented ones are refused. */
export const areConvex = ([a, b, c, d]: Corners): boolean =>
  cross(a, b, c) > 0 && cross(b, c, d) > 0 && cross(c, d, a) > 0 && cross(d, a, b) > 0;

const between = ([ax, ay]: Corner, [bx, by]: Corner): Corner => [(ax + bx) / 2, (ay + by) / 2];

/** Direction and distance from `a` to `b`, in px. */
const way = ([ax, ay]: Corner, [bx, by]: Corner): { readonly unit: Corner; readonly length: number } => {
  const length = Math.hypot(bx - ax, by - ay);
  return { unit: length > 0 ? [(bx - ax) / length, (by - ay) / length] : [0, 0], length };
};

/** Length of the shorter pair of edges, as the mean of both: the height of a line of text, whatever its direction. */
export const shorterEdge = ([a, b, c, d]: Corners): number =>
  Math.min(way(a, b).length + way(c, d).length, way(b, c).length + way(d, a).length) / 2;

/**
 * Grows a quadrilateral along its own axes, so that a tilted object gets the same margin as a level one.
 *
 * @param along margin at the left and right end, as a multiple of its height
 * @param across margin at the upper and lower edge, as a multiple of its height
 */
export const growCorners = (corners: Corners, along: number, across: number): Corners => {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = corners;
  const right = way(between(upperLeft, lowerLeft), between(upperRight, lowerRight));
  const down = way(between(upperLeft, upperRight), between(lowerLeft, lowerRight));
  const shift = ([x, y]: Corner, sideways: number, upright: number): Corner => [
    x + (sideways * along * right.unit[0] + upright * across * down.unit[0]) * down.length,
    y + (sideways * along * right.unit[1] + upright * across * down.unit[1]) * down.length,
  ];
  return [
    shift(upperLeft, -1, -1),
    shift(upperRight, 1, -1),
    shift(lowerRight, 1, 1),
    shift(lowerLeft, -1, 1),
  ];
};
