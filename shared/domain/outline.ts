/** The mask of one object as its detector outputs it, on a grid coarser than the image. */
export interface DetectorMask {
  /** Probability 0..1 that a cell belongs to the object, row by row. */
  readonly data: Float32Array;
  readonly columns: number;
  readonly rows: number;
  /** The grid's upper left corner, in px of the same frame as the object's box. */
  readonly x: number;
  readonly y: number;
  /** Cells per px of that frame. */
  readonly scaleX: number;
  readonly scaleY: number;
}
