import type { Corner, Corners } from '../../domain/boxes';

/** Twice the signed area between the edge from `a` to `b` and a point; above 0 on the inner side, clockwise. */
const sideOf = ([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): number =>
  (bx - ax) * (y - ay) - (by - ay) * (x - ax);

/** The area of a polygon, by the shoelace formula. */
export const polygonArea = (corners: readonly Corner[]): number => {
  const doubled = corners.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length] as Corner;
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(doubled) / 2;
};

/** Where the line through `a` and `b` crosses the edge from `from` to `to`, whose ends lie on different sides of it. */
const crossing = (a: Corner, b: Corner, from: Corner, to: Corner): Corner => {
  const [before, after] = [sideOf(a, b, from), sideOf(a, b, to)];
  const share = before / (before - after);
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
};

const cutBy = (polygon: readonly Corner[], a: Corner, b: Corner): Corner[] =>
  polygon.flatMap((corner, i) => {
    const previous = polygon.at(i - 1) as Corner;
    const isInside = sideOf(a, b, corner) >= 0;
    const enters = isInside !== sideOf(a, b, previous) >= 0;
    return [...(enters ? [crossing(a, b, previous, corner)] : []), ...(isInside ? [corner] : [])];
  });

/** The area that two convex quadrilaterals share (Sutherland and Hodgman 1974); corners are in clockwise order. */
export const sharedArea = (subject: Corners, clip: Corners): number =>
  polygonArea(
    clip.reduce<readonly Corner[]>(
      (polygon, corner, i) => cutBy(polygon, corner, clip[(i + 1) % 4] as Corner),
      subject,
    ),
  );
