import { boxWidth, moveBox, type Box } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { PIECES } from './fusion-limits';

/** A box that ends this close to a panorama's edge, in px, continues beyond it. */
const EDGE_PX = 2;

const sharedHeight = (a: Box, b: Box): number =>
  (Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1)) / Math.min(a.y2 - a.y1, b.y2 - b.y1);

/**
 * Joins the two parts of each object that a panorama's seam cuts: its box begins at the left part's place and ends
 * beyond the right edge. What belongs to one part alone (corners, masks) is dropped.
 *
 * @param width of the panorama, px
 */
export const joinAtSeam = (detections: readonly Detection[], width: number): Detection[] => {
  const continued = new Set<Detection>();
  const wholes = new Map<Detection, Detection>();
  const isOverWidth = ({ box }: Detection): boolean => boxWidth(box) >= width - 2 * EDGE_PX;
  for (const before of detections) {
    if (before.box.x2 < width - EDGE_PX || isOverWidth(before)) continue;
    const after = detections
      .filter((one) => one.objectClass === before.objectClass && one.box.x1 <= EDGE_PX && !isOverWidth(one))
      .filter((one) => !continued.has(one) && sharedHeight(one.box, before.box) >= PIECES.alignment)
      .sort((a, b) => sharedHeight(b.box, before.box) - sharedHeight(a.box, before.box))[0];
    if (!after || after.box.x2 >= before.box.x1) continue;
    continued.add(after);
    wholes.set(before, {
      objectClass: before.objectClass,
      score: Math.max(before.score, after.score),
      box: {
        x1: before.box.x1,
        y1: Math.min(before.box.y1, after.box.y1),
        x2: after.box.x2 + width,
        y2: Math.max(before.box.y2, after.box.y2),
      },
    });
  }
  return detections.filter((one) => !continued.has(one)).map((one) => wholes.get(one) ?? one);
};

/**
 * Splits a detection that reaches over a panorama's right edge into its parts inside the panorama, each with the whole
 * next to it, so that both are hidden alike.
 */
export const splitAtSeam = <T extends Detection>(detection: T, width: number): T[] => {
  const { box } = detection;
  if (box.x2 <= width) return [detection];
  const whole = box;
  return [
    { ...detection, box: { ...box, x2: width }, whole },
    { ...detection, box: { ...moveBox(box, -width, 0), x1: 0 }, whole: moveBox(whole, -width, 0) },
  ];
};
