import { boxHeight, boxWidth, clipBox, growBox, shorterSide, type Box } from '../../domain/boxes';
import { areConvex, growCorners, shorterEdge } from '../../domain/corners';
import type { Detection } from '../../domain/detection';
import type { ObjectClass } from '../../domain/object-class';
import type { ImageOptions, Method } from '../../domain/options';
import type { RedactionPlan, Region, Shape } from '../../domain/plan';
import type { Size } from '../../domain/size';

/**
 * Redaction strength of a class. Lengths are shares of the object's box, so that near and far objects are hidden
 * equally.
 */
interface Strength {
  /**
   * Padding on each side, as a share of the box's sides: detectors' boxes end at the chin. The horizontal padding of a
   * plate and of text is a share of its height, because its last character sticks out equally far from short and long
   * ones. The quadrilaterals of text have a margin already (`text-quadrilateral.ts`).
   */
  readonly padding: readonly [x: number, y: number];
  /** Soft edge of `blur`, outside the padding, as a share of the shorter side. */
  readonly feather: number;
  /** Side of the averaged cells of `blur`: a share of the longer or shorter side, and at least `minPx`. */
  readonly blur: { readonly share: number; readonly of: 'longer' | 'shorter'; readonly minPx: number };
  /**
   * Cells of `pixelate` along the object's shorter side: at most 8 (spec), fewer where 8 would be recognisable; below 1
   * where a cell is longer than that side.
   */
  readonly cells: number;
}

/**
 * Blur: 0.35 of a face, 0.5 of a plate, 91 px for persons, 61 px for vehicles (spec/compatibility).
 *
 * Faces are pixelated by two cells: with three, an attack by the mean of eight frames recognised 7 of 60 persons
 * (`npm run eval:attack`); with two, 2 or 3, where chance gives 1. Their horizontal padding is 0.17: with 0.15, 1.0 %
 * of the pixels of detected faces stayed visible in the set `faces`; with 0.17, 0.7 % (`npm run eval`).
 */
const STRENGTH = {
  face: { padding: [0.17, 0.15], feather: 0.15, blur: { share: 0.35, of: 'longer', minPx: 4 }, cells: 2 },
  'license-plate': {
    padding: [0.3, 0.2],
    feather: 0.15,
    blur: { share: 0.5, of: 'longer', minPx: 8 },
    cells: 1,
  },
  person: {
    padding: [0.02, 0.02],
    feather: 0.03,
    blur: { share: 0.35, of: 'shorter', minPx: 91 },
    cells: 6,
  },
  vehicle: {
    padding: [0.03, 0.03],
    feather: 0.02,
    blur: { share: 0.35, of: 'shorter', minPx: 61 },
    cells: 8,
  },
  text: { padding: [0.2, 0.1], feather: 0.1, blur: { share: 3, of: 'shorter', minPx: 24 }, cells: 1 / 3 },
} as const satisfies Record<ObjectClass, Strength>;

/** Minimum side of a cell: smaller cells could show single source pixels of small objects. */
const MIN_CELL_PX = 4;
/**
 * Exponent of the superellipse for vehicles: closer to a car's contour than an ellipse (2), and it covers the corners.
 */
const VEHICLE_EXPONENT = 3;

/** The box of a detection with its padding. */
export const paddedBox = ({ objectClass, box }: Pick<Detection, 'objectClass' | 'box'>): Box => {
  const [x, y] = STRENGTH[objectClass].padding;
  return objectClass === 'license-plate' || objectClass === 'text'
    ? growBox(box, (x * boxHeight(box)) / boxWidth(box), y)
    : growBox(box, x, y);
};

/** A box that ends this close to the image's edge, in px, may belong to an object that continues beyond it. */
const EDGE_PX = 2;

const isCutByEdge = ({ x1, y1, x2, y2 }: Box, { width, height }: Size): boolean =>
  Math.min(x1, y1) <= EDGE_PX || x2 >= width - EDGE_PX || y2 >= height - EDGE_PX;

