import { boxHeight, boxWidth, type Box, type Size } from '#shared/domain/boxes';

/** Shown part of the image, in sides of the object: enough to recognise what is around it. */
const CONTEXT = 3;
/** Smallest shown width, as a share of the image: a tiny object needs more context. */
const MIN_SHARE = 0.12;
/** Width to height of a crop. */
export const CROP_ASPECT = 4 / 3;

const span = (middle: number, length: number, whole: number): readonly [from: number, to: number] => {
  const shown = Math.min(length, whole);
  const from = Math.min(Math.max(0, middle - shown / 2), whole - shown);
  return [from, from + shown];
};

/** The part of an image that shows an object with what is around it, inside the image. */
export const cropRegion = (box: Box, { width, height }: Size): Box => {
  const across = Math.max(
    CONTEXT * boxWidth(box),
    CONTEXT * boxHeight(box) * CROP_ASPECT,
    MIN_SHARE * Math.max(width, height),
  );
  const [x1, x2] = span((box.x1 + box.x2) / 2, across, width);
  const [y1, y2] = span((box.y1 + box.y2) / 2, across / CROP_ASPECT, height);
  return { x1, y1, x2, y2 };
};
