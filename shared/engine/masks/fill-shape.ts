import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Shape } from '../../domain/plan';
import { forEachRun } from '../pixels/runs';

/** The bounding box of a shape, in image px. */
export const shapeBounds = (shape: Shape): Box => {
  if (shape.kind !== 'quad') return shape.box;
  const xs = shape.corners.map(([x]) => x);
  const ys = shape.corners.map(([, y]) => y);
  return { x1: Math.min(...xs), y1: Math.min(...ys), x2: Math.max(...xs), y2: Math.max(...ys) };
};

type ConvexShape = Exclude<Shape, { kind: 'runs' }>;

/** Covered part of one row, [from, to) in image px, or undefined. */
type Span = readonly [number, number] | undefined;

const superellipseSpan = (box: Box, exponent: number, y: number): Span => {
  const cy = (box.y1 + box.y2) / 2;
  const dy = Math.abs(y - cy) / (boxHeight(box) / 2);
  if (dy > 1) return undefined;
  const half = (boxWidth(box) / 2) * (1 - dy ** exponent) ** (1 / exponent);
  const cx = (box.x1 + box.x2) / 2;
  return [cx - half, cx + half];
};

/** @param corners of a convex polygon */
const polygonSpan = (corners: readonly (readonly [number, number])[], y: number): Span => {
  let from = Infinity;
  let to = -Infinity;
  corners.forEach(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length] as readonly [number, number];
    if (y < Math.min(ay, by) || y > Math.max(ay, by)) return;
    const x = ay === by ? ax : ax + ((y - ay) / (by - ay)) * (bx - ax);
    from = Math.min(from, x, ay === by ? bx : x);
    to = Math.max(to, x, ay === by ? bx : x);
  });
  return from <= to ? [from, to] : undefined;
};

/** The part of a row that a convex shape covers at height `y`. */
const spanAt = (shape: ConvexShape, y: number): Span => {
  switch (shape.kind) {
    case 'box':
      return y >= shape.box.y1 && y <= shape.box.y2 ? [shape.box.x1, shape.box.x2] : undefined;
    case 'ellipse':
      return superellipseSpan(shape.box, 2, y);
    case 'superellipse':
      return superellipseSpan(shape.box, shape.exponent, y);
    case 'quad':
      return polygonSpan(shape.corners, y);
  }
};

const fillRuns = (shape: Extract<Shape, { kind: 'runs' }>, window: Box, alpha: Uint8Array): void => {
  const width = boxWidth(window);
  const runWidth = boxWidth(shape.box);
  forEachRun(shape.runs, (start, end) => {
    for (let at = start; at < end;) {
      const row = Math.floor(at / runWidth);
      const rowEnd = Math.min(end, (row + 1) * runWidth);
      const y = shape.box.y1 + row - window.y1;
      const from = Math.max(0, shape.box.x1 + at - row * runWidth - window.x1);
      const to = Math.min(width, shape.box.x1 + rowEnd - row * runWidth - window.x1);
      if (y >= 0 && y < boxHeight(window) && from < to) alpha.fill(255, y * width + from, y * width + to);
      at = rowEnd;
    }
  });
};

/** Heights at which the width of a convex shape may have a maximum. */
const widestHeights = (shape: ConvexShape): readonly number[] => {
  switch (shape.kind) {
    case 'box':
      return [];
    case 'ellipse':
    case 'superellipse':
      return [(shape.box.y1 + shape.box.y2) / 2];
    case 'quad':
      return shape.corners.map(([, y]) => y);
  }
};

/** The part of pixel row `y` that a shape touches: the widest extent of the shape inside the row. */
const rowSpan = (shape: ConvexShape, bounds: Box, widest: readonly number[], y: number): Span => {
  const top = Math.max(y, bounds.y1);
  const bottom = Math.min(y + 1, bounds.y2);
  if (top >= bottom) return undefined;
  let from = Infinity;
  let to = -Infinity;
  const extendBySpanAt = (height: number): void => {
    const span = spanAt(shape, height);
    if (!span) return;
    from = Math.min(from, span[0]);
    to = Math.max(to, span[1]);
  };
  extendBySpanAt(top);
  extendBySpanAt(bottom);
  for (const height of widest) if (height > top && height < bottom) extendBySpanAt(height);
  return from <= to ? [from, to] : undefined;
};

/**
 * Sets `alpha` to 255 for every pixel that the shape touches, so that partly covered pixels are hidden too.
 *
 * @param window whole pixels; `alpha` is row-major over it
 */
export const fillShape = (shape: Shape, window: Box, alpha: Uint8Array): void => {
  if (shape.kind === 'runs') return fillRuns(shape, window, alpha);
  const width = boxWidth(window);
  const bounds = shapeBounds(shape);
  const widest = widestHeights(shape);
  for (let y = window.y1; y < window.y2; y++) {
    const span = rowSpan(shape, bounds, widest, y);
    if (!span) continue;
    const from = Math.max(0, Math.floor(span[0]) - window.x1);
    const to = Math.min(width, Math.ceil(span[1]) - window.x1);
    const row = (y - window.y1) * width;
    if (from < to) alpha.fill(255, row + from, row + to);
  }
};
