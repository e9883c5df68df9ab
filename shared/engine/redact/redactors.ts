import type { Strength } from '../../catalogue/class-rules';
import type { Method } from '../../catalogue/methods';
import { boxHeight, boxWidth } from '../../domain/boxes';
import { wordOf, type Raster } from '../../domain/raster';
import { averageCells, cellStart } from './cells';
import type { Coverage } from './coverage';
import { paint } from './paint';
import { smoothCells } from './spline';

interface Redactor {
  /** Replaces covered pixels. */
  readonly redact: (raster: Raster, coverage: Coverage, cellPx: number) => void;
  /** Side in px of the averaged cells, for an object with these sides. */
  readonly cellPx: (strength: Strength, shorter: number, longer: number) => number;
  /** Whether regions get a soft edge, outside their shape. */
  readonly hasSoftEdge: boolean;
}

/**
 * Blurs covered pixels: cell means, smoothed by a cubic B-spline.
 *
 * A Gaussian blur is a filter, and filters can be inverted. Here the result depends only on a few cell means, so all
 * detail inside a cell is lost permanently. The B-spline over cells of side s equals three box blurs of width s on the
 * means.
 */
const blur: Redactor['redact'] = (raster, coverage, cellPx) => {
  const grid = averageCells(raster, coverage.box, cellPx);
  paint(raster, coverage, smoothCells(grid, boxWidth(coverage.box), boxHeight(coverage.box)));
};

const blurCellPx: Redactor['cellPx'] = ({ blur: { minPx, share, of } }, shorter, longer) =>
  Math.max(minPx, share * (of === 'longer' ? longer : shorter));

/** Replaces covered pixels by cells of their mean colour. */
const pixelate: Redactor['redact'] = (raster, coverage, cellPx) => {
  const width = boxWidth(coverage.box);
  const height = boxHeight(coverage.box);
  const { columns, rows, means } = averageCells(raster, coverage.box, cellPx);
  const colourOf = (cell: number): number =>
    wordOf(means[3 * cell] as number, means[3 * cell + 1] as number, means[3 * cell + 2] as number);
  let row = -1;
  paint(raster, coverage, (y, _from, _to, colours) => {
    if (row >= 0 && y < cellStart(row + 1, rows, height)) return;
    while (y >= cellStart(row + 1, rows, height)) row++;
    for (let column = 0; column < columns; column++) {
      const end = cellStart(column + 1, columns, width);
      colours.fill(colourOf(row * columns + column), cellStart(column, columns, width), end);
    }
  });
};

/** Minimum side of a cell: smaller cells could show single source pixels of small objects. */
const MIN_CELL_PX = 4;

const BLACK = wordOf(0, 0, 0);

/** Replaces covered pixels by opaque black. */
const blacken: Redactor['redact'] = (raster, coverage) =>
  paint(raster, coverage, (_y, from, to, colours) => {
    colours.fill(BLACK, from, to);
  });

/** How each method changes pixels. */
export const REDACTORS: Readonly<Record<Method, Redactor>> = {
  blur: { redact: blur, cellPx: blurCellPx, hasSoftEdge: true },
  pixelate: {
    redact: pixelate,
    cellPx: ({ cells }, shorter) => Math.max(MIN_CELL_PX, shorter / cells),
    hasSoftEdge: false,
  },
  blacken: { redact: blacken, cellPx: blurCellPx, hasSoftEdge: false },
  detect: { redact: () => undefined, cellPx: blurCellPx, hasSoftEdge: false },
};
