import type { Head } from './head';
import { dimsOf, inputOf, prototypesOf, YOLO_PADDING, type Recognise } from './recognise-graph';
import type { Tensor } from '../../ports/inference';
import type { DetectionHead, RawDetection } from './detection-head';
import { bestLabel, wantedLabels, type WantedLabel } from './labelled-classes';
import { readPrototypes, withMasks } from './mask-prototypes';

/** Number of planes before those of the classes: the box. */
const BEFORE_CLASSES = 4;

/**
 * Decodes YOLOv8, YOLOv9 and related networks, exported without NMS.
 *
 * Output: `[1, 4 + classes, predictions]`, planes centre x, centre y, width, height in network px, then each class's
 * probability.
 */
const decodeYolo: DetectionHead = (outputs, _netWidth, _netHeight, minimum, labels) => {
  const [output] = outputs as readonly [Tensor];
  const wanted = wantedLabels(labels, minimum);
  return readPredictions(output, wanted).map(({ detection }) => detection);
};

/**
 * Decodes the same output with masks, which are linear combinations of prototypes.
 *
 * Outputs: `[1, 4 + classes + prototypes, predictions]`, the same planes, then a coefficient for each prototype; the
 * prototypes `[1, prototypes, rows, columns]`.
 *
 * @throws if the shapes of the outputs do not match each other
 */
const decodeYoloSeg: DetectionHead = (outputs, netWidth, netHeight, minimum, labels) => {
  const [output, masks] = outputs as readonly [Tensor, Tensor | undefined];
  const prototypes = readPrototypes(masks, netWidth, netHeight);
  const [, planes = 0, predictions = 0] = output.dims;
  const firstCoefficient = planes - prototypes.count;
  // A label beyond the classes would read a coefficient as a score.
  const classCount = firstCoefficient - BEFORE_CLASSES;
  if (classCount < 1) throw new Error(`a detector of ${planes} planes has ${prototypes.count} prototypes`);
  const wanted = wantedLabels(labels, minimum).filter(({ label }) => label < classCount);
  const candidates = readPredictions(output, wanted).map(({ index, detection }) => ({
    detection,
    coefficient: (k: number): number => output.data[(firstCoefficient + k) * predictions + index] as number,
  }));
  return withMasks(candidates, prototypes);
};

interface Prediction {
  readonly index: number;
  readonly detection: RawDetection;
}

const readPredictions = ({ data, dims }: Tensor, wanted: readonly WantedLabel[]): readonly Prediction[] => {
  const predictions = dims[2] as number;
  const found: Prediction[] = [];
  for (let index = 0; index < predictions; index++) {
    const plane = (number: number): number => data[number * predictions + index] as number;
    const best = bestLabel(wanted, (label) => plane(BEFORE_CLASSES + label));
    if (!best) continue;
    const [x, y, halfWidth, halfHeight] = [plane(0), plane(1), plane(2) / 2, plane(3) / 2];
    const box = { x1: x - halfWidth, y1: y - halfHeight, x2: x + halfWidth, y2: y + halfHeight };
    found.push({ index, detection: { ...best, box } });
  }
  return found;
};

const recogniseYolo =
  (hasMasks: boolean): Recognise =>
  ({ imageInput, outputs, cellCount, namedClassCount }) => {
    const [output] = outputs;
    const input = inputOf(imageInput, 255, { padding: YOLO_PADDING });
    if (!output || !input || dimsOf(output).length !== 3) return undefined;
    const [, planes, predictions] = dimsOf(output);
    if (planes === undefined || (predictions ?? cellCount) !== cellCount) return undefined;
    const prototypes = prototypesOf(outputs);
    if (prototypes.count > 0 !== hasMasks) return undefined;
    const classCount = planes - BEFORE_CLASSES - prototypes.count;
    // The file names fewer classes than the graph has planes for: the others may be key points of a body.
    if (classCount < 1 || (namedClassCount !== undefined && namedClassCount > classCount)) return undefined;
    return {
      input,
      outputs: [output.name, ...prototypes.names],
      classCount: namedClassCount ?? classCount,
      threshold: 0.4,
    };
  };

export const yolo: Head<'yolo'> = {
  name: 'yolo',
  role: 'detector',
  decode: decodeYolo,
  recognise: recogniseYolo(false),
};

export const yoloSeg: Head<'yolo-seg'> = {
  name: 'yolo-seg',
  role: 'detector',
  decode: decodeYoloSeg,
  recognise: recogniseYolo(true),
};
