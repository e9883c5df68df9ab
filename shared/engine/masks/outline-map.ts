import type { ModelInput } from '../../domain/manifest';
import { boxHeight, boxWidth, growBox, type Box } from '../../domain/boxes';
import { stretchTo } from '../pixels/letterbox';
import { CONTEXT } from './mask-limits';
import type { ProbabilityMap } from './probability-map';
import type { Pyramid } from '../pixels/pyramid';
import type { LoadedModel } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import type { Tile } from '../pixels/tile';

type InputSize = readonly [width: number, height: number];

/** The input size with the proportions nearest to the box's, so that objects are distorted as little as possible. */
const sizeFor = ({ sizes }: ModelInput, box: Box): InputSize => {
  if (!sizes) throw new Error('the mask network has no input sizes in the manifest');
  const off = ([width, height]: InputSize): number =>
    Math.abs(Math.log((boxWidth(box) * height) / (boxHeight(box) * width)));
  return sizes.reduce((best, size) => (off(size) < off(best) ? size : best));
};

/**
 * Runs the project's own segmentation network (`models/train/object-outlines`) on a box and its surroundings.
 *
 * Input: the box with its surroundings, stretched. Output: probabilities `[1, 1, h / 4, w / 4]`.
 */
export const mapObject = async (
  pyramid: Pyramid,
  box: Box,
  { entry, run }: LoadedModel,
): Promise<ProbabilityMap> => {
  const context = growBox(box, CONTEXT.object);
  const tile: Tile = {
    x: context.x1,
    y: context.y1,
    width: boxWidth(context),
    height: boxHeight(context),
    wraps: false,
  };
  const [output] = await run(() =>
    toTensor(pyramid, stretchTo(tile, ...sizeFor(entry.input, box)), entry.input),
  );
  const [rows, columns] = output?.dims.slice(2) ?? [];
  if (!output || !rows || !columns) throw new Error(`model ${entry.id} returned no mask`);
  return { data: output.data, fit: stretchTo(tile, columns, rows) };
};
