import type { Tensor } from '../../ports/inference';
import type { Box } from '../../domain/boxes';
import type { DetectorMask } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import type { RawDetection } from './head';
import { suppress } from '../fusion/merge';
import { MASKED_CLASSES } from '../../catalogue/class-rules';
import { clamp } from '../../domain/clamp';

/**
 * The planes that masks are combined from: `count` planes of `columns` × `rows` cells that cover the network's input.
 */
export interface Prototypes {
  readonly data: Float32Array;
  readonly count: number;
  readonly columns: number;
  readonly rows: number;
  /** Cells per network px. */
  readonly scaleX: number;
  readonly scaleY: number;
}

export interface PrototypeCandidate {
  readonly detection: RawDetection;
  /** The same for all detections of a run, or a mask of its own. */
  readonly prototypes: Prototypes;
  /** Weight of prototype `k` in the detection's mask. */
  readonly coefficient: (k: number) => number;
}

/**
 * Overlaps above which two boxes are one object: only the best gets a mask, and the others are merged into it later.
 */
const SAME_OBJECT = { iou: 0.7, inside: 1 } as const;
/** Maximum number of masks in one run: bounds time and memory for any output. */
const MAX_MASKS = 300;
/**
 * Maximum number of prototypes. Usual networks have 32; a user's file may have any number, and each takes time for
 * every object.
 */
const MAX_PROTOTYPES = 256;

/** @throws if the tensor does not have the shape of prototypes */
export const readPrototypes = (
  tensor: Tensor | undefined,
  net: Size,
  maxCount = MAX_PROTOTYPES,
): Prototypes => {
  const { data, dims } = tensor ?? { data: new Float32Array(0), dims: [] };
  const [, count = 0, rows = 0, columns = 0] = dims;
  const isFinerThanInput = columns > net.width || rows > net.height;
  const isWhole = count * rows * columns > 0 && data.length === count * rows * columns;
  if (dims.length !== 4 || !isWhole || isFinerThanInput || count > maxCount) {
    throw new Error(`mask prototypes cannot have the shape [${dims.join(', ')}]`);
  }
  return { data, count, columns, rows, scaleX: columns / net.width, scaleY: rows / net.height };
};

/** The cells that a box touches, and one more on each side, because the mask's edge is interpolated between cells. */
const cellsOf = (box: Box<'network'>, { columns, rows, scaleX, scaleY }: Prototypes): Box => ({
  x1: clamp(Math.floor(box.x1 * scaleX) - 1, 0, columns),
  y1: clamp(Math.floor(box.y1 * scaleY) - 1, 0, rows),
  x2: clamp(Math.ceil(box.x2 * scaleX) + 1, 0, columns),
  y2: clamp(Math.ceil(box.y2 * scaleY) + 1, 0, rows),
});

/** Sigmoid of the sum of coefficient × prototype, in the cells of the object's box. */
const combinePrototypes = ({
  detection,
  prototypes,
  coefficient,
}: PrototypeCandidate): DetectorMask | undefined => {
  const { data, count, columns, rows, scaleX, scaleY } = prototypes;
  const { x1, y1, x2, y2 } = cellsOf(detection.box, prototypes);
  const width = x2 - x1;
  // The comparisons are also false if the box contains NaN.
  if (!(width > 0 && y2 > y1)) return undefined;
  const logits = new Float32Array(width * (y2 - y1));
  for (let k = 0; k < count; k++) {
    const weight = coefficient(k);
    for (let y = y1, to = 0; y < y2; y++) {
      let from = (k * rows + y) * columns + x1;
      for (let x = x1; x < x2; x++, to++, from++) {
        logits[to] = (logits[to] as number) + weight * (data[from] as number);
      }
    }
  }
  const probability = logits.map((logit) => 1 / (1 + Math.exp(-logit)));
  return {
    data: probability,
    columns: width,
    rows: y2 - y1,
    x: x1 / scaleX,
    y: y1 / scaleY,
    scaleX,
    scaleY,
  };
};

const bestOfEachObject = (candidates: readonly PrototypeCandidate[]): ReadonlySet<RawDetection> => {
  const best = MASKED_CLASSES.flatMap((objectClass) =>
    suppress(
      candidates.map(({ detection }) => detection).filter((one) => one.objectClass === objectClass),
      SAME_OBJECT,
    ),
  );
  return new Set(best.sort((a, b) => b.score - a.score).slice(0, MAX_MASKS));
};

/**
 * Adds masks to detections as YOLACT does (Bolya et al. 2019, arXiv:1904.02689): each mask is a weighted sum of
 * prototypes, cropped to the box.
 *
 * @returns all detections; a second, worse box of the same object has no mask
 */
export const withMasks = (candidates: readonly PrototypeCandidate[]): readonly RawDetection[] => {
  const outlined = bestOfEachObject(candidates);
  return candidates.map((candidate) => {
    const { detection } = candidate;
    const mask = outlined.has(detection) ? combinePrototypes(candidate) : undefined;
    return mask ? { ...detection, mask } : detection;
  });
};
