import { boxHeight, boxWidth, clipBox, outerPixels, type Box } from '../../domain/boxes';
import { byteRow, endOfRun } from '../pixels/runs';
import { around } from '../pixels/positions';
import { feather } from './feather';
import { fillShape, shapeBounds } from '../masks/fill-shape';
import type { IgnoreArea } from '../../domain/options';
import type { AreaRegion, RedactionPlan, Region } from '../../domain/plan';

/** How strongly each pixel of a rectangle is hidden: 255 fully, 0 not at all. */
export interface Coverage {
  /** Whole pixels, inside the image. */
  readonly box: Box;
  /** Row-major over `box`. */
  readonly alpha: Uint8Array;
}

/** Uncovers an area that the client asked to leave unchanged. */
const clearIgnored = ({ box, alpha }: Coverage, area: IgnoreArea): void => {
  const width = boxWidth(box);
  const from = Math.max(area.x, box.x1) - box.x1;
  const to = Math.min(area.x + area.width, box.x2) - box.x1;
  if (from >= to) return;
  for (let y = Math.max(area.y, box.y1); y < Math.min(area.y + area.height, box.y2); y++) {
    const row = (y - box.y1) * width;
    alpha.fill(0, row + from, row + to);
  }
};

/** Returns memory with zeros. */
type AllocateBytes = (length: number) => Uint8Array;

const newBytes: AllocateBytes = (length) => new Uint8Array(length);

/**
 * Makes an allocator that returns the same memory again and again: only the latest bytes may be used.
 *
 * The regions of a large photo have more pixels than the photo, and a page of new memory takes longer than filling it.
 */
export const createReusedBytes = (): AllocateBytes => {
  let memory = newBytes(0);
  return (length) => {
    if (memory.length < length) memory = newBytes(length);
    else memory.fill(0, 0, length);
    return memory.subarray(0, length);
  };
};

type CoveredRegion = Pick<Region, 'shape' | 'featherPx'>;
type CoveredPlan = Pick<RedactionPlan, 'width' | 'height' | 'ignores' | 'wraps'>;

/** The whole px of the image that a box touches; in a panorama it may reach over the left and right edge. */
const touchedPixels = (box: Box, { width, height, wraps }: CoveredPlan): Box => {
  const inside = outerPixels(clipBox(box, width, height));
  if (!wraps) return inside;
  const { x1, x2 } = outerPixels(box);
  return { ...inside, x1, x2: Math.min(x2, x1 + width) };
};

/** As `rasteriseRegion`, but in a panorama the rectangle may reach over the left and right edge. */
export const rasteriseAcrossSeam = (
  region: CoveredRegion,
  plan: CoveredPlan,
  allocate = newBytes,
): Coverage => {
  const bounds = shapeBounds(region.shape);
  const margin = region.featherPx;
  const grown = {
    x1: bounds.x1 - margin,
    y1: bounds.y1 - margin,
    x2: bounds.x2 + margin,
    y2: bounds.y2 + margin,
  };
  // What is wider than the panorama would meet itself behind the seam.
  const isWider = plan.wraps && boxWidth(grown) > plan.width;
  const box = touchedPixels(isWider ? { ...grown, x1: bounds.x1, x2: bounds.x1 + plan.width } : grown, plan);
  const coverage: Coverage = { box, alpha: allocate(boxWidth(box) * boxHeight(box)) };
  fillShape(region.shape, coverage.box, coverage.alpha);
  if (margin > 0) feather(coverage.alpha, box, margin);
  const turns = plan.wraps ? [-plan.width, 0, plan.width] : [0];
  for (const area of plan.ignores) {
    for (const turn of turns) clearIgnored(coverage, { ...area, x: area.x + turn });
  }
  return coverage;
};

/** Moves the parts of a coverage that lie beyond a panorama's edge to its other side. */
export const wrapCoverage = ({ box, alpha }: Coverage, width: number): Coverage => {
  if (box.x1 >= 0 && box.x2 <= width) return { box, alpha };
  const from = boxWidth(box);
  const folded = new Uint8Array(width * boxHeight(box));
  for (let i = 0; i < alpha.length; i++) {
    if (alpha[i] === 0) continue;
    folded[Math.floor(i / from) * width + around(box.x1 + (i % from), width)] = alpha[i] as number;
  }
  return { box: { ...box, x1: 0, x2: width }, alpha: folded };
};

/** Rasterises a region: 255 inside its shape, a soft edge around it, 0 in ignored areas. */
export const rasteriseRegion = (region: CoveredRegion, plan: CoveredPlan, allocate = newBytes): Coverage => {
  const coverage = rasteriseAcrossSeam(region, plan, allocate);
  return plan.wraps ? wrapCoverage(coverage, plan.width) : coverage;
};

/** The same for an area that is always hidden: ignored areas do not uncover it. */
export const coverArea = (area: AreaRegion, plan: CoveredPlan, allocate = newBytes): Coverage =>
  rasteriseRegion(area, { ...plan, ignores: [] }, allocate);

/** Calls `visit` for each run of covered pixels: its row and columns, [from, to), in image px. */
export const forEachCoveredSpan = (
  { box, alpha }: Coverage,
  visit: (y: number, from: number, to: number) => void,
): void => {
  const width = boxWidth(box);
  const bytes = byteRow(alpha);
  for (let y = box.y1; y < box.y2; y++) {
    const start = (y - box.y1) * width;
    const end = start + width;
    for (let at = start; at < end;) {
      const from = at;
      while (at < end && alpha[at] !== 0) at = alpha[at] === 255 ? endOfRun(bytes, at, end) : at + 1;
      if (from < at) visit(y, box.x1 + from - start, box.x1 + at - start);
      if (at < end) at = endOfRun(bytes, at, end);
    }
  }
};