/**
 * The shape that hides a detection without a mask.
 *
 * For an object cut by the image's edge the whole box is hidden: it is wide at the edge, where an ellipse is narrow.
 */
export const defaultShape = (detection: Detection, size: Size): Shape => {
  const { objectClass, corners } = detection;
  // Text is as high at the edge as elsewhere, and the box around a turned line is much larger.
  if (objectClass === 'text' && corners && areConvex(corners)) return { kind: 'quad', corners };
  if (isCutByEdge(detection.box, size)) return { kind: 'box', box: paddedBox(detection) };
  switch (objectClass) {
    case 'face':
    case 'person':
      return { kind: 'ellipse', box: paddedBox(detection) };
    case 'vehicle':
      return { kind: 'superellipse', box: paddedBox(detection), exponent: VEHICLE_EXPONENT };
    case 'license-plate':
      return plateShape(detection);
    case 'text':
      return { kind: 'box', box: paddedBox(detection) };
  }
};

/** The quadrilateral of a plate with known corners, which hides less of the car than a box. */
const plateShape = (detection: Detection): Shape => {
  const { corners } = detection;
  const [along, across] = STRENGTH['license-plate'].padding;
  return corners && areConvex(corners)
    ? { kind: 'quad', corners: growCorners(corners, along, across) }
    : { kind: 'box', box: paddedBox(detection) };
};

/** The shorter side of an object; the height of a line of text, also of a turned one. */
const shorterSideOf = ({ objectClass, box, corners }: Detection): number =>
  objectClass === 'text' && corners ? shorterEdge(corners) : shorterSide(box);

const cellPx = (detection: Detection, method: Method): number => {
  const { blur, cells } = STRENGTH[detection.objectClass];
  const shorter = shorterSideOf(detection);
  if (method === 'pixelate') return Math.max(MIN_CELL_PX, shorter / cells);
  const longer = Math.max(boxWidth(detection.box), boxHeight(detection.box));
  return Math.max(blur.minPx, blur.share * (blur.of === 'longer' ? longer : shorter));
};

/** Plans the redaction of one detection. @param outline shape to hide, unless `wholeBoxes` is set */
export const planRegion = (
  detection: Detection,
  id: number,
  outline: Shape,
  options: Pick<ImageOptions, 'method' | 'wholeBoxes'>,
): Region => ({
  id,
  detection,
  shape: options.wholeBoxes ? { kind: 'box', box: paddedBox(detection) } : outline,
  featherPx:
    options.method === 'blur' && !options.wholeBoxes
      ? Math.max(2, Math.round(STRENGTH[detection.objectClass].feather * shorterSideOf(detection)))
      : 0,
  cellPx: cellPx(detection, options.method),
});

/** The detection as it is stored in a plan: its masks are left out, because the plan contains the shape. */
export const withoutOutlines = ({ outlines: _inShape, ...detection }: Detection): Detection => detection;

/**
 * Plans the redaction of all detections: shape, padding and strength of each.
 *
 * @param masks shapes from segmentation, by detection; detections without one get the default shape of their class
 */
export const planRedaction = (
  size: Size,
  detections: readonly Detection[],
  masks: ReadonlyMap<Detection, Shape>,
  options: ImageOptions,
): RedactionPlan => ({
  width: size.width,
  height: size.height,
  method: options.method,
  regions: detections.map((detection, id) => {
    const box = clipBox(detection.box, size.width, size.height);
    const inside = { ...withoutOutlines(detection), box };
    const own = options.method === 'detect' ? undefined : options.methods?.[detection.objectClass];
    const shape = masks.get(detection) ?? defaultShape(inside, size);
    const region = planRegion(inside, id, shape, { ...options, method: own ?? options.method });
    return own ? { ...region, method: own } : region;
  }),
  ignores: options.ignores,
  debug: options.debug,
  score: options.score,
});
