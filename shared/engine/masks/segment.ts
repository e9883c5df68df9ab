import { thresholdOf, type ModelEntry, type ModelInput } from '../../domain/manifest';
import { RUNS_AT_ONCE } from '../detect/detect';
import { type Box, clipBox, growBox, outerPixels, boxHeight, boxWidth } from '../../domain/boxes';
import type { Detection } from '../../domain/detection';
import { runAll } from '../runtime/in-parallel';
import type { Shape } from '../../domain/plan';
import type { Size } from '../../domain/raster';
import type { Pyramid } from '../pixels/pyramid';
import type { Sessions, LoadedModel } from '../inference/sessions';
import { shapeOfMasks, shapeOfMaps } from './shape-of-map';
import type { Tensor } from '../../ports/inference';
import { tileOver, type Tile } from '../pixels/tile';
import { stretchTo, fitInside, type Letterbox } from '../pixels/letterbox';
import { CONTEXT, CORE, LOWERING, MIN_REACH_PX } from './mask-limits';
import { toTensor } from '../inference/tensor';
import { CLASS_RULES } from '../../catalogue/class-rules';
import { collectRuns, countCovered, forEachRun } from '../pixels/runs';
import { coverByMaps, type ProbabilityMap } from './cover-by-maps';
import { fillShape } from './fill-shape';

/**
 * Closes the holes of a mask: a windscreen is part of the car, although it is transparent.
 *
 * Works in place: cells below the threshold that are not connected with the map's edge by such cells become 1.
 */
export const fillHoles = ({ data: map, fit }: ProbabilityMap, threshold: number): void => {
  const { netWidth: width, netHeight: height } = fit;
  const isOpen = new Uint8Array(map.length);
  const waiting: number[] = [];
  const visit = (cell: number): void => {
    if (isOpen[cell] || (map[cell] as number) >= threshold) return;
    isOpen[cell] = 1;
    waiting.push(cell);
  };
  for (let x = 0; x < width; x++) [x, map.length - 1 - x].forEach(visit);
  for (let y = 0; y < height; y++) [y * width, (y + 1) * width - 1].forEach(visit);
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const x = cell % width;
    if (x > 0) visit(cell - 1);
    if (x < width - 1) visit(cell + 1);
    if (cell >= width) visit(cell - width);
    if (cell < map.length - width) visit(cell + width);
  }
  for (let cell = 0; cell < map.length; cell++) {
    if (!isOpen[cell] && (map[cell] as number) < threshold) map[cell] = 1;
  }
};

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

/** Share of a detected box's core that a mask covers. @param box the rectangle of the mask */
const shareOfCore = (runs: readonly number[], box: Box, found: Box): number => {
  const core = new Uint8Array(boxWidth(box) * boxHeight(box));
  fillShape({ kind: 'superellipse', box: growBox(found, -CORE.inset), exponent: CORE.exponent }, box, core);
  let size = 0;
  for (const covered of core) size += covered === 0 ? 0 : 1;
  let shared = 0;
  forEachRun(runs, (start, end) => {
    for (let at = start; at < end; at++) shared += core[at] === 0 ? 0 : 1;
  });
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

/** The roots of a map's probabilities; bilinear values lie between the roots of the cells. */
const rootsOf = ({ data, fit }: ProbabilityMap): ProbabilityMap => ({
  data: data.map((probability) => Math.sqrt(Math.max(0, probability))),
  fit,
});

/** The part of an image in which an object's mask may lie. */
const reachOf = (found: Box, reach: number, { width, height }: Size): Box => {
  const dx = Math.max(reach * boxWidth(found), MIN_REACH_PX);
  const dy = Math.max(reach * boxHeight(found), MIN_REACH_PX);
  const grown = { x1: found.x1 - dx, y1: found.y1 - dy, x2: found.x2 + dx, y2: found.y2 + dy };
  return outerPixels(clipBox(grown, width, height));
};

/**
 * Makes the mask of an object: the pixels where the sum of the roots of the networks' probabilities reaches the sum of
 * the roots of their thresholds. Roots count a pixel on which networks agree more than one of which a single one is confident.
 *
 * If the mask covers only a part of the object, as the core of the box tells, the threshold is lowered step by step.
 *
 * @param models mask networks of its class
 * @returns undefined if no mask fills enough of the box: a wrong mask would leave the object visible
 */
export const segmentObject = async (
  pyramid: Pyramid,
  { box: found, objectClass }: Detection,
  models: readonly LoadedModel[],
): Promise<Shape | undefined> => {
  const rules = CLASS_RULES[objectClass].mask;
  if (!rules) return undefined;
  const box = reachOf(found, rules.reach, pyramid);
  const maps: ProbabilityMap[] = [];
  const thresholds: number[] = [];
  for (const model of models) {
    const map = await (model.entry.head === 'object-outline' ? mapObject : mapPerson)(pyramid, found, model);
    maps.push(rootsOf(map));
    thresholds.push(Math.sqrt(thresholdOf(model.entry, objectClass)));
  }
  const area = boxWidth(box) * boxHeight(box);
  const lowest = rules.minShareOfCore === 0 ? 1 : LOWERING.lowest;
  for (let lowered = 1; lowered >= lowest; lowered *= LOWERING.step) {
    if (rules.fillsHoles) maps.forEach((map, i) => fillHoles(map, lowered * (thresholds[i] as number)));
    const { cover, finish } = collectRuns();
    coverByMaps(maps, box, lowered * thresholds.reduce((sum, root) => sum + root, 0), cover);
    const runs = finish(area);
    const isPlausible =
      countCovered(runs) >= rules.minFilled * area &&
      (rules.minShareOfCore === 0 || shareOfCore(runs, box, found) >= rules.minShareOfCore);
    if (isPlausible) return { kind: 'runs', box, runs };
  }
  return undefined;
};

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
const segmentPrompted = async (
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

/**
 * Makes one object's mask: by a prompted network, by its detector's own mask, or by its class's mask networks;
 * undefined without any.
 */
const shapeOf = async (
  pyramid: Pyramid,
  detection: Detection,
  models: readonly ModelEntry[],
  sessions: Sessions,
): Promise<Shape | undefined> => {
  const ofClass = models.filter(({ classes }) => classes.includes(detection.objectClass));
  const prompted = ofClass.find(({ input }) => input.prompts !== undefined);
  if (prompted) return segmentPrompted(pyramid, detection, await sessions.get(prompted));
  const own = shapeOfMasks(detection, pyramid);
  if (own || ofClass.length === 0) return own;
  const loaded = await Promise.all(ofClass.map((entry) => sessions.get(entry)));
  return segmentObject(pyramid, detection, loaded);
};

/**
 * Makes masks of objects that have one from their detector, or a mask network for their class. Other objects are hidden
 * by the default shape of their class.
 *
 * @param run with the mask networks
 */
export const segment = async (
  pyramid: Pyramid,
  detections: readonly Detection[],
  run: { readonly models: readonly ModelEntry[]; readonly sessions: Sessions; readonly signal: AbortSignal },
): Promise<ReadonlyMap<Detection, Shape>> => {
  const tasks = detections.map((detection) => async () => {
    run.signal.throwIfAborted();
    return [detection, await shapeOf(pyramid, detection, run.models, run.sessions)] as const;
  });
  const shapes = await runAll(tasks, RUNS_AT_ONCE);
  return new Map(shapes.flatMap(([detection, shape]) => (shape ? [[detection, shape] as const] : [])));
};
