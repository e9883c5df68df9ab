import { boxHeight, boxWidth, type Box } from '../../domain/boxes';
import type { Letterbox } from '../pixels/letterbox';

/** A probability map with its place in the image. */
export interface ProbabilityMap {
  readonly data: Float32Array;
  readonly fit: Letterbox;
}

/** Side in px of the blocks that are covered or left out as a whole if their bounds allow it. */
const BLOCK = 16;
/**
 * Distance to the threshold below which a block is decided pixel by pixel; far above the rounding error of a sum of
 * probabilities.
 */
const ROUNDING = 1e-4;

/** The two columns (or rows) of a map next to each image px, with the weight of the second. */
interface Steps {
  readonly near: Int32Array;
  readonly far: Int32Array;
  readonly weight: Float32Array;
}

/** A map with its enlargement to a box. */
interface Enlargement {
  readonly data: Float32Array;
  readonly columns: number;
  readonly across: Steps;
  readonly down: Steps;
  /** Buffers with a value for each column of the map. */
  readonly lows: Float32Array;
  readonly highs: Float32Array;
}

/** @param px first px and end, along one side of the box */
const planSteps = (
  [first, end]: readonly [number, number],
  origin: number,
  scale: number,
  length: number,
): Steps => {
  const count = end - first;
  const near = new Int32Array(count);
  const far = new Int32Array(count);
  const weight = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const at = Math.min(Math.max((first + i + 0.5 - origin) * scale - 0.5, 0), length - 1);
    near[i] = Math.floor(at);
    far[i] = Math.min(Math.floor(at) + 1, length - 1);
    weight[i] = at - Math.floor(at);
  }
  return { near, far, weight };
};

const enlarge = ({ data, fit }: ProbabilityMap, box: Box): Enlargement => ({
  data,
  columns: fit.netWidth,
  across: planSteps([box.x1, box.x2], fit.tile.x, fit.scaleX, fit.netWidth),
  down: planSteps([box.y1, box.y2], fit.tile.y, fit.scaleY, fit.netHeight),
  lows: new Float32Array(fit.netWidth),
  highs: new Float32Array(fit.netWidth),
});

/** Minimum and maximum of the sum of maps in each block of one row of blocks. */
interface Bounds {
  readonly lowest: Float32Array;
  readonly highest: Float32Array;
}

/**
 * Adds the minimum and maximum of a map in each block of the rows [top, bottom): bilinear values lie between those of
 * the cells. NaN stays NaN, and is decided pixel by pixel.
 */
const addBounds = (
  { data, columns, across, down, lows, highs }: Enlargement,
  top: number,
  bottom: number,
  { lowest, highest }: Bounds,
): void => {
  const firstRow = down.near[top] as number;
  const lastRow = down.far[bottom - 1] as number;
  const width = across.near.length;
  const firstColumn = across.near[0] as number;
  const lastColumn = across.far[width - 1] as number;
  lows.fill(Infinity, firstColumn, lastColumn + 1);
  highs.fill(-Infinity, firstColumn, lastColumn + 1);
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn, at = row * columns + column; column <= lastColumn; column++, at++) {
      const value = data[at] as number;
      lows[column] = Math.min(lows[column] as number, value);
      highs[column] = Math.max(highs[column] as number, value);
    }
  }
  for (let block = 0; block < lowest.length; block++) {
    const end = across.far[Math.min(width, (block + 1) * BLOCK) - 1] as number;
    let low = Infinity;
    let high = -Infinity;
    for (let column = across.near[block * BLOCK] as number; column <= end; column++) {
      low = Math.min(low, lows[column] as number);
      high = Math.max(high, highs[column] as number);
    }
    lowest[block] = (lowest[block] as number) + low;
    highest[block] = (highest[block] as number) + high;
  }
};

/** Adds a map's row `y`, enlarged, over columns [from, to). */
const addRow = (
  { data, columns, across, down, lows: line }: Enlargement,
  y: number,
  [from, to]: readonly [number, number],
  sum: Float32Array,
): void => {
  const { near, far, weight } = across;
  const upper = (down.near[y] as number) * columns;
  const lower = (down.far[y] as number) * columns;
  const share = down.weight[y] as number;
  const last = far[to - 1] as number;
  for (let column = near[from] as number; column <= last; column++) {
    const above = data[upper + column] as number;
    line[column] = above + ((data[lower + column] as number) - above) * share;
  }
  for (let x = from; x < to; x++) {
    const left = line[near[x] as number] as number;
    const right = line[far[x] as number] as number;
    sum[x] = (sum[x] as number) + left + (right - left) * (weight[x] as number);
  }
};

/** The kind of a range of blocks: all covered, none covered, or decided pixel by pixel. */
type Kind = 'covered' | 'uncovered' | 'mixed';

const kindOf = ({ lowest, highest }: Bounds, block: number, threshold: number): Kind => {
  if ((lowest[block] as number) >= threshold + ROUNDING) return 'covered';
  return (highest[block] as number) < threshold - ROUNDING ? 'uncovered' : 'mixed';
};

/** A range of columns whose blocks are of one kind, [from, to) in px. */
interface Stretch {
  readonly kind: Exclude<Kind, 'uncovered'>;
  readonly range: readonly [number, number];
}

/** Divides a row of blocks into ranges of one kind; those without covered pixels are left out. */
const stretchesOf = (bounds: Bounds, width: number, threshold: number): readonly Stretch[] => {
  const stretches: Stretch[] = [];
  const blocks = bounds.lowest.length;
  for (let block = 0; block < blocks;) {
    const kind = kindOf(bounds, block, threshold);
    const from = block * BLOCK;
    while (block < blocks && kindOf(bounds, block, threshold) === kind) block++;
    if (kind !== 'uncovered') stretches.push({ kind, range: [from, Math.min(width, block * BLOCK)] });
  }
  return stretches;
};

/**
 * Finds the pixels where the sum of maps, bilinearly enlarged, reaches a threshold.
 *
 * Most pixels are far above or far below the threshold: only blocks at the edge are computed pixel by pixel.
 *
 * @param box whole pixels
 * @param cover called with the covered runs of the row-major mask over the box, [from, to), in their order; a run may
 *   continue the one before
 */
export const coverByMaps = (
  maps: readonly ProbabilityMap[],
  box: Box,
  threshold: number,
  cover: (from: number, to: number) => void,
): void => {
  const width = boxWidth(box);
  const height = boxHeight(box);
  const enlargements = maps.map((map) => enlarge(map, box));

  const blocks = Math.ceil(width / BLOCK);
  const bounds: Bounds = { lowest: new Float32Array(blocks), highest: new Float32Array(blocks) };
  const sum = new Float32Array(width);
  const coverRow = (y: number, range: Stretch['range']): void => {
    const [from, to] = range;
    sum.fill(0, from, to);
    for (const one of enlargements) addRow(one, y, range, sum);
    for (let x = from; x < to; x++) {
      const start = x;
      while (x < to && (sum[x] as number) >= threshold) x++;
      if (start < x) cover(y * width + start, y * width + x);
    }
  };
  for (let top = 0; top < height; top += BLOCK) {
    const bottom = Math.min(height, top + BLOCK);
    bounds.lowest.fill(0);
    bounds.highest.fill(0);
    for (const one of enlargements) addBounds(one, top, bottom, bounds);
    const stretches = stretchesOf(bounds, width, threshold);
    for (let y = top; y < bottom; y++) {
      for (const { kind, range } of stretches) {
        if (kind === 'mixed') coverRow(y, range);
        else cover(y * width + range[0], y * width + range[1]);
      }
    }
  }
};
