import { boxAround, type Box } from '../../domain/boxes';
import type { Tensor } from '../../ports/inference';
import type { Head, DetectionHead, RawDetection } from './head';
import { bestLabel, wantedLabels } from './head-yolo';
import {
  type Recognise,
  COCO_CLASSES,
  dimsOf,
  hasDims,
  inputOf,
  SCALES,
  STRIDES,
  YOLO_PADDING,
} from './recognise-graph';

/** The cells of one level of a network's output. */
interface Level {
  readonly stride: number;
  readonly columns: number;
}

/**
 * The box of a cell, from four values: its centre from the cell's corner, and the logarithm of its sides, all in strides.
 *
 * @param at index of the first of them
 */
const boxOfCell = (
  cell: number,
  { stride, columns }: Level,
  data: Float32Array,
  at: number,
): Box<'network'> => {
  const x = ((cell % columns) + (data[at] as number)) * stride;
  const y = (Math.floor(cell / columns) + (data[at + 1] as number)) * stride;
  const halfWidth = (Math.exp(data[at + 2] as number) * stride) / 2;
  const halfHeight = (Math.exp(data[at + 3] as number) * stride) / 2;
  return boxAround(x, y, halfWidth, halfHeight);
};

/**
 * Decodes YuNet (Wu et al. 2023, doi 10.1007/s11633-023-1423-y): one anchor-free prediction for each cell.
 *
 * Outputs: class probabilities `[1, cells, 1]` for the strides 8, 16, 32, then objectness in the same shapes, then
 * boxes `[1, cells, 4]`: centre from the cell's corner and the logarithm of the sides, all in strides.
 *
 * @see OpenCV's `FaceDetectorYN`, whose score is the square root of class probability × objectness
 */
const decodeYuNet: DetectionHead = (outputs, net, minimum) => {
  const min = minimum.face;
  if (min === undefined) return [];
  return STRIDES.flatMap((stride, level) => {
    const [classes, objects, boxes] = [0, 1, 2].map(
      (kind) => (outputs[STRIDES.length * kind + level] as Tensor).data,
    ) as [Float32Array, Float32Array, Float32Array];
    const columns = net.width / stride;
    const cells = columns * (net.height / stride);
    const found: RawDetection[] = [];
    for (let cell = 0; cell < cells; cell++) {
      const score = Math.sqrt((classes[cell] as number) * (objects[cell] as number));
      if (!(score >= min)) continue;
      const box = boxOfCell(cell, { stride, columns }, boxes, 4 * cell);
      found.push({ objectClass: 'face', score: Math.min(1, score), box });
    }
    return found;
  });
};

const YUNET_OUTPUTS = ['cls', 'obj', 'bbox'].flatMap((kind) => STRIDES.map((stride) => `${kind}_${stride}`));

const recogniseYuNet: Recognise = ({ imageInput, outputs }) => {
  const input = inputOf(imageInput, 1, { channels: 'bgr', maxEnlargement: 2 });
  const isNamed = YUNET_OUTPUTS.every((name) => outputs.some((output) => output.name === name));
  if (!input || !isNamed) return undefined;
  const longSides = [...(input.longSides ?? []), SCALES.longest].slice(0, 3);
  return { input: { ...input, longSides }, outputs: YUNET_OUTPUTS, classes: ['face'], threshold: 0.8 };
};

export const yunet: Head = { role: 'detector', decode: decodeYuNet, recognise: recogniseYuNet };

/** Number of values in a row before those of the classes: box and objectness. */
const BEFORE_CLASSES = 5;
const OBJECTNESS = 4;

/**
 * Decodes YOLOX (Ge et al. 2021, arXiv:2107.08430) as its authors export it: boxes relative to their cells.
 *
 * Output: `[1, cells, 5 + classes]`, the cells of the strides 8, 16 and 32. Each row: centre from the cell's corner and
 * logarithm of the sides, both in strides; objectness 0..1; class probabilities 0..1. The score of a class is
 * objectness × class probability.
 */
const decodeYolox: DetectionHead = (outputs, net, minimum, labels) => {
  const { data, dims } = outputs[0] as Tensor;
  const rowLength = dims.at(-1) as number;
  const wanted = wantedLabels(labels, minimum);
  const min = Math.min(...wanted.map((label) => label.min));
  const found: RawDetection[] = [];
  let first = 0;
  for (const stride of STRIDES) {
    const columns = net.width / stride;
    const cells = columns * (net.height / stride);
    for (let cell = 0; cell < cells; cell++) {
      const row = (first + cell) * rowLength;
      const objectness = data[row + OBJECTNESS] as number;
      if (!(objectness >= min)) continue;
      const best = bestLabel(wanted, (label) => objectness * (data[row + BEFORE_CLASSES + label] as number));
      if (!best) continue;
      found.push({ ...best, box: boxOfCell(cell, { stride, columns }, data, row) });
    }
    first += cells;
  }
  return found;
};

/** Number of classes that a transposed YOLO output for COCO would seem to have here: no head decodes such an output. */
const COCO_TRANSPOSED = COCO_CLASSES - 1;

const recogniseYolox: Recognise = ({ imageInput, outputs, cellCount, namedClassCount }) => {
  const [output, ...others] = outputs;
  const input = inputOf(imageInput, 1, { channels: 'bgr', padding: YOLO_PADDING });
  if (!output || !input || others.length > 0 || !hasDims(output, undefined, cellCount, undefined)) {
    return undefined;
  }
  const classCount = (dimsOf(output)[2] ?? 0) - BEFORE_CLASSES;
  if (classCount < 1 || classCount === COCO_TRANSPOSED || (namedClassCount ?? classCount) !== classCount) {
    return undefined;
  }
  return { input, outputs: [output.name], classCount, threshold: 0.45 };
};

export const yolox: Head = { role: 'detector', decode: decodeYolox, recognise: recogniseYolox };
