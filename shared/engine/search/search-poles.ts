import { type Box, boxArea, intersectionArea } from '../../domain/boxes';
import { POLES, type Detection } from '../../domain/detection';
import type { Raster } from '../../domain/raster';
import { OBJECT_CLASSES } from '../../catalogue/classes';
import { PIECES } from '../fusion/fusion-limits';
import { mergeDetections } from '../fusion/merge';
import {
  boundsFromView,
  boundsInView,
  CAP_RADIANS,
  nearestDistance,
  viewRenderer,
  viewSide,
  type PoleView,
} from '../pixels/pole-view';
import { createPyramid, type Pyramid } from '../pixels/pyramid';
import { turnUpright, type Turn } from '../pixels/upright';

/** Searches an image that is no panorama. */
type SearchView = (view: Pyramid) => Promise<readonly Detection[]>;

/** Around a pole people stand in all directions: each is upright, or nearly so, in one of these. */
const ROTATIONS = [0, 90, 180, 270] as const satisfies readonly Turn['rotation'][];

/** Converts a box of a turned view back. @param side of the view, px */
const turnBack = ({ x1, y1, x2, y2 }: Box, rotation: Turn['rotation'], side: number): Box => {
  switch (rotation) {
    case 0:
      return { x1, y1, x2, y2 };
    case 90:
      return { x1: y1, y1: side - x2, x2: y2, y2: side - x1 };
    case 180:
      return { x1: side - x2, y1: side - y2, x2: side - x1, y2: side - y1 };
    case 270:
      return { x1: side - y2, y1: x1, x2: side - y1, y2: x2 };
  }
};

/** Searches one pole. @returns detections in px of its view, merged over its rotations */
const searchPole = async (raster: Raster, view: PoleView, search: SearchView): Promise<Detection[]> => {
  const upright = viewRenderer(view)(raster);
  const side = viewSide(view.size);
  const found: Detection[] = [];
  for (const rotation of ROTATIONS) {
    const turned = turnUpright(upright, { rotation, flip: false }, (bytes) => new ArrayBuffer(bytes));
    for (const { objectClass, score, box } of await search(createPyramid(turned))) {
      found.push({ objectClass, score, box: turnBack(box, rotation, side) });
    }
  }
  const uncut = found
    .filter(({ box }) => nearestDistance(view, box) <= CAP_RADIANS)
    .map((one) => ({ ...one, cut: { x: false, y: false } }));
  return mergeDetections(uncut, side, side);
};

/** A box that ends this close to the edge of a view, in px, continues beyond it. */
const EDGE_PX = 2;

const isCutByView = ({ x1, y1, x2, y2 }: Box, side: number): boolean =>
  Math.min(x1, y1) <= EDGE_PX || Math.max(x2, y2) >= side - EDGE_PX;

const isInside = (part: Box, whole: Box): boolean =>
  intersectionArea(part, whole) >= PIECES.inside * boxArea(part);

/**
 * Drops what was found twice: a detection of the panorama that lies in one of the view, and a part at the edge of the
 * view that lies in one of the panorama. In doubt both are kept, and both are hidden.
 */
const withoutRepeats = (
  found: readonly Detection[],
  atPole: readonly Detection[],
  view: PoleView,
): Detection[] => {
  const inView = found.map((one) => ({ one, box: one.atPole ? undefined : boundsInView(view, one.box) }));
  const side = viewSide(view.size);
  const isSame = (a: Detection, b: Detection): boolean => a.objectClass === b.objectClass;
  const kept = atPole.filter(
    (part) =>
      !isCutByView(part.box, side) ||
      !inView.some(({ one, box }) => box && isSame(one, part) && isInside(part.box, box)),
  );
  return [
    ...inView
      .filter(({ one, box }) => !box || !kept.some((other) => isSame(one, other) && isInside(box, other.box)))
      .map(({ one }) => one),
    ...kept.map((one) => ({
      ...one,
      box: boundsFromView(view, one.box),
      atPole: { pole: view.pole, box: one.box },
    })),
  ];
};

/**
 * Searches the top and bottom 30° of a panorama in the views of its poles, where a face over the camera or the
 * operator's is not distorted.
 *
 * @param found in the panorama
 * @param search with the options of the panorama, for an image that is none
 * @returns classes in their fixed order; detections at a pole have their place in its view
 */
export const withPoles = async (
  { level, width, height }: Pyramid,
  found: readonly Detection[],
  search: SearchView,
): Promise<Detection[]> => {
  let all = [...found];
  for (const pole of POLES) {
    const view = { pole, size: { width, height } };
    all = withoutRepeats(all, await searchPole(level(0), view, search), view);
  }
  return OBJECT_CLASSES.flatMap((name) => all.filter(({ objectClass }) => objectClass === name));
};
