import { boxHeight, boxWidth, clipBox, growBox, outerPixels, type Box } from './boxes';
import { fitInside, stretchTo } from './letterbox';
import type { ObjectClass } from './object-class';
import type { Shape } from './plan';
import { addMap, type ProbabilityMap } from './probability-map';
import type { Pyramid } from './pyramid';
import { encodeRuns } from './runs';
import type { LoadedModel } from './sessions';
import { toTensor } from './tensor';
import type { Tile } from './tile';

/** What the mask networks are shown around the person, as a share of the box. */
const CONTEXT = 0.12;
/** The mask may reach this far out of the box: boxes cut hands and feet. */
const REACH = 0.04;
/** Below this filled share of the box the networks have not understood the picture. */
const LEAST_FILLED = 0.2;
const CLASS: ObjectClass = 'person';

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

const runMask = async (pyramid: Pyramid, tile: Tile, model: LoadedModel): Promise<ProbabilityMap> => {
  const [width, height] = model.entry.input.size ?? [256, 256];
  const fit =
    model.entry.head === 'pose-mask'
      ? fitInside(squareAround(tile), width, height)
      : stretchTo(tile, width, height);
  const [output] = await model.run(() => toTensor(pyramid, fit, model.entry.input));
  if (!output) throw new Error(`model ${model.entry.id} gave no mask`);
  return { data: output.data, fit };
};

/**
 * Outlines a person inside its box: mean of the mask networks' probabilities above their threshold.
 *
 * @returns undefined where they fill hardly any of the box: a wrong outline would show the person
 */
export const segmentPerson = async (
  pyramid: Pyramid,
  person: Box,
  models: readonly LoadedModel[],
): Promise<Shape | undefined> => {
  const box = outerPixels(clipBox(growBox(person, REACH), pyramid.width, pyramid.height));
  const context = outerPixels(clipBox(growBox(person, CONTEXT), pyramid.width, pyramid.height));
  const tile: Tile = {
    x: context.x1,
    y: context.y1,
    width: boxWidth(context),
    height: boxHeight(context),
    wraps: false,
  };
  const sum = new Float32Array(boxWidth(box) * boxHeight(box));
  let threshold = 0;
  for (const model of models) {
    addMap(await runMask(pyramid, tile, model), box, sum);
    threshold += model.entry.thresholds[CLASS] ?? 0.5;
  }
  const mask = new Uint8Array(sum.length);
  let filled = 0;
  for (let i = 0; i < sum.length; i++) {
    if ((sum[i] as number) <= threshold) continue;
    mask[i] = 1;
    filled++;
  }
  return filled < LEAST_FILLED * mask.length ? undefined : { kind: 'runs', box, runs: encodeRuns(mask) };
};
