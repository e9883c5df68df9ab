import type { Box } from '../../domain/boxes';
import { spreadStarts, windowsOf, type Tile, type Cut } from '../pixels/tile';
import type { CascadePreset } from './quality-presets';
import { clamp } from '../../domain/clamp';

/**
 * Every constant of the windows in which detectors run. The scales and windows of a quality preset are in
 * `quality-presets.ts`, the operating points and scales of a model in its manifest.
 *
 * @see ../../models/eval/eval.ts, which measures the effect of a change
 */

/** Scales of a cascade. */
const CASCADE = {
  /** Maximum network px of one run: bounds memory for images of any size. */
  maxWindowPx: { all: 1024 * 768, proposed: 768 * 640 },
  /** The same for low memory. */
  lowMemoryWindowPx: { all: 768 * 576, proposed: 512 * 384 },
  /** No pass enlarges a tile more than this. */
  maxEnlargement: 2,
  /** Minimum ratio between two scales: below it the finer one shows nothing new. */
  minStep: 1.3,
} as const;

/** Windows around proposals, all in network px. */
const WINDOWS = {
  /** Side of the grid's cells on which windows are laid: a multiple of every network's stride. */
  cellPx: 64,
  /** Margin around a box, so that the network sees its surroundings. */
  marginPx: 24,
  /** Fixed cost of a window, as an equivalent of network px: decoding, and the call itself. */
  costPx: 20_000,
  /** Share of a tile's cells from which the whole tile is searched. */
  wholeTileShare: 0.6,
  /** Overlap of neighbouring parts of a window: an object cut by one part is whole in the other. */
  partOverlapPx: 128,
} as const;

/** One scale of a cascade. */
export interface CascadeScale {
  /** Px to which the tile's longer side is scaled. */
  readonly longSide: number;
  /** Whether the whole tile is searched, or only the proposals of the scales before. */
  readonly coverage: 'all' | 'proposed';
  /** Maximum network px of one window. */
  readonly maxWindowPx: number;
}

/**
 * The scales at which a detector searches a tile, coarse first.
 *
 * A large tile is searched as a whole at a coarse scale, for faces near the camera, and in windows at a finer one, for
 * small faces that the coarse one loses.
 */
export const cascadeScales = (
  { width, height }: Pick<Tile, 'width' | 'height'>,
  { coarse, large, zooms }: CascadePreset,
  isLowMemory = false,
): readonly CascadeScale[] => {
  const maxWindowPx = isLowMemory ? CASCADE.lowMemoryWindowPx : CASCADE.maxWindowPx;
  const side = Math.max(width, height);
  const limit = Math.round(side * CASCADE.maxEnlargement);
  const pixelsAt = (longSide: number): number => width * height * (longSide / side) ** 2;
  const scale = (longSide: number, coverage: CascadeScale['coverage']): CascadeScale => ({
    longSide,
    coverage,
    maxWindowPx: maxWindowPx[coverage],
  });
  // The first pass is not divided into parts: a face larger than their overlap would be whole in none of them.
  const atOnce = (longSide: number): number =>
    Math.max(1, Math.min(longSide, Math.floor(longSide * Math.sqrt(maxWindowPx.all / pixelsAt(longSide)))));
  const isLarge = large !== undefined && side > large.fromSide;
  const scales = isLarge
    ? [scale(atOnce(large.overview), 'all'), scale(large.longSide, 'all')]
    : [scale(atOnce(Math.min(limit, clamp(side, coarse.min, coarse.max))), 'all')];
  for (const zoom of zooms) {
    const { longSide } = scales.at(-1) as CascadeScale;
    const next = Math.min(limit, Math.round(longSide * zoom));
    if (next >= CASCADE.minStep * longSide) scales.push(scale(next, 'proposed'));
  }
  return scales;
};

/** In cells; right and bottom exclusive. */
interface CellArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const cellsIn = ({ left, top, right, bottom }: CellArea): number => (right - left) * (bottom - top);

/** The cost of an area, with the cell of margin around it. */
const costOf = ({ left, top, right, bottom }: CellArea): number =>
  (right - left + 1) * (bottom - top + 1) + WINDOWS.costPx / WINDOWS.cellPx ** 2;

const union = (a: CellArea, b: CellArea): CellArea => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

/** The runs of marked cells in each row. */
const runsOf = (marked: Uint8Array, columns: number): CellArea[] => {
  const runs: CellArea[] = [];
  for (let at = 0; at < marked.length; at++) {
    if (marked[at] === 0) continue;
    const top = Math.floor(at / columns);
    const start = at;
    const rowEnd = (top + 1) * columns;
    while (at < rowEnd && marked[at] === 1) at++;
    runs.push({ left: start % columns, top, right: (start % columns) + (at - start), bottom: top + 1 });
    at--;
  }
  return runs;
};

