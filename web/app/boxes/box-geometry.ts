import type { KeyboardEvent } from 'react';
import { moveBox, type Box } from '#shared/domain/boxes';
import { ignoredArea, type IgnoredArea } from '#shared/domain/edits/edits';
import type { Size } from '#shared/domain/raster';
import { clamp } from '#shared/domain/clamp';
import type { Placement, Point } from '../stage/view-geometry';

/** Handles of a box, as on a compass. */
export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof HANDLES)[number];
/** Part of a box that is dragged: a handle, or the box itself. */
export type Grip = Handle | 'box';

/** An image or a video frame on the screen, with its size in its own px. */
export interface ShownImage extends Size {
  /** Image px for each px of the screen. */
  readonly pxPerScreenPx: number;
  /** A panorama in a sphere: boxes go on at the other edge, and may end beyond the right one. */
  readonly wraps?: boolean;
}

/** Below this side length, in px of the screen, the handles leave no room to drag the box itself. */
const MIN_SIDE_SCREEN_PX = 16;
/** Minimum side length in image px, for enlarged images. */
const MIN_SIDE_PX = 2;
/** One press of an arrow key, in px of the screen: the step is finer in an enlarged image. */
const STEP_SCREEN_PX = 4;
/** Shorter movements of the pointer are a press, not a drag, in px of the screen. */
const MIN_DRAG_SCREEN_PX = 3;
/** Sides of a box that a key places, as a share of the visible part. */
const PLACED_SHARE = 0.25;

const ARROWS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

type Range = readonly [from: number, to: number];

export const shownImage = ({ width, height }: Size, shown: Pick<Size, 'width'>): ShownImage => ({
  width,
  height,
  pxPerScreenPx: width / shown.width,
});

/** The point of an image at a position on the screen. @param corner where the image begins there, in px of the screen */
export const imagePoint = (
  { x, y }: Point,
  { pxPerScreenPx }: ShownImage,
  corner: Pick<Placement, 'left' | 'top'> | null = null,
): Point => ({ x: (x - (corner?.left ?? 0)) * pxPerScreenPx, y: (y - (corner?.top ?? 0)) * pxPerScreenPx });

/** Minimum side length of a drawn or resized box, in image px. */
export const minSidePx = ({ pxPerScreenPx }: ShownImage): number =>
  Math.max(MIN_SIDE_PX, Math.ceil(MIN_SIDE_SCREEN_PX * pxPerScreenPx));

export const isDrag = (from: Point, to: Point): boolean =>
  Math.hypot(to.x - from.x, to.y - from.y) >= MIN_DRAG_SCREEN_PX;

/** A box that sticks out of the image may stay where it is, but moves no farther out. */
const clampShift = (by: number, [from, to]: Range, length: number): number =>
  clamp(by, Math.min(0, -from), Math.max(0, length - to));

/** Turns a box around a panorama until it begins inside. */
const turnedBox = (box: Box, { width, wraps = false }: ShownImage): Box =>
  wraps ? moveBox(box, -width * Math.floor(box.x1 / width), 0) : box;

/** Moves a box inside the image; its size stays. */
const movedBox = (box: Box, by: Point, image: ShownImage): Box => {
  const { width, height, wraps = false } = image;
  const across = wraps ? by.x : clampShift(by.x, [box.x1, box.x2], width);
  return turnedBox(moveBox(box, across, clampShift(by.y, [box.y1, box.y2], height)), image);
};

/** Moves a side up to a limit and the minimum length; a range that is shorter can only grow. */
const resizedRange = (
  [from, to]: Range,
  { side, by }: { readonly side: 'first' | 'last' | undefined; readonly by: number },
  [first, last]: Range,
  minPx: number,
): Range => {
  const min = Math.min(minPx, to - from);
  if (side === 'first') return [clamp(from + by, Math.min(first, from), to - min), to];
  if (side === 'last') return [from, clamp(to + by, from + min, Math.max(last, to))];
  return [from, to];
};

const sideOf = (handle: Handle, first: string, last: string): 'first' | 'last' | undefined => {
  if (handle.includes(first)) return 'first';
  return handle.includes(last) ? 'last' : undefined;
};

