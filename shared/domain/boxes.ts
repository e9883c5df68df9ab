/**
 * A rectangle in pixels, right and lower edge exclusive.
 *
 * `Frame` is a phantom: a box in network pixels does not compile where one in image pixels is expected, so that mixing
 * the two is a type error.
 */
export interface Box<Frame extends 'image' | 'tile' | 'network' = 'image'> {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly frame?: Frame;
}
type AnyBox = Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'>;

/** A place in image px. */
export type ImagePoint = readonly [x: number, y: number];

/** A box as the contract writes it. */
export type Bbox = readonly [x1: number, y1: number, x2: number, y2: number];

export const toBox = ([x1, y1, x2, y2]: Bbox): Box => ({ x1, y1, x2, y2 });
export const toBbox = ({ x1, y1, x2, y2 }: AnyBox): [number, number, number, number] => [x1, y1, x2, y2];

export const boxWidth = (box: AnyBox): number => box.x2 - box.x1;
export const boxHeight = (box: AnyBox): number => box.y2 - box.y1;
export const boxArea = (box: AnyBox): number => Math.max(0, boxWidth(box)) * Math.max(0, boxHeight(box));
/** The shorter side, which bounds the detail that an object can show. */
export const shorterSide = (box: AnyBox): number => Math.min(boxWidth(box), boxHeight(box));

/** The box around a point, by half of its sides. */
export const boxAround = (x: number, y: number, halfWidth: number, halfHeight: number): AnyBox => ({
  x1: x - halfWidth,
  y1: y - halfHeight,
  x2: x + halfWidth,
  y2: y + halfHeight,
});

export const intersectionArea = (a: AnyBox, b: AnyBox): number =>
  Math.max(0, Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1)) *
  Math.max(0, Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1));

/** Intersection over union, 0..1. */
export const iou = (a: AnyBox, b: AnyBox): number => {
  const shared = intersectionArea(a, b);
  return shared === 0 ? 0 : shared / (boxArea(a) + boxArea(b) - shared);
};

/** Intersection over the smaller area, 0..1: recognises a box inside another, which IoU does not. */
export const intersectionOverSmaller = (a: AnyBox, b: AnyBox): number => {
  const smaller = Math.min(boxArea(a), boxArea(b));
  return smaller === 0 ? 0 : intersectionArea(a, b) / smaller;
};

/** Ratio of the smaller area to the larger, 0..1. */
export const areaRatio = (a: AnyBox, b: AnyBox): number =>
  Math.min(boxArea(a), boxArea(b)) / Math.max(boxArea(a), boxArea(b));

export const unionBox = (a: Box, b: Box): Box => ({
  x1: Math.min(a.x1, b.x1),
  y1: Math.min(a.y1, b.y1),
  x2: Math.max(a.x2, b.x2),
  y2: Math.max(a.y2, b.y2),
});

/** Grows a box by a share of its own sides on each side. */
export const growBox = (box: Box, shareX: number, shareY: number = shareX): Box => {
  const dx = boxWidth(box) * shareX;
  const dy = boxHeight(box) * shareY;
  return { x1: box.x1 - dx, y1: box.y1 - dy, x2: box.x2 + dx, y2: box.y2 + dy };
};

/** Enlarges the side that is too short, on both ends, so that the width is `ratio` times the height. */
export const growToRatio = (box: Box, ratio: number): Box => {
  const dx = Math.max(0, ratio * boxHeight(box) - boxWidth(box)) / 2;
  const dy = Math.max(0, boxWidth(box) / ratio - boxHeight(box)) / 2;
  return { x1: box.x1 - dx, y1: box.y1 - dy, x2: box.x2 + dx, y2: box.y2 + dy };
};

/**
 * The box of an object in one frame. A panorama's seam shows it in two parts, at both edges: the whole begins at the
 * right edge's part and ends beyond that edge.
 */
export const wholeBox = (a: AnyBox, b: AnyBox): Box => {
  const [right, left] = a.x1 > b.x1 ? [a, b] : [b, a];
  return { x1: right.x1, y1: Math.min(a.y1, b.y1), x2: right.x2 + left.x2, y2: Math.max(a.y2, b.y2) };
};

export const moveBox = ({ x1, y1, x2, y2 }: Box, x: number, y: number): Box => ({
  x1: x1 + x,
  y1: y1 + y,
  x2: x2 + x,
  y2: y2 + y,
});

export const clipBox = (box: Box, width: number, height: number): Box => ({
  x1: Math.min(Math.max(box.x1, 0), width),
  y1: Math.min(Math.max(box.y1, 0), height),
  x2: Math.min(Math.max(box.x2, 0), width),
  y2: Math.min(Math.max(box.y2, 0), height),
});

/** The smallest box with whole-pixel edges that holds `box`. */
export const outerPixels = (box: Box): Box => ({
  x1: Math.floor(box.x1),
  y1: Math.floor(box.y1),
  x2: Math.ceil(box.x2),
  y2: Math.ceil(box.y2),
});
