import { clipBox, shorterSide } from '../../domain/boxes';
import { type Detection, type Corner, type Corners, cornerBounds } from '../../domain/detection';
import type { Size } from '../../domain/raster';
import { detectAt, RUNS_AT_ONCE, splitWrappedBox, type ModelRun, scalesFor } from '../detect/detect';
import { MIN_SIDE_PX } from '../fusion/fusion-limits';
import type { TileDetection } from '../fusion/merge';
import { type Letterbox, fitEvenWindows, fitLongSide } from '../pixels/letterbox';
import { runAll } from '../runtime/in-parallel';
import { mergeText, type FoundText } from './merge-text';
import type { ModelInput } from '../../domain/manifest';
import type { TextScale } from '../detect/quality-presets';
import type { Tile } from '../pixels/tile';

/** Side of the windows of a finer scale, in network px: as many px as the network gets for a whole image. */
const WINDOW_PX = 960;
/** The same for low memory. */
const LOW_MEMORY_WINDOW_PX = 640;
/**
 * Minimum overlap of windows, in network px: three letters of 40 px, so that another window contains what one cuts.
 * Higher letters are found in the whole image. An overlap of a quarter, as for other classes, takes a third longer in
 * images of 12 MP.
 */
const OVERLAP_PX = 128;
/** Scales closer together than this find the same text twice. */
const MIN_TEXT_SCALE_STEP = 1.4;

/** The finer scales of a tile, as long sides in px. */
const finerScales = (tile: Tile, coarse: number, scales: readonly TextScale[]): readonly number[] => {
  const own = Math.max(tile.width, tile.height);
  const finer: number[] = [];
  for (const { enlargement, maxLongSide } of scales) {
    const longSide = Math.round(Math.min(enlargement * own, maxLongSide));
    if (longSide >= (finer.at(-1) ?? coarse) * MIN_TEXT_SCALE_STEP) finer.push(longSide);
  }
  return finer;
};

/** How a text detector is run over an image. */
interface TextSearch {
  readonly scales: readonly TextScale[];
  readonly lowMemory: boolean;
}

/**
 * Plans the runs of the text detector: each tile as a whole, for large letters, and in windows at finer scales, for small
 * ones.
 */
export const planTextPasses = (
  tiles: readonly Tile[],
  input: ModelInput,
  { scales, lowMemory }: TextSearch,
): readonly Letterbox[] => {
  const { multipleOf = 1 } = input;
  const side = lowMemory ? LOW_MEMORY_WINDOW_PX : WINDOW_PX;
  return tiles.flatMap((tile) => {
    const coarse = scalesFor(tile, input);
    const finer = finerScales(tile, coarse.at(-1) ?? 0, scales);
    return [
      ...coarse.map((longSide) => fitLongSide(tile, longSide, multipleOf)),
      ...finer.flatMap((longSide) =>
        fitEvenWindows(tile, longSide, { side, overlap: OVERLAP_PX, multipleOf }),
      ),
    ];
  });
};

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
  const [near = 0, far = 0] = ends.map((end) => distanceToEdge(end, outwards, size)).sort((a, b) => a - b);
  return near > REACH_HEIGHTS * lineHeight ? 0 : Math.min(far, MAX_HEIGHTS * lineHeight);
};

/**
 * Extends a line that ends near the image's edge up to the edge: the detector misses letters that the edge cuts.
 *
 * @param corners clockwise, of a rectangle
 */
export const extendToEdges = ([a, b, c, d]: Corners, size: Size): Corners => {
  const [across, down] = [Math.hypot(b[0] - a[0], b[1] - a[1]), Math.hypot(d[0] - a[0], d[1] - a[1])];
  // Turned by a quarter, so that the line runs from its first to its second corner.
  if (down > across) {
    const [first, second, third, fourth] = extendToEdges([d, a, b, c], size);
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

const boxCorners = ({ box: { x1, y1, x2, y2 } }: TileDetection): FoundText['corners'] => [
  [x1, y1],
  [x2, y1],
  [x2, y2],
  [x1, y2],
];

const withCorners = (found: TileDetection): FoundText => ({
  ...found,
  corners: found.corners ?? boxCorners(found),
});

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
    return found.flatMap((one) => splitWrappedBox(one, width, fit.tile.wraps)).map(withCorners);
  });
  const found = (await runAll(runs, RUNS_AT_ONCE)).flat();
  return mergeText(found, threshold)
    .map(({ cut: _cut, ...text }) => {
      const corners = extendToEdges(text.corners, pyramid);
      return { ...text, corners, box: clipBox(cornerBounds(corners), width, height) };
    })
    .filter(({ box }) => shorterSide(box) >= MIN_SIDE_PX)
    .sort((a, b) => b.score - a.score);
};
