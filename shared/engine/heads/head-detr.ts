import type { Labels, ModelInput } from '../../domain/manifest';
import { boxAround } from '../../domain/boxes';
import type { Size } from '../../domain/raster';
import type { Tensor } from '../../ports/inference';
import type { DetectionHead, Head, RawDetection } from './head';
import { bestLabel, wantedLabels } from './head-yolo';
import { readPrototypes, withMasks, type Prototypes } from './mask-prototypes';
import { dimsOf, hasDims, inputOf, type Graph, type GraphReading, type Recognise } from './recognise-graph';

/**
 * Maximum number of predictions. Usual networks make 300; a user's file may make any number, and merging compares them
 * in pairs.
 */
const MAX_QUERIES = 1000;
const SIDES = 4;

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

const shapeOf = ({ dims }: Tensor): string => `[${dims.join(', ')}]`;

/** @throws if the shapes do not match each other */
const checkShapes = (
  logits: Tensor,
  boxes: Tensor,
): { readonly queries: number; readonly classes: number } => {
  const [batch, queries = 0, classes = 0] = logits.dims;
  const isWhole =
    batch === 1 &&
    logits.dims.length === 3 &&
    logits.data.length === queries * classes &&
    boxes.data.length === queries * SIDES &&
    boxes.dims.at(-1) === SIDES;
  if (!isWhole) {
    throw new Error(
      `scores of the shape ${shapeOf(logits)} do not match boxes of the shape ${shapeOf(boxes)}`,
    );
  }
  if (queries > MAX_QUERIES) throw new Error(`it makes ${queries} predictions, more than ${MAX_QUERIES}`);
  return { queries, classes };
};

/** The mask of each prediction. @throws if their number differs */
const readMasks = (masks: Tensor, net: Size, queries: number): Prototypes => {
  const planes = readPrototypes(masks, net, MAX_QUERIES);
  if (planes.count !== queries) throw new Error(`it makes ${queries} predictions and ${planes.count} masks`);
  return planes;
};

const planeOf = ({ data, columns, rows, ...rest }: Prototypes, query: number): Prototypes => ({
  ...rest,
  data: data.subarray(query * columns * rows, (query + 1) * columns * rows),
  columns,
  rows,
  count: 1,
});

interface Prediction {
  readonly query: number;
  readonly detection: RawDetection;
}

const readPredictions = (
  [logits, boxes]: readonly [Tensor, Tensor],
  net: Size,
  wanted: ReturnType<typeof wantedLabels>,
): readonly Prediction[] => {
  const { queries, classes } = checkShapes(logits, boxes);
  // A label beyond the classes would read a score of the next prediction.
  const known = wanted.filter(({ label }) => label < classes);
  const found: Prediction[] = [];
  for (let query = 0; query < queries; query++) {
    const best = bestLabel(known, (label) => sigmoid(logits.data[query * classes + label] as number));
    if (!best) continue;
    const at = (i: number): number => boxes.data[query * SIDES + i] as number;
    const box = boxAround(
      at(0) * net.width,
      at(1) * net.height,
      (at(2) * net.width) / 2,
      (at(3) * net.height) / 2,
    );
    found.push({ query, detection: { ...best, box } });
  }
  return found;
};

/**
 * Decodes DETRs whose classes are independent of each other: RT-DETR, D-FINE (Peng et al. 2024, arXiv:2410.13842), DEIM,
 * RF-DETR (Robinson et al. 2025, arXiv:2511.09554). Each of a fixed number of predictions stands for one object, so
 * there is no NMS.
 *
 * Outputs: logits of the classes `[1, predictions, classes]`; boxes `[1, predictions, 4]`: centre x, centre y, width,
 * height, 0..1 of the input; optionally logits of masks `[1, predictions, rows, columns]`, which cover the input.
 *
 * @throws if the shapes of the outputs do not match each other
 */
const decodeDetr: DetectionHead = (outputs, net, minimum, labels: Labels | undefined) => {
  const [logits, boxes, masks] = outputs as readonly [Tensor, Tensor, Tensor | undefined];
  const predictions = readPredictions([logits, boxes], net, wantedLabels(labels, minimum));
  if (!masks) return predictions.map(({ detection }) => detection);
  const planes = readMasks(masks, net, checkShapes(logits, boxes).queries);
  return withMasks(
    predictions.map(({ query, detection }) => ({
      detection,
      prototypes: planeOf(planes, query),
      coefficient: () => 1,
    })),
  );
};

/** How a family of networks names its outputs, and which input it expects. */
interface Form extends Pick<ModelInput, 'mean' | 'std'> {
  readonly logits: string;
  readonly boxes: string;
  readonly masks?: string;
  /** Side of the input in px if the file leaves it open: these networks work at the size of their training alone. */
  readonly side?: number;
}

const FORMS: readonly Form[] = [
  { logits: 'logits', boxes: 'pred_boxes', mean: [0, 0, 0], std: [255, 255, 255], side: 640 },
  {
    logits: 'labels',
    boxes: 'dets',
    masks: 'masks',
    // Of ImageNet.
    mean: [123.675, 116.28, 103.53],
    std: [58.395, 57.12, 57.375],
  },
];

const readAs = (
  { logits, boxes, masks, side, mean, std }: Form,
  { imageInput, outputs }: Graph,
): GraphReading | undefined => {
  const named = (name: string | undefined) => outputs.find((output) => output.name === name);
  const [scores, places, outlines] = [named(logits), named(boxes), named(masks)];
  const [height = side, width = side] = dimsOf(imageInput).slice(2);
  if (!scores || !places || height === undefined || width === undefined) return undefined;
  const [, queries, classCount] = dimsOf(scores);
  if (classCount === undefined || !hasDims(places, undefined, queries, SIDES)) return undefined;
  const sized = { ...imageInput, dims: [1, 3, height, width] };
  // Unlike windows of a larger scale, the whole image is stretched to the input, however small it is.
  const input = inputOf(sized, 255, { mean, std, isStretched: true, maxEnlargement: 1 });
  if (!input) return undefined;
  const masked = outlines && dimsOf(outlines).length === 4 ? [outlines.name] : [];
  // The threshold of D-FINE's own inference.
  return { input, outputs: [scores.name, places.name, ...masked], classCount, threshold: 0.4 };
};

const recogniseDetr: Recognise = (graph) => {
  const [reading] = FORMS.flatMap((form) => readAs(form, graph) ?? []);
  return reading;
};

export const detr: Head = { role: 'detector', decode: decodeDetr, recognise: recogniseDetr };
