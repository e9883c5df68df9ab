/** A step of a HEIF image's way to its upright form, in the order in which the file lists them. */
export type HeifTurn =
  /** Anticlockwise. */
  | { readonly kind: 'rotate'; readonly quarters: number }
  /** `isUpsideDown`: top and bottom change places; else left and right. */
  | { readonly kind: 'mirror'; readonly isUpsideDown: boolean };

/** Where the right and the lower side of an image point to, as rows of a matrix. */
type Axes = readonly [number, number, number, number];

const times = ([a, b, c, d]: Axes, [e, f, g, h]: Axes): Axes => [
  a * e + b * g,
  a * f + b * h,
  c * e + d * g,
  c * f + d * h,
];

const UPRIGHT: Axes = [1, 0, 0, 1];
/**
 * By quarter turns anticlockwise. x to the right, y downwards: (1, 0), the right side, points up after one of them.
 */
const ROTATIONS: readonly Axes[] = [UPRIGHT, [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];

const axesOf = (turn: HeifTurn): Axes => {
  if (turn.kind === 'mirror') return turn.isUpsideDown ? [1, 0, 0, -1] : [-1, 0, 0, 1];
  return ROTATIONS[turn.quarters % ROTATIONS.length] ?? UPRIGHT;
};

/** EXIF's numbers for what has to be done to the stored image, by the matrix that does it. */
const EXIF_ORIENTATIONS: Readonly<Record<string, number>> = {
  '1,0,0,1': 1,
  '-1,0,0,1': 2,
  '-1,0,0,-1': 3,
  '1,0,0,-1': 4,
  '0,1,1,0': 5,
  '0,-1,1,0': 6,
  '0,-1,-1,0': 7,
  '0,1,-1,0': 8,
};

/** The orientation 1..8, as EXIF counts them, that does the same as these steps one after another. */
export const orientationOf = (turns: readonly HeifTurn[]): number => {
  const axes = turns.reduce((done, turn) => times(axesOf(turn), done), UPRIGHT);
  return EXIF_ORIENTATIONS[axes.map((each) => each + 0).join(',')] ?? 1;
};
