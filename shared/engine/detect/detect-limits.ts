/**
 * Every constant of the windows in which detectors run. The scales and windows of a quality preset are in
 * `quality-presets.ts`, the operating points and scales of a model in its manifest.
 *
 * @see ../../models/eval/eval.ts, which measures the effect of a change
 */

/** Scales of a cascade. */
export const CASCADE = {
  /** Maximum network px of one run: bounds memory for images of any size. */
  maxWindowPx: { all: 1024 * 768, proposed: 768 * 640 },
  /** The same for low memory. */
  lowMemoryWindowPx: { all: 768 * 576, proposed: 512 * 384 },
  /** Minimum ratio between two scales: below it the finer one shows nothing new. */
  minStep: 1.3,
} as const;

/** Windows around proposals, all in network px. */
export const WINDOWS = {
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
