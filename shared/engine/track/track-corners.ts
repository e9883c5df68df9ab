import { type Box, boxHeight, boxWidth } from '../../domain/boxes';
import { type Corner, type Corners, type Detection, cornerBounds, mapCorners } from '../../domain/detection';
import { smallestQuadrilateral } from '../heads/text-quadrilateral';

/** Moves corners along with their box. */
export const moveCorners = (corners: Corners, from: Box, to: Box): Corners =>
  mapCorners(corners, ([x, y]) => [
    to.x1 + ((x - from.x1) * boxWidth(to)) / boxWidth(from),
    to.y1 + ((y - from.y1) * boxHeight(to)) / boxHeight(from),
  ]);

/** Whether a detection keeps its corners where it is not detected: the box around a turned line hides much more. */
const keepsCorners = ({ objectClass, corners }: Detection): boolean =>
  objectClass === 'text' && corners !== undefined;

/**
 * A detection whose box is enlarged, or joined with other places.
 *
 * Corners are dropped, because they would leave the added part visible. Text gets the smallest rectangle around its
 * corners at all places.
 *
 * @param boxes the detection's box at its other places
 */
export const enlarge = (detection: Detection, box: Box, boxes: readonly Box[] = [box]): Detection => {
  const { corners, ...boxed } = detection;
  if (!corners || !keepsCorners(detection)) return { ...boxed, box };
  const moved = boxes.flatMap((to) => moveCorners(corners, detection.box, to));
  return { ...boxed, box, corners: smallestQuadrilateral([...corners, ...moved]) };
};

/** A detection at another place of its track, found by its template. */
export const atTemplate = (detection: Detection, box: Box): Detection => {
  const { corners, ...boxed } = detection;
  return corners && keepsCorners(detection)
    ? { ...boxed, box, corners: moveCorners(corners, detection.box, box) }
    : { ...boxed, box };
};

/** The box of a detection, around its quadrilateral where it has one of its own. */
export const boundsOf = (detection: Detection): Box =>
  detection.corners && keepsCorners(detection) ? cornerBounds(detection.corners) : detection.box;

const TURNS = [0, 1, 2, 3] as const;

/** The same rectangle, with the corner first that is nearest to another's first: at 45°, the upper left one changes. */
const alignTo = (corners: Corners, [[x, y]]: Corners): Corners => {
  const distance = (turn: number): number => {
    const [cx, cy] = corners[turn] as Corner;
    return Math.hypot(cx - x, cy - y);
  };
  const first = TURNS.reduce<number>((best, turn) => (distance(turn) < distance(best) ? turn : best), 0);
  const at = (i: number): Corner => corners[(first + i) % 4] as Corner;
  return [at(0), at(1), at(2), at(3)];
};

const mix = ([ax, ay]: Corner, [bx, by]: Corner, share: number): Corner => [
  ax + (bx - ax) * share,
  ay + (by - ay) * share,
];

/** The corners between two hits, by linear interpolation. @param share of the way from the first to the second */
export const cornersBetween = (a: Corners, b: Corners, share: number, isText: boolean): Corners => {
  const last = isText ? alignTo(b, a) : b;
  return [
    mix(a[0], last[0], share),
    mix(a[1], last[1], share),
    mix(a[2], last[2], share),
    mix(a[3], last[3], share),
  ];
};
