import type { Head, DetectionHead, RawDetection } from './head';
import {
  type Recognise,
  type GraphValue,
  dimsOf,
  inputOf,
  prototypesOf,
  YOLO_PADDING,
  hasDims,
  allowsBatchOfOne,
} from './recognise-graph';
import type { Tensor } from '../../ports/inference';
import { readPrototypes, withMasks } from './mask-prototypes';
import { boxAround } from '../../domain/boxes';
import type { Labels } from '../../domain/manifest';
import type { ObjectClass } from '../../catalogue/classes';

/** A class of the network that maps to one of ours, with its minimum score. */
interface WantedLabel {
  readonly label: number;
  readonly objectClass: ObjectClass;
  readonly min: number;
}

/** The classes of the network that map to wanted classes; the scores of others are not read. */
export const wantedLabels = (
  labels: Labels | undefined,
  minimum: Readonly<Partial<Record<ObjectClass, number>>>,
): readonly WantedLabel[] =>
  Object.entries(labels ?? {}).flatMap(([label, objectClass]) => {
    const min = objectClass && minimum[objectClass];
    return min === undefined ? [] : [{ label: Number(label), objectClass: objectClass!, min }];
  });

/**
 * The wanted class with the highest score in one prediction; undefined if none reaches its minimum score.
 *
 * @param scoreOf score by the network's class number
 */
export const bestLabel = (
  wanted: readonly WantedLabel[],
  scoreOf: (label: number) => number,
): { readonly objectClass: ObjectClass; readonly score: number } | undefined => {
  let best: { objectClass: ObjectClass; score: number } | undefined;
  for (const { label, objectClass, min } of wanted) {
    const score = scoreOf(label);
    if (score >= min && score > (best?.score ?? 0)) best = { objectClass, score };
  }
  return best;
};

/** Positions of the values in a row, by the row's length. */
const LAYOUTS = {
  /** Begins with the number of the image in its batch: YOLOv7 and YOLOv9 with NMS in the graph. */
  7: { box: 1, label: 5, score: 6 },
  /** YOLOv10, and YOLOv8 with NMS in the graph. */
  6: { box: 0, label: 5, score: 4 },
} as const;

/** A decoded row, and the index of its first value. */
interface Row {
  readonly start: number;
  readonly detection: RawDetection;
}

/** @param extra number of values after those of the layout */
const readRows = ({ data, dims }: Tensor, wanted: readonly WantedLabel[], extra = 0): readonly Row[] => {
  const rowLength = dims.at(-1) as number;
  const length = rowLength - extra;
  if (length !== 6 && length !== 7) {
    throw new Error(`a detector's rows have ${rowLength} values, not ${6 + extra} or ${7 + extra}`);
  }
  const layout = LAYOUTS[length];
  const byLabel = new Map(wanted.map((label) => [label.label, label]));
  const found: Row[] = [];
  for (let start = 0; start < data.length; start += rowLength) {
    const at = (i: number): number => data[start + i] as number;
    const label = byLabel.get(Math.round(at(layout.label)));
    const score = at(layout.score);
    if (!label || !(score >= label.min)) continue;
    const [x1, y1, x2, y2] = [0, 1, 2, 3].map((i) => at(layout.box + i)) as [number, number, number, number];
    found.push({ start, detection: { objectClass: label.objectClass, score, box: { x1, y1, x2, y2 } } });
  }
  return found;
};

/**
 * Decodes YOLO exported with NMS in the graph, for one image at a time.
 *
 * Output: rows of 7 (`[rows, 7]`: image, x1, y1, x2, y2, class, score) or 6 (`[1, rows, 6]`: x1, y1, x2, y2, score,
 * class), boxes in network px.
 *
 * @throws if rows are of another length
 */
const decodeYoloEndToEnd: DetectionHead = (outputs, _net, minimum, labels) => {
  const [output] = outputs as readonly [Tensor];
  return readRows(output, wantedLabels(labels, minimum)).map(({ detection }) => detection);
};

