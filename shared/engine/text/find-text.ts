import { cornerBounds, type Detection, clipBox, shorterSide } from '../../domain/boxes';
import { detectAt, RUNS_AT_ONCE, unwrap } from '../detect/detect';
import { MIN_SIDE_PX } from '../fusion/fusion-limits';
import type { Found } from '../fusion/merge';
import type { LoadedModel } from '../inference/sessions';
import type { Letterbox } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { runAll } from '../runtime/in-parallel';
import { mergeText, type FoundText } from './merge-text';
import { reachEdges } from './reach-edges';

/** What all runs over an image share. */
export interface TextContext {
  readonly pyramid: Pyramid;
  readonly model: LoadedModel;
  /** Minimum score of detections … */
  readonly min: number;
  /** … and score from which text is hidden. */
  readonly threshold: number;
  readonly onStep: () => void;
  readonly signal: AbortSignal;
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
