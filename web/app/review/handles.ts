import type { Box } from '#shared/domain/boxes';
import type { Size } from '#shared/domain/size';
import type { Point } from '../stage/view-geometry';

/** Where a box is taken hold of, as on a compass. */
export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const;
export type Handle = (typeof HANDLES)[number];

/** Smaller ones could not be taken hold of again, in px of the picture. */
export const MIN_SIDE_PX = 2;

/** The box between two corners, whatever their order, inside the picture. */
export const boxBetween = (a: Point, b: Point, { width, height }: Size): Box => {
  const within = (value: number, max: number): number => Math.round(Math.min(max, Math.max(0, value)));
  return {
    x1: within(Math.min(a.x, b.x), width),
    y1: within(Math.min(a.y, b.y), height),
    x2: within(Math.max(a.x, b.x), width),
    y2: within(Math.max(a.y, b.y), height),
  };
};

/** How far a range may be moved without leaving its place: its middle stays in the picture. */
const clampShift = (by: number, from: number, to: number, max: number): number => {
  const middle = (from + to) / 2;
  return Math.min(max - middle, Math.max(-middle, by));
};

/** The box moved as a whole; half of it at least stays in the picture. */
export const movedBox = ({ x1, y1, x2, y2 }: Box, by: Point, { width, height }: Size): Box => {
  const dx = clampShift(by.x, x1, x2, width);
  const dy = clampShift(by.y, y1, y2, height);
  return { x1: x1 + dx, y1: y1 + dy, x2: x2 + dx, y2: y2 + dy };
};

/** The box with the sides moved that a handle moves; it is never turned inside out. */
export const resizedBox = (
  { x1, y1, x2, y2 }: Box,
  handle: Handle,
  by: Point,
  { width, height }: Size,
): Box => ({
  x1: handle.includes('w') ? Math.max(0, Math.min(x1 + by.x, x2 - MIN_SIDE_PX)) : x1,
  y1: handle.startsWith('n') ? Math.max(0, Math.min(y1 + by.y, y2 - MIN_SIDE_PX)) : y1,
  x2: handle.includes('e') ? Math.min(width, Math.max(x2 + by.x, x1 + MIN_SIDE_PX)) : x2,
  y2: handle.startsWith('s') ? Math.min(height, Math.max(y2 + by.y, y1 + MIN_SIDE_PX)) : y2,
});
