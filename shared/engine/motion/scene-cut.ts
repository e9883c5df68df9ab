import { RGBA, type Raster } from '../../domain/raster';

/** Luma of the parts of a frame, for the detection of camera cuts. */
export interface FrameSignature {
  /** Mean luma of each of `COLUMNS` × `ROWS` cells, row-major, 0..255. */
  readonly luma: Float32Array;
  /** Shares of the sampled pixels by luma, `BINS` bins, sum 1. */
  readonly histogram: Float32Array;
}

const COLUMNS = 16;
const ROWS = 9;
const BINS = 16;
/** Sampled pixels of each cell, across and down. */
const SAMPLES = 6;

const lumaAt = ({ data, width }: Raster, x: number, y: number): number => {
  const at = (y * width + x) * RGBA;
  return 0.299 * (data[at] as number) + 0.587 * (data[at + 1] as number) + 0.114 * (data[at + 2] as number);
};

/** Computes a frame's signature from about 5,000 pixels. The frame must not be redacted yet. */
export const signFrame = (raster: Raster): FrameSignature => {
  const luma = new Float32Array(COLUMNS * ROWS);
  const histogram = new Float32Array(BINS);
  const down = ROWS * SAMPLES;
  const across = COLUMNS * SAMPLES;
  for (let row = 0; row < down; row++) {
    const y = Math.floor(((row + 0.5) * raster.height) / down);
    for (let column = 0; column < across; column++) {
      const value = lumaAt(raster, Math.floor(((column + 0.5) * raster.width) / across), y);
      const cell = Math.floor(row / SAMPLES) * COLUMNS + Math.floor(column / SAMPLES);
      luma[cell] = (luma[cell] as number) + value / SAMPLES ** 2;
      const bin = Math.min(BINS - 1, Math.floor((value * BINS) / 256));
      histogram[bin] = (histogram[bin] as number) + 1 / (down * across);
    }
  }
  return { luma, histogram };
};

/** Minimum difference of the histograms at a cut, as a share; a pan moves content but keeps the histogram. */
const CUT_HISTOGRAM = 0.18;
/** Maximum correlation of the two luma grids at a cut; a flash changes brightness but keeps the structure. */
const CUT_CORRELATION = 0.5;
/** Minimum share of the cells that change at a cut, and by how much, in luma. */
const CUT_CHANGED = 0.5;
const CELL_CHANGE = 12;

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Pearson's correlation; 1 for two plain frames. */
const correlation = (a: Float32Array, b: Float32Array): number => {
  const meanA = mean(a);
  const meanB = mean(b);
  let both = 0;
  let ownA = 0;
  let ownB = 0;
  for (let i = 0; i < a.length; i++) {
    const da = (a[i] as number) - meanA;
    const db = (b[i] as number) - meanB;
    both += da * db;
    ownA += da * da;
    ownB += db * db;
  }
  const scale = Math.sqrt(ownA * ownB);
  if (scale < 1) return ownA < 1 && ownB < 1 ? 1 : 0;
  return both / scale;
};

/**
 * Share of the cells whose change of luma differs clearly from the median change: a large object that comes into view
 * changes only its own place.
 */
const shareChanged = (a: Float32Array, b: Float32Array): number => {
  const changes = a.map((value, i) => (b[i] as number) - value);
  const middle = changes.toSorted()[changes.length >> 1] as number;
  return changes.filter((change) => Math.abs(change - middle) > CELL_CHANGE).length / changes.length;
};

/**
 * Whether a camera cut lies between two successive frames.
 *
 * All measures must agree: a false cut ends tracks of objects that are still there, but a missed one only hides too
 * much for less than a second.
 */
export const isSceneCut = (before: FrameSignature, after: FrameSignature): boolean => {
  const moved = before.histogram.reduce(
    (sum, share, bin) => sum + Math.abs(share - (after.histogram[bin] as number)),
    0,
  );
  return (
    moved / 2 > CUT_HISTOGRAM &&
    correlation(before.luma, after.luma) < CUT_CORRELATION &&
    shareChanged(before.luma, after.luma) > CUT_CHANGED
  );
};
