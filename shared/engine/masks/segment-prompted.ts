import type { Tensor } from '../../ports/inference';
import { clipBox, growBox, outerPixels, type Detection } from '../../domain/boxes';
import { thresholdOf } from '../../domain/manifest';
import { tileOver } from '../pixels/tile';
import { stretchTo, type Letterbox } from '../pixels/letterbox';
import { CONTEXT } from './mask-limits';
import type { Shape } from '../../domain/plan';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';
import { shapeOfMaps } from './shape-of-map';
import { toTensor } from '../inference/tensor';

/** Labels of a prompt's points. */
const UPPER_LEFT = 2;
const LOWER_RIGHT = 3;

const promptOf = (
  { box }: Detection,
  { tile, scaleX, scaleY }: Letterbox,
): { readonly points: Tensor; readonly labels: Tensor } => {
  const points = Float32Array.of(
    (box.x1 - tile.x) * scaleX,
    (box.y1 - tile.y) * scaleY,
    (box.x2 - tile.x) * scaleX,
    (box.y2 - tile.y) * scaleY,
  );
  return {
    points: { data: points, dims: [1, 1, 2, 2] },
    labels: { data: Float32Array.of(UPPER_LEFT, LOWER_RIGHT), dims: [1, 1, 2] },
  };
};

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

/**
 * Makes the mask of the object in a box with EfficientSAM (Xiong et al. 2023, arXiv:2312.00863).
 *
 * Inputs: the image, stretched; points `[1, 1, 2, 2]`, x and y of the box's corners in network px; labels `[1, 1, 2]`,
 * 2 for the upper left, 3 for the lower right. Output: logits `[1, 1, masks, h, w]`, the best mask first.
 *
 * @returns undefined if the mask fills too little of the box: then the default shape of the class hides more
 */
export const segmentPrompted = async (
  pyramid: Pyramid,
  detection: Detection,
  model: LoadedModel,
): Promise<Shape | undefined> => {
  const { input } = model.entry;
  if (!input.prompts || !input.size) {
    throw new Error(`model ${model.entry.id} has no box prompts in the manifest`);
  }
  const { width, height } = pyramid;
  const context = outerPixels(clipBox(growBox(detection.box, CONTEXT.prompted), width, height));
  const fit = stretchTo(tileOver(context), ...input.size);
  const { points, labels } = promptOf(detection, fit);
  const [output] = await model.run(() => toTensor(pyramid, fit, input), {
    [input.prompts.points]: points,
    [input.prompts.labels]: labels,
  });
  if (!output) throw new Error(`model ${model.entry.id} returned no mask`);
  const data = output.data.subarray(0, fit.netWidth * fit.netHeight).map(sigmoid);
  return shapeOfMaps([{ data, fit }], detection, thresholdOf(model.entry, detection.objectClass), pyramid);
};