/**
 * Decodes the same output with masks, which are linear combinations of prototypes.
 *
 * Outputs: the same rows, each followed by its coefficients; the prototypes `[1, prototypes, rows, columns]`.
 *
 * @throws if the shapes of the outputs do not match each other
 */
const decodeYoloSegEndToEnd: DetectionHead = (outputs, net, minimum, labels) => {
  const [output, masks] = outputs as readonly [Tensor, Tensor | undefined];
  const prototypes = readPrototypes(masks, net);
  const rowLength = output.dims.at(-1) as number;
  const candidates = readRows(output, wantedLabels(labels, minimum), prototypes.count).map(
    ({ start, detection }) => ({
      detection,
      prototypes,
      coefficient: (k: number): number => output.data[start + rowLength - prototypes.count + k] as number,
    }),
  );
  return withMasks(candidates);
};

/** Whether an output has rows of 6 or 7 values plus `extra`, and not one row for each cell: NMS has selected them. */
const hasRowsOfNms = (output: GraphValue, extra: number, cells: number | undefined): boolean => {
  const isOfSix = hasDims(output, undefined, undefined, 6 + extra) && allowsBatchOfOne(output);
  const isOnePerCell = isOfSix && cells !== undefined && dimsOf(output)[1] === cells;
  return !isOnePerCell && (isOfSix || hasDims(output, undefined, 7 + extra));
};

const recogniseYoloEndToEnd =
  (hasMasks: boolean): Recognise =>
  ({ imageInput, outputs, cellCount, namedClassCount }) => {
    const [output, ...others] = outputs;
    const input = inputOf(imageInput, 255, { padding: YOLO_PADDING });
    if (!output || !input || others.some((other) => dimsOf(other).length !== 4)) return undefined;
    const prototypes = prototypesOf(outputs);
    if (prototypes.count > 0 !== hasMasks) return undefined;
    if (!hasRowsOfNms(output, prototypes.count, cellCount)) return undefined;
    return {
      input,
      outputs: [output.name, ...prototypes.names],
      ...(namedClassCount !== undefined && { classCount: namedClassCount }),
      threshold: 0.4,
    };
  };

export const yoloEndToEnd: Head = {
  role: 'detector',
  decode: decodeYoloEndToEnd,
  recognise: recogniseYoloEndToEnd(false),
};

export const yoloSegEndToEnd: Head = {
  role: 'detector',
  decode: decodeYoloSegEndToEnd,
  recognise: recogniseYoloEndToEnd(true),
};

/** Number of planes before those of the classes: the box. */
const BEFORE_CLASSES = 4;

/**
 * Decodes YOLOv8, YOLOv9 and related networks, exported without NMS.
 *
 * Output: `[1, 4 + classes, predictions]`, planes centre x, centre y, width, height in network px, then each class's
 * probability.
 */
const decodeYolo: DetectionHead = (outputs, _net, minimum, labels) => {
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
const decodeYoloSeg: DetectionHead = (outputs, net, minimum, labels) => {
  const [output, masks] = outputs as readonly [Tensor, Tensor | undefined];
  const prototypes = readPrototypes(masks, net);
  const [, planes = 0, predictions = 0] = output.dims;
  const firstCoefficient = planes - prototypes.count;
  // A label beyond the classes would read a coefficient as a score.
  const classCount = firstCoefficient - BEFORE_CLASSES;
  if (classCount < 1) throw new Error(`a detector of ${planes} planes has ${prototypes.count} prototypes`);
  const wanted = wantedLabels(labels, minimum).filter(({ label }) => label < classCount);
  const candidates = readPredictions(output, wanted).map(({ index, detection }) => ({
    detection,
    prototypes,
    coefficient: (k: number): number => output.data[(firstCoefficient + k) * predictions + index] as number,
  }));
  return withMasks(candidates);
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
    found.push({ index, detection: { ...best, box: boxAround(x, y, halfWidth, halfHeight) } });
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

export const yolo: Head = { role: 'detector', decode: decodeYolo, recognise: recogniseYolo(false) };

export const yoloSeg: Head = { role: 'detector', decode: decodeYoloSeg, recognise: recogniseYolo(true) };
