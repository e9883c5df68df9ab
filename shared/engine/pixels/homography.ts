import type { Corner, Corners } from '../../domain/detection';

/** A projective map of the plane. */
type PlaneMap = (point: Corner) => Corner;

/**
 * The projection of the unit square onto a quadrilateral: (0, 0) becomes its first corner, (1, 0) the second, (1, 1) the
 * third.
 *
 * @see Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, section 2.2.3
 */
export const squareToCorners = ([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]: Corners): PlaneMap => {
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const divisor = dx1 * dy2 - dx2 * dy1;
  const g = (dx3 * dy2 - dx2 * dy3) / divisor;
  const h = (dx1 * dy3 - dx3 * dy1) / divisor;
  const [a, b] = [x1 - x0 + g * x1, x3 - x0 + h * x3];
  const [d, e] = [y1 - y0 + g * y1, y3 - y0 + h * y3];
  return ([u, v]) => {
    const w = g * u + h * v + 1;
    return [(a * u + b * v + x0) / w, (d * u + e * v + y0) / w];
  };
};
