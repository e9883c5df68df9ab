import type { Box, Detection } from '../../domain/boxes';
import { boxHeight, boxWidth, clipBox, growBox, outerPixels } from '../../domain/boxes';
import { CLASS_RULES } from '../../catalogue/class-rules';
import { thresholdOf, type ModelInput } from '../../domain/manifest';
import type { Shape } from '../../domain/plan';
import { fitInside, stretchTo } from '../pixels/letterbox';
import type { Pyramid } from '../pixels/pyramid';
import { countCovered, encodeRuns } from '../pixels/runs';
import type { LoadedModel } from '../inference/sessions';
import { toTensor } from '../inference/tensor';
import { tileOver, type Tile } from '../pixels/tile';
import { coverByMaps } from './cover-by-maps';
import { fillHoles } from './fill-holes';
import { fillShape } from './fill-shape';
import { CONTEXT, CORE } from './mask-limits';
import type { ProbabilityMap } from './probability-map';

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
const mapObject = async (
  pyramid: Pyramid,
  box: Box,
  { entry, run }: LoadedModel,
): Promise<ProbabilityMap> => {
  const tile = tileOver(growBox(box, CONTEXT.object));
  const [output] = await run(() =>
    toTensor(pyramid, stretchTo(tile, ...sizeFor(entry.input, box)), entry.input),
  );
  const [rows, columns] = output?.dims.slice(2) ?? [];
  if (!output || !rows || !columns) throw new Error(`model ${entry.id} returned no mask`);
  return { data: output.data, fit: stretchTo(tile, columns, rows) };
};

/** Share of a detected box's core that the mask covers. @param box the rectangle of the mask */
const shareOfCore = (mask: Uint8Array, box: Box, found: Box): number => {
  const core = new Uint8Array(mask.length);
  fillShape({ kind: 'superellipse', box: growBox(found, -CORE.inset), exponent: CORE.exponent }, box, core);
  let size = 0;
  let shared = 0;
  for (let i = 0; i < core.length; i++) {
    if (core[i] === 0) continue;
    size++;
    shared += mask[i] as number;
  }
  return size === 0 ? 0 : shared / size;
};

/** A square window around the person: the pose network expects its subject centred and undistorted. */
const squareAround = (tile: Tile): Tile => {
  const side = Math.max(tile.width, tile.height);
  return {
    x: tile.x + (tile.width - side) / 2,
    y: tile.y + (tile.height - side) / 2,
    width: side,
    height: side,
    wraps: false,
  };
};

const mapPerson = async (pyramid: Pyramid, person: Box, model: LoadedModel): Promise<ProbabilityMap> => {
  const context = growBox(person, CONTEXT.person);
  const tile = tileOver(outerPixels(clipBox(context, pyramid.width, pyramid.height)));
  const [width, height] = model.entry.input.size ?? [256, 256];
  const fit =
    model.entry.head === 'pose-mask'
      ? fitInside(squareAround(tile), width, height)
      : stretchTo(tile, width, height);
  const [output] = await model.run(() => toTensor(pyramid, fit, model.entry.input));
  if (!output) throw new Error(`model ${model.entry.id} returned no mask`);
  return { data: output.data, fit };
};

/**
 * Makes the mask of an object: the pixels where the mean of the networks' probabilities reaches the mean of their
 * thresholds.
 *
 * @param models mask networks of its class
 * @returns undefined if the mask fills too little of the box: a wrong mask would leave the object visible
 */
export const segmentObject = async (
  pyramid: Pyramid,
  { box: found, objectClass }: Detection,
  models: readonly LoadedModel[],
): Promise<Shape | undefined> => {
  const rules = CLASS_RULES[objectClass].mask;
  if (!rules) return undefined;
  const box = outerPixels(clipBox(growBox(found, rules.reach), pyramid.width, pyramid.height));
  const maps: ProbabilityMap[] = [];
  let threshold = 0;
  for (const model of models) {
    const min = thresholdOf(model.entry, objectClass);
    const map = await (model.entry.head === 'object-outline' ? mapObject : mapPerson)(pyramid, found, model);
    if (rules.fillsHoles) fillHoles(map, min);
    maps.push(map);
    threshold += min;
  }
  const mask = new Uint8Array(boxWidth(box) * boxHeight(box));
  coverByMaps(maps, box, threshold, mask);
  const runs = encodeRuns(mask);
  const isPlausible =
    countCovered(runs) >= rules.minFilled * mask.length &&
    (rules.minShareOfCore === 0 || shareOfCore(mask, box, found) >= rules.minShareOfCore);
  return isPlausible ? { kind: 'runs', box, runs } : undefined;
};
