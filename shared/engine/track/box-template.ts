import { boxHeight, boxWidth, growBox, boxAround, type Box } from '../../domain/boxes';
import type { LumaRaster, Raster } from '../../domain/raster';
import { motionBox, motionDeviation, type BoxMotion } from './kalman';
import { type Template, correlate, findTemplate, makeTemplate } from '../motion/match-template';
import { type LumaGrid, cutGrid, sampleLuma } from '../motion/sample-luma';
import { FOLLOWING } from './track-limits';

/** Number of cells of a template. */
export interface TemplateResolution {
  /** Cells along the longer side … */
  readonly cells: number;
  /** … the minimum along the shorter side, and the maximum along the longer. */
  readonly minCells: number;
  readonly maxCells: number;
}

/** Luma template of a box. */
export interface BoxTemplate {
  readonly columns: number;
  readonly rows: number;
  /** Ratio of its sides to the box's: the template of a small box includes some of its surroundings. */
  readonly sidesRatio: { readonly x: number; readonly y: number };
  /** Pixels of the frame in which it was made. */
  readonly first: Template;
  /** What is matched: the first pixels, and the recent ones once they differ. */
  readonly matched: readonly Template[];
  /** Running average of the matched pixels: objects turn, and light changes. */
  readonly recent: LumaGrid;
}

const centreOf = ({ x1, y1, x2, y2 }: Box) => ({ x: (x1 + x2) / 2, y: (y1 + y2) / 2 });

/** Side of a cell in px, so that the number of cells in both directions is within the limits. */
const cellOf = (width: number, height: number, { cells, minCells, maxCells }: TemplateResolution): number => {
  const [longer, shorter] = [Math.max(width, height), Math.min(width, height)];
  return Math.max(1, longer / maxCells, Math.min(longer / cells, shorter / minCells));
};

/** @returns undefined for a plain surface, which has nothing to match */
export const cutBoxTemplate = (
  raster: Raster | LumaRaster,
  box: Box,
  resolution: TemplateResolution,
): BoxTemplate | undefined => {
  const width = Math.max(boxWidth(box), FOLLOWING.minPx);
  const height = Math.max(boxHeight(box), FOLLOWING.minPx);
  const columns = Math.round(width / cellOf(width, height, resolution));
  const stepPx = width / columns;
  const rows = Math.round(height / stepPx);
  const { x, y } = centreOf(box);
  const [left, top] = [x - (columns * stepPx) / 2, y - (rows * stepPx) / 2];
  const recent = sampleLuma(raster, { left, top, stepPx, columns, rows });
  const first = makeTemplate(recent);
  const sidesRatio = { x: width / boxWidth(box), y: height / boxHeight(box) };
  return first && { columns, rows, sidesRatio, first, matched: [first], recent };
};

/** The place where a template matched. */
export interface BoxTemplateMatch {
  readonly box: Box;
  /** Correlation there, -1..1. */
  readonly score: number;
  readonly luma: LumaGrid;
}

/** Matches the template at one size around the predicted place. */
const searchAt = (
  raster: Raster | LumaRaster,
  { columns, rows, sidesRatio, matched }: BoxTemplate,
  { expected, reach }: { readonly expected: Box; readonly reach: number },
  scale: number,
): BoxTemplateMatch => {
  const width = boxWidth(expected) * scale;
  const height = boxHeight(expected) * scale;
  // One step for both directions: the template's cells stay square.
  const stepPx = Math.max(0.5, (width * sidesRatio.x) / columns);
  const margin = Math.ceil((reach * Math.max(width, height)) / stepPx);
  const { x, y } = centreOf(expected);
  const [left, top] = [
    x - (columns * stepPx) / 2 - margin * stepPx,
    y - (rows * stepPx) / 2 - margin * stepPx,
  ];
  const searched = { columns: columns + 2 * margin, rows: rows + 2 * margin };
  const grid = sampleLuma(raster, { left, top, stepPx, ...searched });
  const { column, row, score } = findTemplate(matched, grid);
  const cx = left + (column + columns / 2) * stepPx;
  const cy = top + (row + rows / 2) * stepPx;
  return {
    box: boxAround(cx, cy, width / 2, height / 2),
    score,
    luma: cutGrid(grid, Math.round(column), Math.round(row), { columns, rows }),
  };
};

/** The predicted place, with the size of the last match: the filter's sizes lag behind approaching objects. */
export const expectedBox = (motion: BoxMotion, found: Box): Box => {
  const { x, y } = centreOf(motionBox(motion));
  return boxAround(x, y, boxWidth(found) / 2, boxHeight(found) / 2);
};

/** The box to hide: larger than the match, and more so the lower its score. */
export const hidingBox = (box: Box, score: number): Box =>
  growBox(box, FOLLOWING.margin + FOLLOWING.doubtMargin * (1 - score));

/**
 * Search distance, in the box's longer sides.
 *
 * @param wasMatched whether the template matched in the frame before
 */
export const reachOf = (motion: BoxMotion, expected: Box, wasMatched: boolean): number => {
  const deviation = motionDeviation(motion);
  const uncertainty =
    (3 * Math.max(deviation.x, deviation.y)) / Math.max(boxWidth(expected), boxHeight(expected));
  const { reach, maxReach } = FOLLOWING;
  return Math.min(maxReach, Math.max(wasMatched ? reach : 2 * reach, uncertainty));
};

/**
 * Matches a template at its size, and a little larger and smaller.
 *
 * @param expected place and size
 * @param reach search distance around it, in its longer sides
 */
export const matchBoxTemplate = (
  raster: Raster | LumaRaster,
  template: BoxTemplate,
  expected: Box,
  reach: number,
): BoxTemplateMatch => {
  const { scaleStep, scaleCost } = FOLLOWING;
  const place = { expected, reach };
  const same = searchAt(raster, template, place, 1);
  const others = [1 / scaleStep, scaleStep].map((scale) => searchAt(raster, template, place, scale));
  return others.reduce((best, one) => (one.score - scaleCost > best.score ? one : best), same);
};

/** Mixes the current pixels into the template, cautiously: a short occlusion must not replace it. */
export const refreshBoxTemplate = (template: BoxTemplate, { luma, score }: BoxTemplateMatch): BoxTemplate => {
  const { refreshScore, refreshLikeness, refreshShare } = FOLLOWING;
  if (score < refreshScore || correlate(template.first, luma) < refreshLikeness) return template;
  const values = template.recent.values.map(
    (old, i) => old + refreshShare * ((luma.values[i] as number) - old),
  );
  const recent = { ...template.recent, values };
  const { first } = template;
  return { ...template, matched: [first, makeTemplate(recent) ?? first], recent };
};