/** Moves the sides that a handle names. */
const resizedBox = (box: Box, handle: Handle, by: Point, image: ShownImage): Box => {
  const min = minSidePx(image);
  const across = { side: sideOf(handle, 'w', 'e'), by: by.x };
  const down = { side: sideOf(handle, 'n', 's'), by: by.y };
  const limits: Range = image.wraps ? [box.x2 - image.width, box.x1 + image.width] : [0, image.width];
  const [x1, x2] = resizedRange([box.x1, box.x2], across, limits, min);
  const [y1, y2] = resizedRange([box.y1, box.y2], down, [0, image.height], min);
  return turnedBox({ x1, y1, x2, y2 }, image);
};

/** The box after a drag, in image px. */
export const draggedBox = (box: Box, grip: Grip, by: Point, image: ShownImage): Box =>
  grip === 'box' ? movedBox(box, by, image) : resizedBox(box, grip, by, image);

/** The box after a key press: arrows move it, Shift and arrows resize it; undefined for other keys. */
export const nudgedBox = (
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent,
  box: Box,
  image: ShownImage,
): Box | undefined => {
  const arrow = ARROWS[key];
  if (!arrow || ctrlKey || metaKey || altKey) return undefined;
  const step = Math.max(1, Math.round(STEP_SCREEN_PX * image.pxPerScreenPx));
  return draggedBox(box, shiftKey ? 'se' : 'box', { x: arrow[0] * step, y: arrow[1] * step }, image);
};

/** The part of a drawn range inside limits in whole px, grown around its middle to the minimum length. */
const drawnRange = (a: number, b: number, [first, last]: Range, minPx: number): Range => {
  const from = Math.round(clamp(Math.min(a, b), first, last));
  const to = Math.round(clamp(Math.max(a, b), first, last));
  const min = Math.min(minPx, last - first);
  if (to - from >= min) return [from, to];
  const grown = clamp(Math.round((from + to - min) / 2), first, last - min);
  return [grown, grown + min];
};

/** Around a panorama, a range is at most as long as that, from where it was begun. */
const rangeAround = (a: number, { width, wraps = false }: ShownImage): Range =>
  wraps ? [a - width / 2, a + width / 2] : [0, width];

/** The box between two corners, in any order; undefined for one that lies next to the image. */
export const drawnBox = (a: Point, b: Point, image: ShownImage): Box | undefined => {
  const { height } = image;
  const [left, right] = rangeAround(a.x, image);
  const isBeside =
    Math.max(a.x, b.x) < left ||
    Math.max(a.y, b.y) < 0 ||
    Math.min(a.x, b.x) > right ||
    Math.min(a.y, b.y) > height;
  if (isBeside) return undefined;
  const min = minSidePx(image);
  const [x1, x2] = drawnRange(a.x, b.x, [Math.ceil(left), Math.floor(right)], min);
  const [y1, y2] = drawnRange(a.y, b.y, [0, height], min);
  return turnedBox({ x1, y1, x2, y2 }, image);
};

export const middleOf = ({ x1, y1, x2, y2 }: Box): Point => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });

/** The box that a key places: a quarter of the visible part's sides, in its centre. */
export const placedBox = (visible: Box, image: ShownImage): Box | undefined => {
  const { x, y } = middleOf(visible);
  const halfWidth = ((visible.x2 - visible.x1) * PLACED_SHARE) / 2;
  const halfHeight = ((visible.y2 - visible.y1) * PLACED_SHARE) / 2;
  const first = { x: x - halfWidth, y: y - halfHeight };
  return drawnBox(first, { x: x + halfWidth, y: y + halfHeight }, image);
};

/** The areas of a box inside of an image: one that goes on at the other edge of a panorama is two. */
export const areasOf = ({ x1, y1, x2, y2 }: Box, { width }: Size): readonly IgnoredArea[] => {
  const boxes = [{ x1, y1, x2: Math.min(x2, width), y2 }, { x1: 0, y1, x2: x2 - width, y2 }]; // oxfmt-ignore
  return boxes.filter((box) => box.x2 > box.x1).map(ignoredArea);
};

const percent = (part: number, whole: number): string => `${(part / whole) * 100}%`;

/** Position and size of a box in an element that covers the image. */
export const styleOf = ({ x1, y1, x2, y2 }: Box, { width, height }: Size) => ({
  left: percent(x1, width),
  top: percent(y1, height),
  width: percent(x2 - x1, width),
  height: percent(y2 - y1, height),
});
