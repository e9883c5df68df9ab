import type { Strength } from '../../catalogue/class-rules';
import type { Method } from '../../catalogue/methods';
import { boxHeight, boxWidth } from '../../domain/boxes';
import { wordOf, editWords, OPAQUE, type Raster } from '../../domain/raster';
import { averageCells, cellStart } from './cells';
import { forEachCoveredSpan, type Coverage } from './coverage';
import { smoothCells } from './spline';
import { byteRow, endOfRun } from '../pixels/runs';

/**
 * Writes the new colours of one row's columns [from, to) into `colours`, one word for each column.
 *
 * Row and columns count from the corner of the covered rectangle. Rows are requested from top to bottom, some several
 * times, some never; `colours` keeps its content between calls.
 */
type SpanPainter = (y: number, from: number, to: number, colours: Int32Array) => void;

/** Every second byte of a word: red and blue of a pixel, each with room for a multiplication by 256. */
const LANES = 0xff00ff;
const GREEN = 0xff00;
/** Half of 256 in each lane, for rounding. */
const HALVES = 0x800080;
const HALF_GREEN = 0x8000;

/** Blends two words; the share of the new one is `cover` / 255. */
const mix = (old: number, fresh: number, cover: number): number => {
  const ofFresh = cover + (cover >>> 7); // of 256
  const ofOld = 256 - ofFresh;
  const redBlue = (((Math.imul(old & LANES, ofOld) + Math.imul(fresh & LANES, ofFresh)) | 0) + HALVES) | 0;
  const green = (Math.imul(old & GREEN, ofOld) + Math.imul(fresh & GREEN, ofFresh) + HALF_GREEN) | 0;
  return OPAQUE | ((redBlue >>> 8) & LANES) | ((green >>> 8) & GREEN);
};

/** Length of a run from which a copying call is faster than a loop. */
const LONG_RUN_PX = 32;

/** Blends new colours over the image by `coverage`; fully hidden pixels contain nothing of the old colours. */
export const paint = (raster: Raster, coverage: Coverage, paintSpan: SpanPainter): void => {
  const { box, alpha } = coverage;
  const width = boxWidth(box);
  const covers = byteRow(alpha);
  const colours = new Int32Array(width);
  editWords(raster, (words) => {
    forEachCoveredSpan(coverage, (imageY, imageFrom, imageTo) => {
      const y = imageY - box.y1;
      const from = imageFrom - box.x1;
      const to = imageTo - box.x1;
      paintSpan(y, from, to, colours);
      const row = y * width;
      const imageRow = imageY * raster.width + box.x1;
      for (let x = from; x < to;) {
        const cover = alpha[row + x] as number;
        if (cover !== 255) {
          words[imageRow + x] = mix(words[imageRow + x] as number, colours[x] as number, cover);
          x++;
          continue;
        }
        const end = endOfRun(covers, row + x, row + to) - row;
        if (end - x >= LONG_RUN_PX) words.set(colours.subarray(x, end), imageRow + x);
        else for (let i = x; i < end; i++) words[imageRow + i] = colours[i] as number;
        x = end;
      }
    });
  });
};

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
