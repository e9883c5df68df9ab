import type { Detection, Corner, Corners, Size } from '../../domain/boxes';
import { cornerBounds, clipBox, shorterSide } from '../../domain/boxes';
import { detectAt, RUNS_AT_ONCE, unwrap, type ModelRun } from '../detect/detect';
import { MIN_SIDE_PX } from '../fusion/fusion-limits';
import type { Found } from '../fusion/merge';
import type { Letterbox } from '../pixels/letterbox';
import { runAll } from '../runtime/in-parallel';
import { mergeText, type FoundText } from './merge-text';

/** Text that ends this close to the image's edge, in heights of its quadrilateral, may continue to it. */
const REACH_HEIGHTS = 1;
/** Maximum extension, in heights: the end of a slanted line leaves the image only some way behind the edge. */
const MAX_HEIGHTS = 2.5;

/** Distance from a point to the image's edge in a direction; 0 outside the image. */
const distanceToEdge = ([x, y]: Corner, [right, down]: Corner, { width, height }: Size): number => {
  const along = (at: number, end: number, step: number): number => {
    if (step === 0) return Number.POSITIVE_INFINITY;
    return (step < 0 ? at : end - at) / Math.abs(step);
  };
  return Math.max(0, Math.min(along(x, width, right), along(y, height, down)));
};

/** How far an end of a line is moved outwards. @param outwards of length 1 */
const extension = (
  ends: readonly [Corner, Corner],
  outwards: Corner,
  lineHeight: number,
  size: Size,
): number => {
  const [near, far] = ends.map((end) => distanceToEdge(end, outwards, size)).sort((a, b) => a - b) as [
    number,
    number,
  ];
  return near > REACH_HEIGHTS * lineHeight ? 0 : Math.min(far, MAX_HEIGHTS * lineHeight);
};

/**
 * Extends a line that ends near the image's edge up to the edge: the detector misses letters that the edge cuts.
 *
 * @param corners clockwise, of a rectangle
 */
export const reachEdges = ([a, b, c, d]: Corners, size: Size): Corners => {
  const [across, down] = [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(d[0] - a[0], d[1] - a[1])];
  // Turned by a quarter, so that the line runs from its first to its second corner.
  if (down > across) {
    const [first, second, third, fourth] = reachEdges([d, a, b, c], size);
    return [second, third, fourth, first];
  }
  if (across === 0) return [a, b, c, d];
  const [right, below] = [(b[0] - a[0]) / across, (b[1] - a[1]) / across];
  const before = extension([a, d], [-right, -below], down, size);
  const after = extension([b, c], [right, below], down, size);
  const move = ([x, y]: Corner, by: number): Corner => [x + by * right, y + by * below];
  return [move(a, -before), move(b, after), move(c, after), move(d, -before)];
};

/** What all runs over an image share. */
export interface TextContext extends ModelRun {
  /** Minimum score of detections … */
  readonly min: number;
  /** … and score from which text is hidden. */
  readonly threshold: number;
  readonly onStep: () => void;
}

const boxCorners = ({ box: { x1, y1, x2, y2 } }: Found): FoundText['corners'] => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];

const withCorners = (found: Found): FoundText => ({ ...found, corners: found.corners ?? boxCorners(found) });

/**
 * Finds text in any direction.
 *
 * @param passes runs of the text detector, coarse to fine
 * @returns merged text with its quadrilaterals and the boxes around them, best first
 */
export const findText = async (
  passes: readonly Letterbox[],
  { pyramid, model, min, threshold, onStep, signal }: TextContext,
): Promise<Detection[]> => {
  const { width, height } = pyramid;
  const runs = passes.map((fit) => async () => {
    const found = await detectAt(fit, { pyramid, model, wanted: { text: min }, signal });
    onStep();
    return found.flatMap((one) => unwrap(one, width, fit.tile.wraps)).map(withCorners);
  });
  const found = (await runAll(runs, RUNS_AT_ONCE)).flat();
  return mergeText(found, threshold)
    .map(({ cut: _cut, ...text }) => {
      const corners = reachEdges(text.corners, pyramid);
      return { ...text, corners, box: clipBox(cornerBounds(corners), width, height) };
    })
    .filter(({ box }) => shorterSide(box) >= MIN_SIDE_PX)
    .sort((a, b) => b.score - a.score);
};
