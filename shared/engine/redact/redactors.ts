import { AREA_CELLS, type AveragedCells, CLASS_RULES } from '../../catalogue/class-rules';
import { perClass } from '../../catalogue/classes';
import type { Method } from '../../catalogue/methods';
import { boxHeight, boxWidth } from '../../domain/boxes';
import { packRgba, editWords, OPAQUE, type Raster } from '../../domain/raster';
import type { Region, ReportedDetection } from '../../domain/plan';
import { averageCells, type CellGrid, cellStart, fixedCells } from './cells';
import { forEachCoveredSpan, type Coverage } from './coverage';
import { smoothCells, type SpanPainter } from './spline';
import { byteRow, endOfRun } from '../pixels/runs';

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

/** Blends new colours over the image by `coverage`; fully hidden pixels contain nothing of the old colours. */
export const paint = (raster: Raster, coverage: Coverage, paintSpan: SpanPainter): void => {
  const { box, alpha } = coverage;
  const width = boxWidth(box);
  const covers = byteRow(alpha);
  const blended = { words: new Int32Array(width), start: 0 };
  editWords(raster, (words) => {
    forEachCoveredSpan(coverage, (imageY, imageFrom, imageTo) => {
      const y = imageY - box.y1;
      const to = imageTo - box.x1;
      const row = y * width;
      const start = imageY * raster.width + box.x1;
      for (let x = imageFrom - box.x1; x < to;) {
        const from = x;
        if (alpha[row + x] === 255) {
          x = endOfRun(covers, row + x, row + to) - row;
          paintSpan(y, from, x, { words, start });
          continue;
        }
        while (x < to && alpha[row + x] !== 255) x++;
        paintSpan(y, from, x, blended);
        for (let i = from; i < x; i++) {
          const fresh = blended.words[i] as number;
          words[start + i] = mix(words[start + i] as number, fresh, alpha[row + i] as number);
        }
      }
    });
  });
};

/** What a redactor needs to know of a region. */
interface RedactedRegion extends Pick<Region, 'cellPx'> {
  readonly detection: Pick<ReportedDetection, 'objectClass'>;
  /** How many times as wide as high cells are; 1 if absent. */
  readonly stretch?: number;
}

export interface Redactor {
  /** Replaces covered pixels. */
  readonly redact: (raster: Raster, coverage: Coverage, region: RedactedRegion) => void;
  /** Side in px of the averaged cells, for an object with these sides. */
  readonly cellPx: (cells: AveragedCells, shorter: number, longer: number) => number;
  /** Whether regions get a soft edge, outside their shape. */
  readonly hasSoftEdge: boolean;
}

const FIXED_GRIDS = {
  ...perClass((name) => {
    const { cells } = CLASS_RULES[name].strength;
    return 'fixed' in cells ? fixedCells(cells.fixed) : undefined;
  }),
  area: fixedCells(AREA_CELLS.fixed),
};

/** The colours that replace a region: those of its class, or the means of its own pixels. */
export const gridOf = (
  raster: Raster,
  { box }: Coverage,
  { detection, cellPx, stretch = 1 }: RedactedRegion,
): CellGrid => FIXED_GRIDS[detection.objectClass] ?? averageCells(raster, box, cellPx, stretch);

/**
 * Blurs covered pixels: colours of cells, smoothed by a cubic B-spline.
 *
 * A Gaussian blur is a filter, and filters can be inverted. Here the result depends only on a few cell means, so all
 * detail inside a cell is lost permanently; with fixed cells it depends on no hidden pixel. The B-spline over cells of
 * side s equals three box blurs of width s on the means.
 */
const blur: Redactor['redact'] = (raster, coverage, region) => {
  const grid = gridOf(raster, coverage, region);
  paint(raster, coverage, smoothCells(grid, boxWidth(coverage.box), boxHeight(coverage.box)));
};

const blurCellPx: Redactor['cellPx'] = ({ blur: { minPx, share, of } }, shorter, longer) =>
  Math.max(minPx, share * (of === 'longer' ? longer : shorter));

/** Replaces covered pixels by cells of one colour. */
const pixelate: Redactor['redact'] = (raster, coverage, region) => {
  const width = boxWidth(coverage.box);
  const height = boxHeight(coverage.box);
  const { columns, rows, means } = gridOf(raster, coverage, region);
  const colourOf = (cell: number): number =>
    packRgba(means[3 * cell] as number, means[3 * cell + 1] as number, means[3 * cell + 2] as number);
  const colours = new Int32Array(width);
  let row = -1;
  const placeRow = (y: number): void => {
    if (row >= 0 && y < cellStart(row + 1, rows, height)) return;
    while (y >= cellStart(row + 1, rows, height)) row++;
    for (let column = 0; column < columns; column++) {
      const end = cellStart(column + 1, columns, width);
      colours.fill(colourOf(row * columns + column), cellStart(column, columns, width), end);
    }
  };
  paint(raster, coverage, (y, from, to, { words, start }) => {
    placeRow(y);
    words.set(colours.subarray(from, to), start + from);
  });
};

/** Minimum side of a cell: smaller cells could show single source pixels of small objects. */
export const MIN_CELL_PX = 4;

const BLACK = packRgba(0, 0, 0);

/** Replaces covered pixels by opaque black. */
const blacken: Redactor['redact'] = (raster, coverage) =>
  paint(raster, coverage, (_y, from, to, { words, start }) => {
    words.fill(BLACK, start + from, start + to);
  });

/** How each method changes pixels. */
export const REDACTORS: Readonly<Record<Method, Redactor>> = {
  blur: { redact: blur, cellPx: blurCellPx, hasSoftEdge: true },
  pixelate: {
    redact: pixelate,
    cellPx: ({ pixelate: count }, shorter) => Math.max(MIN_CELL_PX, shorter / count),
    hasSoftEdge: false,
  },
  blacken: { redact: blacken, cellPx: blurCellPx, hasSoftEdge: false },
  detect: { redact: () => undefined, cellPx: blurCellPx, hasSoftEdge: false },
};
