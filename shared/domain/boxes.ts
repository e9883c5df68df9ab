import type { ObjectClass } from '../catalogue/classes';

/** Width and height of an image, a window or an area of the screen, in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A decoded image: 8-bit RGBA rows, top to bottom, no padding between rows, sRGB, alpha always 255.
 *
 * Four channels, because a canvas reads and writes them without a copy.
 */
export interface Raster {
  readonly width: number;
  readonly height: number;
  /** Length `width * height * 4`. Redaction writes into it. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

export const RGBA = 4;

/** A raster's pixels as one number each, `0xAABBGGRR`: all supported machines are little-endian. */
export const wordsOf = ({ data, width, height }: Raster): Uint32Array => {
  const aligned = data.byteOffset % RGBA === 0 ? data : data.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, width * height);
};

/**
 * Changes a raster's pixels as words, in place. Bytes that are not aligned to words are copied and written back.
 *
 * The words are signed, which is faster; their bits are those of `wordsOf`.
 */
export const editWords = (raster: Raster, edit: (words: Int32Array) => void): void => {
  const words = wordsOf(raster);
  edit(new Int32Array(words.buffer, words.byteOffset, words.length));
  if (words.buffer !== raster.data.buffer) raster.data.set(new Uint8Array(words.buffer));
};

/** Alpha bits of an opaque pixel. */
export const OPAQUE = 0xff000000 | 0;

/** The signed word of an opaque pixel; levels 0..255 are rounded to the nearest whole one. */
export const wordOf = (red: number, green: number, blue: number): number =>
  OPAQUE | ((blue + 0.5) << 16) | ((green + 0.5) << 8) | (red + 0.5);

/** `wordsOf` as signed numbers. JavaScript engines calculate faster with them: unsigned words exceed 31 bits. */
export const signedWordsOf = (raster: Raster): Int32Array => {
  const words = wordsOf(raster);
  return new Int32Array(words.buffer, words.byteOffset, words.length);
};

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

/** The mask of one object as its detector outputs it, on a grid coarser than the image. */
export interface DetectorMask {
  /** Probability 0..1 that a cell belongs to the object, row by row. */
  readonly data: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** The grid's upper left corner, in px of the same frame as the object's box. */
  readonly x: number;
  readonly y: number;
  /** Cells per px of that frame. */
  readonly scaleX: number;
  readonly scaleY: number;
}

/** Upper left, upper right, lower right and lower left corner, in px of the same frame as the object's box. */
export type Corners = readonly [Corner, Corner, Corner, Corner];
export type Corner = readonly [x: number, y: number];

/** One object found in the upright image: its class, box and score. */
export interface Detection {
  readonly objectClass: ObjectClass;
  /** Calibrated so that the API's default thresholds are the model's best operating point; 0..1. */
  readonly score: number;
  readonly box: Box;
  /** Corners of a flat, tilted object, from detectors that report them; they may lie outside the image. */
  readonly corners?: Corners;
  /**
   * Masks of the object, from detectors that output them: one for each detection merged into it. They are valid only
   * in this video frame and at this place.
   */
  readonly outlines?: readonly DetectorMask[];
}

/** Where a tracked object is predicted. */
export type Expected = Pick<Detection, 'objectClass' | 'box'>;

/** Moves each corner. */
export const mapCorners = ([a, b, c, d]: Corners, move: (corner: Corner) => Corner): Corners => [
  move(a),
  move(b),
  move(c),
  move(d),
];

/** The smallest axis-parallel box around corners, in the same frame. */
export const cornerBounds = (corners: Corners): Pick<Box, 'x1' | 'y1' | 'x2' | 'y2'> => {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

/** Turns a point about a centre. @param angle clockwise in the image, in radians */
export const turnAbout = ([x, y]: Corner, [centreX, centreY]: Corner, angle: number): Corner => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [right, down] = [x - centreX, y - centreY];
  return [centreX + cos * right - sin * down, centreY + sin * right + cos * down];
};

const cross = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner): number =>
  (bx - ax) * (cy - by) - (by - ay) * (cx - bx);

/** Whether corners form a convex quadrilateral in clockwise order; crossed or dented ones are refused. */
export const areConvex = ([a, b, c, d]: Corners): boolean =>
  cross(a, b, c) > 0 && cross(b, c, d) > 0 && cross(c, d, a) > 0 && cross(d, a, b) > 0;

const between = ([ax, ay]: Corner, [bx, by]: Corner): Corner => [(ax + bx) / 2, (ay + by) / 2];

/** Direction and distance from `a` to `b`, in px. */
const way = ([ax, ay]: Corner, [bx, by]: Corner): { readonly unit: Corner; readonly length: number } => {
  const length = Math.hypot(bx - ax, by - ay);
  return { unit: length > 0 ? [(bx - ax) / length, (by - ay) / length] : [0, 0], length };
};

/** Length of the shorter pair of edges, as the mean of both: the height of a line of text, whatever its direction. */
export const shorterEdge = ([a, b, c, d]: Corners): number =>
  Math.min(way(a, b).length + way(c, d).length, way(b, c).length + way(d, a).length) / 2;

/**
 * Grows a quadrilateral along its own axes, so that a tilted object gets the same margin as a level one.
 *
 * @param along margin at the left and right end, as a multiple of its height
 * @param across margin at the upper and lower edge, as a multiple of its height
 */
export const growCorners = (corners: Corners, along: number, across: number): Corners => {
  const [upperLeft, upperRight, lowerRight, lowerLeft] = corners;
  const right = way(between(upperLeft, lowerLeft), between(upperRight, lowerRight));
  const down = way(between(upperLeft, upperRight), between(lowerLeft, lowerRight));
  const shift = ([x, y]: Corner, sideways: number, upright: number): Corner => [
    x + (sideways * along * right.unit[0] + upright * across * down.unit[0]) * down.length,
    y + (sideways * along * right.unit[1] + upright * across * down.unit[1]) * down.length,
  ];
  return [
    shift(upperLeft, -1, -1),
    shift(upperRight, 1, -1),
    shift(lowerRight, 1, 1),
    shift(lowerLeft, -1, 1),
  ];
};
