import { boxHeight, boxWidth, clipBox, growBox, shorterSide, type Box } from '../../domain/boxes';
import { areConvex, growCorners } from '../../domain/corners';
import type { Detection } from '../../domain/detection';
import type { ObjectClass } from '../../domain/object-class';
import type { ImageOptions, Method } from '../../domain/options';
import type { RedactionPlan, Region, Shape } from '../../domain/plan';
import type { Size } from '../../domain/size';

/**
 * How strongly a class is hidden. Shares are of the object's own box, so that a face near the camera is hidden as
 * strongly as one far away.
 */
interface Strength {
  /**
   * Grown on each side before hiding, as a share of the box's sides: detectors' boxes end at the chin. A plate's sides
   * are measured in its heights: how far its last character may reach beyond the box does not depend on its length.
   */
  readonly padding: readonly [x: number, y: number];
  /** Soft edge of `blur`, outside the padding, as a share of the shorter side. */
  readonly feather: number;
  /** Side of the averaged cells of `blur`: share of the side that `of` names, and at least so many px. */
  readonly blur: { readonly share: number; readonly of: 'longer' | 'shorter'; readonly minPx: number };
  /** Cells across the object's shorter side with `pixelate`: at most 8 (spec), fewer where 8 would stay readable. */
  readonly cells: number;
}

/**
 * Kernels 0.35 of the face and 0.5 of the plate, 91 px for persons, 61 px for vehicles: spec/compatibility.
 *
 * Two cells for a face: of three, the mean of eight frames was recognised in 7 of 60 (`npm run eval:attack`), of two in 2
 * or 3, where chance gives 1. Its sides are grown by 0.17: with 0.15, 1.0 % of the pixels of found faces stayed visible in the set
 * `faces`, with 0.17, 0.7 % (`npm run eval`).
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
} as const satisfies Record<ObjectClass, Strength>;

/** Smaller cells could hold single source pixels of small objects. */
const MIN_CELL_PX = 4;
/** Follows a car's outline better than an ellipse (n = 2), and covers its corners. */
const VEHICLE_EXPONENT = 3;

const padded = ({ objectClass, box }: Detection): Box => {
  const [x, y] = STRENGTH[objectClass].padding;
  return objectClass === 'license-plate'
    ? growBox(box, (x * boxHeight(box)) / boxWidth(box), y)
    : growBox(box, x, y);
};

/** Boxes end this close to an edge, in px, where their object goes on behind it. */
const EDGE_PX = 2;

const isCutByEdge = ({ x1, y1, x2, y2 }: Box, { width, height }: Size): boolean =>
  Math.min(x1, y1) <= EDGE_PX || x2 >= width - EDGE_PX || y2 >= height - EDGE_PX;

/**
 * The shape that hides a detection without a mask.
 *
 * An object cut by the image's edge is widest there, where an ellipse would end: its whole box is hidden.
 */
export const defaultShape = (detection: Detection, size: Size): Shape => {
  if (isCutByEdge(detection.box, size)) return { kind: 'box', box: padded(detection) };
  switch (detection.objectClass) {
    case 'face':
    case 'person':
      return { kind: 'ellipse', box: padded(detection) };
    case 'vehicle':
      return { kind: 'superellipse', box: padded(detection), exponent: VEHICLE_EXPONENT };
    case 'license-plate':
      return plateShape(detection);
  }
};

/** The quadrilateral of a tilted plate whose corners are known, so that no more of the car than needed is hidden. */
const plateShape = (detection: Detection): Shape => {
  const { corners } = detection;
  const [along, across] = STRENGTH['license-plate'].padding;
  return corners && areConvex(corners)
    ? { kind: 'quad', corners: growCorners(corners, along, across) }
    : { kind: 'box', box: padded(detection) };
};

const cellPx = (detection: Detection, method: Method): number => {
  const { blur, cells } = STRENGTH[detection.objectClass];
  const shorter = shorterSide(detection.box);
  if (method === 'pixelate') return Math.max(MIN_CELL_PX, shorter / cells);
  const longer = Math.max(boxWidth(detection.box), boxHeight(detection.box));
  return Math.max(blur.minPx, blur.share * (blur.of === 'longer' ? longer : shorter));
};

/** @param outline shape to hide, unless whole boxes are hidden */
export const planRegion = (
  detection: Detection,
  id: number,
  outline: Shape,
  options: Pick<ImageOptions, 'method' | 'wholeBoxes'>,
): Region => ({
  id,
  detection,
  shape: options.wholeBoxes ? { kind: 'box', box: padded(detection) } : outline,
  featherPx:
    options.method === 'blur' && !options.wholeBoxes
      ? Math.max(2, Math.round(STRENGTH[detection.objectClass].feather * shorterSide(detection.box)))
      : 0,
  cellPx: cellPx(detection, options.method),
});

/** The detection as stored with a plan, which holds the shape itself. */
export const withoutOutlines = ({ outlines: _inShape, ...detection }: Detection): Detection => detection;

/**
 * Decides what is hidden, where, and how strongly.
 *
 * @param masks shapes by detection, where segmentation made one
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