/** Joins areas as long as one window costs less than two. */
const joinAreas = (areas: readonly CellArea[]): readonly CellArea[] => {
  const joined = [...areas];
  for (;;) {
    let best: { readonly gain: number; readonly i: number; readonly j: number } | undefined;
    for (let i = 0; i < joined.length; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [joined[i] as CellArea, joined[j] as CellArea];
        const gain = costOf(a) + costOf(b) - costOf(union(a, b));
        if (gain > (best?.gain ?? 0)) best = { gain, i, j };
      }
    }
    if (!best) return joined;
    const [second] = joined.splice(best.i, 1);
    const [first] = joined.splice(best.j, 1);
    joined.push(union(first as CellArea, second as CellArea));
  }
};

const markCells = (
  tile: Tile,
  scale: number,
  boxes: readonly Box[],
): { readonly marked: Uint8Array; readonly columns: number; readonly rows: number } => {
  const columns = Math.ceil((tile.width * scale) / WINDOWS.cellPx);
  const rows = Math.ceil((tile.height * scale) / WINDOWS.cellPx);
  const marked = new Uint8Array(columns * rows);
  const cellAt = (px: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor(px / WINDOWS.cellPx)));
  for (const { x1, y1, x2, y2 } of boxes) {
    const left = cellAt((x1 - tile.x) * scale - WINDOWS.marginPx, columns);
    const right = cellAt((x2 - tile.x) * scale + WINDOWS.marginPx, columns);
    const bottom = cellAt((y2 - tile.y) * scale + WINDOWS.marginPx, rows);
    for (let row = cellAt((y1 - tile.y) * scale - WINDOWS.marginPx, rows); row <= bottom; row++) {
      marked.fill(1, row * columns + left, row * columns + right + 1);
    }
  }
  return { marked, columns, rows };
};

/** Parts that cover `length` px, none longer than `extent`. */
const cutLength = (length: number, extent: number, overlap: number): Cut => {
  if (length <= extent) return { starts: [0], extent: length };
  const count = Math.ceil((length - overlap) / (extent - overlap));
  const part = Math.ceil((length + (count - 1) * overlap) / count);
  return { starts: spreadStarts(count, length - part), extent: part };
};

/**
 * Cuts a tile with too many network px into overlapping parts.
 *
 * @param scale network px per image px
 * @param maxPx maximum network px of a part, except for rounding: bounds the memory of a run
 */
export const cutTile = (tile: Tile, scale: number, maxPx: number): readonly Tile[] => {
  if (tile.width * tile.height * scale ** 2 <= maxPx) return [tile];
  const extent = Math.sqrt(maxPx) / scale;
  const overlap = WINDOWS.partOverlapPx / scale;
  const down = cutLength(tile.height, Math.min(tile.height, extent), overlap);
  return windowsOf(tile, cutLength(tile.width, maxPx / scale ** 2 / down.extent, overlap), down);
};

/** @returns the part of a tile that some cells cover, with half a cell around them, in whole image px */
const windowAt = (tile: Tile, scale: number, { left, top, right, bottom }: CellArea): Tile => {
  const px = (cells: number): number => (cells * WINDOWS.cellPx) / scale;
  const x = Math.max(0, Math.floor(px(left - 0.5)));
  const y = Math.max(0, Math.floor(px(top - 0.5)));
  return {
    ...tile,
    x: tile.x + x,
    y: tile.y + y,
    width: Math.min(tile.width, Math.ceil(px(right + 0.5))) - x,
    height: Math.min(tile.height, Math.ceil(px(bottom + 0.5))) - y,
  };
};

/**
 * Lays few windows over some boxes of a tile: a pass over them costs a fraction of one over the whole tile.
 *
 * @param scale network px per image px of the pass
 * @param boxes in image px
 * @param maxPx maximum network px of a window
 */
export const coverWindows = (
  tile: Tile,
  scale: number,
  boxes: readonly Box[],
  maxPx: number,
): readonly Tile[] => {
  if (boxes.length === 0) return [];
  const { marked, columns, rows } = markCells(tile, scale, boxes);
  const share = marked.reduce((sum, one) => sum + one, 0) / marked.length;
  const all: CellArea = { left: 0, top: 0, right: columns, bottom: rows };
  const areas = share > WINDOWS.wholeTileShare ? [all] : joinAreas(runsOf(marked, columns));
  return areas
    .toSorted((a, b) => cellsIn(b) - cellsIn(a))
    .flatMap((area) => cutTile(windowAt(tile, scale, area), scale, maxPx));
};
