import type { Head, DetectionHead, RawDetection } from './head';
import type { Recognise } from './recognise-graph';
import { COCO_CLASSES, dimsOf, hasDims, inputOf, STRIDES, YOLO_PADDING } from './recognise-graph';
import type { Tensor } from '../../ports/inference';
import { bestLabel, wantedLabels } from './head-yolo';
import { boxAround } from '../../domain/boxes';

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
const decodeYolox: DetectionHead = (outputs, netWidth, netHeight, minimum, labels) => {
  const { data, dims } = outputs[0] as Tensor;
  const rowLength = dims.at(-1) as number;
  const wanted = wantedLabels(labels, minimum);
  const min = Math.min(...wanted.map((label) => label.min));
  const found: RawDetection[] = [];
  let first = 0;
  for (const stride of STRIDES) {
    const columns = netWidth / stride;
    const cells = columns * (netHeight / stride);
    for (let cell = 0; cell < cells; cell++) {
      const row = (first + cell) * rowLength;
      const objectness = data[row + OBJECTNESS] as number;
      if (!(objectness >= min)) continue;
      const best = bestLabel(wanted, (label) => objectness * (data[row + BEFORE_CLASSES + label] as number));
      if (!best) continue;
      const x = ((cell % columns) + (data[row] as number)) * stride;
      const y = (Math.floor(cell / columns) + (data[row + 1] as number)) * stride;
      const halfWidth = (Math.exp(data[row + 2] as number) * stride) / 2;
      const halfHeight = (Math.exp(data[row + 3] as number) * stride) / 2;
      found.push({ ...best, box: boxAround(x, y, halfWidth, halfHeight) });
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
