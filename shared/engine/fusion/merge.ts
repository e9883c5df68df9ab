import {
  type Box,
  boxArea,
  boxHeight,
  boxWidth,
  clipBox,
  intersectionOverSmaller,
  unionBox,
  intersectionArea,
  iou,
} from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { MIN_SIDE_PX, PIECES } from './fusion-limits';
import { CLASS_RULES, type OverlapLimits } from '../../catalogue/class-rules';
import { OBJECT_CLASSES } from '../../catalogue/classes';

interface Scored {
  readonly score: number;
  readonly box: Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'>;
}

/** Whether two boxes are of one object, or the second is a part of the first. */
const overlap = (better: Scored['box'], box: Scored['box'], limits: OverlapLimits): boolean =>
  iou(better, box) > limits.iou ||
  (intersectionArea(better, box) > limits.inside * boxArea(box) &&
    boxArea(box) >= (limits.minPart ?? 0) * boxArea(better));

/**
 * Greedy non-maximum suppression: keeps the best box of each object, and also a larger box around it, which hides more.
 *
 * @returns the kept boxes, best scores first
 */
export const suppress = <T extends Scored>(candidates: readonly T[], limits: OverlapLimits): T[] => {
  const kept: T[] = [];
  for (const candidate of [...candidates].sort((a, b) => b.score - a.score)) {
    const known = kept.some((better) => overlap(better.box, candidate.box, limits));
    if (!known) kept.push(candidate);
  }
  return kept;
};

/** A detection, and whether an inner tile border cuts it horizontally or vertically. */
export interface TileDetection extends Detection {
  readonly cut: { readonly x: boolean; readonly y: boolean };
}

export const isCut = (found: TileDetection): boolean => found.cut.x || found.cut.y;

const spanOverlap = (a1: number, a2: number, b1: number, b2: number): number =>
  (Math.min(a2, b2) - Math.max(a1, b1)) / Math.min(a2 - a1, b2 - b1);

/** Whether two pieces meet at a tile border and are aligned, so that they are parts of one object. */
const continueEachOther = (a: TileDetection, b: TileDetection): boolean => {
  const across = spanOverlap(a.box.x1, a.box.x2, b.box.x1, b.box.x2);
  const down = spanOverlap(a.box.y1, a.box.y2, b.box.y1, b.box.y2);
  if (a.cut.x && b.cut.x && across >= 0) return down >= PIECES.alignment;
  if (a.cut.y && b.cut.y && down >= 0) return across >= PIECES.alignment;
  return false;
};

/** Joins pieces of one object until no two belong together. */
const joinPieces = (pieces: readonly TileDetection[]): TileDetection[] => {
  const joined: TileDetection[] = [];
  for (const piece of pieces) {
    let whole = piece;
    for (let i = joined.findIndex((other) => continueEachOther(other, whole)); i >= 0;) {
      const other = joined.splice(i, 1)[0] as TileDetection;
      const { corners: _ofPiece, masks: _alike, ...rest } = whole;
      whole = {
        ...rest,
        score: Math.max(whole.score, other.score),
        box: unionBox(whole.box, other.box),
        cut: { x: whole.cut.x || other.cut.x, y: whole.cut.y || other.cut.y },
      };
      i = joined.findIndex((next) => continueEachOther(next, whole));
    }
    joined.push(whole);
  }
  return joined;
};

/**
 * Adds the masks of suppressed boxes to the kept ones: two persons who stand close may be one box here, and the mask of
 * one would leave the other visible.
 */
const withMasksOf = (
  found: readonly TileDetection[],
  kept: readonly TileDetection[],
  limits: OverlapLimits,
): TileDetection[] => {
  const isKept = new Set(kept.flatMap(({ masks = [] }) => masks));
  const dropped = found.filter(({ masks = [] }) => masks.some((outline) => !isKept.has(outline)));
  return kept.map((one) => {
    const merged = dropped.filter(({ box }) => overlap(one.box, box, limits));
    if (!one.masks || merged.length === 0) return one;
    return { ...one, masks: [...one.masks, ...merged.flatMap(({ masks = [] }) => masks)] };
  });
};

const mergeClass = (found: readonly TileDetection[], limits: OverlapLimits): TileDetection[] => {
  const whole = suppress(
    found.filter((one) => !isCut(one)),
    limits,
  );
  const unmatched = found
    .filter(isCut)
    .filter((piece) => !whole.some((one) => containsPiece(one.box, piece.box)));
  return withMasksOf(found, suppress([...whole, ...joinPieces(unmatched)], limits), limits);
};

const containsPiece = (whole: Box, piece: Box): boolean =>
  intersectionOverSmaller(whole, piece) > PIECES.inside && boxArea(whole) >= boxArea(piece) * PIECES.inside;

/**
 * Merges the detections of all tiles and scales to one for each object.
 *
 * NMS alone keeps both halves of an object that a tile border cuts in two, because their IoU is small. So a piece at a
 * border is dropped if another tile contains the whole object, or joined with the piece on the other side. A piece
 * without a counterpart is kept: half a hidden object is better than none.
 *
 * @returns detections clipped to the image, classes in their fixed order, best scores first
 */
export const mergeDetections = (
  found: readonly TileDetection[],
  width: number,
  height: number,
): Detection[] =>
  OBJECT_CLASSES.flatMap((objectClass) =>
    mergeClass(
      found
        .filter((one) => one.objectClass === objectClass)
        .map((one) => ({ ...one, box: clipBox(one.box, width, height) }))
        .filter((one) => boxWidth(one.box) >= MIN_SIDE_PX && boxHeight(one.box) >= MIN_SIDE_PX),
      CLASS_RULES[objectClass].overlap,
    ).map(({ cut: _cut, ...detection }) => detection),
  );
