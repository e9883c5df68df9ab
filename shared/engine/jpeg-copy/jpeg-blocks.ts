/** Coefficients of a block, 8 × 8. */
export const BLOCK_LENGTH = 64;
/** Pixels of a side of a block. */
export const BLOCK_SIDE = 8;

/**
 * A source that this folder does not copy: its result is encoded as that of any other file. Never shown to a user.
 */
export class NotCopyable extends Error {}

/** One component (Y, Cb or Cr) of a JPEG file. */
export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, 1..4. */
  readonly across: number;
  readonly down: number;
  /** Number of its quantisation table. */
  readonly table: number;
  /** Blocks that its visible samples touch. */
  readonly columns: number;
  readonly rows: number;
  /** Blocks in a row of `coefficients`, with those that only fill the last MCU. */
  readonly stride: number;
  /** Quantised, in zigzag order, block after block. */
  readonly coefficients: Int16Array;
}

/** A JPEG file down to its quantised coefficients. @see ITU-T T.81 */
export interface JpegBlocks {
  readonly width: number;
  readonly height: number;
  readonly isProgressive: boolean;
  readonly components: readonly JpegComponent[];
  /** Quantisation tables by number, each with 64 steps of 1..255 in zigzag order. */
  readonly tables: ReadonlyMap<number, Uint8Array>;
}

export const largestAcross = (components: readonly Pick<JpegComponent, 'across'>[]): number =>
  Math.max(...components.map(({ across }) => across));
export const largestDown = (components: readonly Pick<JpegComponent, 'down'>[]): number =>
  Math.max(...components.map(({ down }) => down));

/** Natural index (row × 8 + column) of each coefficient in zigzag order. @see ITU-T T.81, figure A.6 */
export const ZIGZAG: Uint8Array = (() => {
  const order = new Uint8Array(BLOCK_LENGTH);
  let [row, column] = [0, 0];
  for (let index = 0; index < BLOCK_LENGTH; index++) {
    order[index] = row * BLOCK_SIDE + column;
    const isUpwards = (row + column) % 2 === 0;
    if (isUpwards && column === BLOCK_SIDE - 1) row++;
    else if (isUpwards && row === 0) column++;
    else if (isUpwards) [row, column] = [row - 1, column + 1];
    else if (row === BLOCK_SIDE - 1) column++;
    else if (column === 0) row++;
    else [row, column] = [row + 1, column - 1];
  }
  return order;
})();
