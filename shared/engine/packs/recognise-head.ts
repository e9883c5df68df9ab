import type { ObjectClass } from '../../domain/object-class';
import type { HeadName, ModelInput } from '../../domain/manifest';
import { FLOAT32, type GraphValue, type OnnxFacts } from './read-onnx';

/** One way to read a graph: what a pack's description would say of it. */
export interface HeadReading {
  readonly head: HeadName;
  readonly input: ModelInput;
  /** In the order in which the head reads them. */
  readonly outputs: readonly string[];
  /** What it finds, where the head says that; else the network's own classes do, which have to be named. */
  readonly classes?: readonly ObjectClass[];
  /** How many classes of its own it tells apart; undefined: it does not say. */
  readonly classCount?: number;
  /** Raw score that stands for the default threshold, until somebody measures the network. */
  readonly threshold: number;
}

/** Why no reading can be had; the page has a sentence for each. */
export type HeadRefusal = 'no-picture-input' | 'wrong-number-type' | 'unknown-outputs';

export type Recognised =
  /** More than one where shapes alone do not tell: a person has to choose, by what each finds. */
  { readonly readings: readonly HeadReading[] } | { readonly refusal: HeadRefusal };

type Dims = readonly (number | undefined)[];

/** What a graph gave for a picture of some size, where the file leaves its outputs' shapes open. */
export interface SeenShapes {
  readonly width: number;
  readonly height: number;
  readonly outputs: ReadonlyMap<string, readonly number[]>;
}

interface Graph extends OnnxFacts {
  readonly picture: GraphValue;
  /** Predictions of a network that makes one for each cell; undefined where its size is open. */
  readonly cells: number | undefined;
  /** How many classes the file says to know. */
  readonly known: number | undefined;
}
type Recognise = (graph: Graph) => HeadReading | undefined;

const PLANES = 3;
const STRIDES = [8, 16, 32] as const;
/** As many classes as COCO, which most detectors are trained with, has. */
export const COCO_CLASSES = 80;
const LARGEST_SIDE_PX = 4096;
/** Of the scales that the packs of the catalogue look at. */
const SCALES = { sizes: 2, free: [640, 1280], longest: 2048 } as const;
/** As YOLO's trainers have it: grey. */
const YOLO_PADDING = 114;

const dimsOf = ({ dims }: GraphValue): Dims => dims ?? [];
const hasDims = (value: GraphValue, ...wanted: Dims): boolean => {
  const dims = dimsOf(value);
  return dims.length === wanted.length && wanted.every((side, i) => side === undefined || dims[i] === side);
};
/** A batch that holds one picture, or as many as one likes. */
const holdsOne = (value: GraphValue): boolean => (dimsOf(value)[0] ?? 1) === 1;

const isPicture = (value: GraphValue): boolean =>
  holdsOne(value) && hasDims(value, undefined, PLANES, undefined, undefined);

/** Sides, or what they are multiples of, and the scales that are looked at. */
const sizeOf = (picture: GraphValue): Partial<ModelInput> | undefined => {
  const [height, width] = dimsOf(picture).slice(2);
  if (height === undefined || width === undefined) {
    return height === width ? { multipleOf: 32, longSides: SCALES.free, maxEnlargement: 1.5 } : undefined;
  }
  const longer = Math.max(width, height);
  if (longer > LARGEST_SIDE_PX) return undefined;
  const longSides = Array.from({ length: SCALES.sizes }, (_, i) => longer * 2 ** i);
  return { size: [width, height], longSides, maxEnlargement: 1.5 };
};

const inputOf = (
  picture: GraphValue,
  spread: 1 | 255,
  more: Partial<ModelInput> = {},
): ModelInput | undefined => {
  const size = sizeOf(picture);
  return size && { name: picture.name, mean: [0, 0, 0], std: [spread, spread, spread], ...size, ...more };
};

const cellsOf = (picture: GraphValue, seen: SeenShapes | undefined): number | undefined => {
  const [height = seen?.height, width = seen?.width] = dimsOf(picture).slice(2);
  if (height === undefined || width === undefined) return undefined;
  return STRIDES.reduce((sum, stride) => sum + Math.floor(height / stride) * Math.floor(width / stride), 0);
};

const YUNET_OUTPUTS = ['cls', 'obj', 'bbox'].flatMap((kind) => STRIDES.map((stride) => `${kind}_${stride}`));

const asYuNet: Recognise = ({ picture, outputs }) => {
  const input = inputOf(picture, 1, { channels: 'bgr', maxEnlargement: 2 });
  const isNamed = YUNET_OUTPUTS.every((name) => outputs.some((output) => output.name === name));
  if (!input || !isNamed) return undefined;
  const longSides = [...(input.longSides ?? []), SCALES.longest].slice(0, 3);
  return {
    head: 'yunet',
    input: { ...input, longSides },
    outputs: YUNET_OUTPUTS,
    classes: ['face'],
    threshold: 0.8,
  };
};

const CENTERFACE_PLANES = [1, 2, 2] as const;

const asCenterFace: Recognise = ({ picture, outputs }) => {
  const input = inputOf(picture, 1, { maxEnlargement: 2 });
  const isInOrder = CENTERFACE_PLANES.every((planes, i) => {
    const output = outputs[i];
    return output !== undefined && hasDims(output, undefined, planes, undefined, undefined);
  });
  if (!input || !isInOrder || outputs.length > CENTERFACE_PLANES.length + 1) return undefined;
  return {
    head: 'centerface',
    input,
    outputs: outputs.slice(0, CENTERFACE_PLANES.length).map(({ name }) => name),
    classes: ['face'],
    threshold: 0.4,
  };
};

/** Numbers of a row, or planes, before those of the classes. */
const BEFORE_CLASSES = { yolo: 4, yolox: 5 } as const;
/** What a YOLO without objectness seems to know whose rows and planes are exchanged: no head reads that. */
const COCO_TRANSPOSED = COCO_CLASSES - 1;

const asYolox: Recognise = ({ picture, outputs, cells, known }) => {
  const [output, ...others] = outputs;
  const input = inputOf(picture, 1, { channels: 'bgr', padding: YOLO_PADDING });
  if (!output || !input || others.length > 0 || !hasDims(output, undefined, cells, undefined)) {
    return undefined;
  }
  const classCount = (dimsOf(output)[2] ?? 0) - BEFORE_CLASSES.yolox;
  if (classCount < 1 || classCount === COCO_TRANSPOSED || (known ?? classCount) !== classCount) {
    return undefined;
  }
  return { head: 'yolox', input, outputs: [output.name], classCount, threshold: 0.45 };
};

/** What a segmenting network mixes its masks from; the other output of one that does not is no such thing. */
const prototypesOf = ([, ...others]: readonly GraphValue[]): { names: readonly string[]; count: number } => {
  const masks = others.filter((output) => dimsOf(output).length === 4);
  const count = masks.length === 1 ? dimsOf(masks[0]!)[1] : undefined;
  return count === undefined ? { names: [], count: 0 } : { names: masks.map(({ name }) => name), count };
};

const asYolo: Recognise = ({ picture, outputs, cells, known }) => {
  const [output] = outputs;
  const input = inputOf(picture, 255, { padding: YOLO_PADDING });
  if (!output || !input || dimsOf(output).length !== 3) return undefined;
  const [, planes, predictions] = dimsOf(output);
  if (planes === undefined || (predictions ?? cells) !== cells) return undefined;
  const prototypes = prototypesOf(outputs);
  const classCount = planes - BEFORE_CLASSES.yolo - prototypes.count;
  // Planes behind those of the classes are something else: points of a body, say.
  if (classCount < 1 || (known !== undefined && known > classCount)) return undefined;
  return {
    head: prototypes.count > 0 ? 'yolo-seg' : 'yolo',
    input,
    outputs: [output.name, ...prototypes.names],
    classCount: known ?? classCount,
    threshold: 0.4,
  };
};

/** Rows of 6 or 7 and what is behind them, fewer than there are cells. */
const holdsChosenRows = (output: GraphValue, extra: number, cells: number | undefined): boolean => {
  const isOfSix = hasDims(output, undefined, undefined, 6 + extra) && holdsOne(output);
  const isOnePerCell = isOfSix && cells !== undefined && dimsOf(output)[1] === cells;
  return !isOnePerCell && (isOfSix || hasDims(output, undefined, 7 + extra));
};

const asYoloEndToEnd: Recognise = ({ picture, outputs, cells, known }) => {
  const [output, ...others] = outputs;
  const input = inputOf(picture, 255, { padding: YOLO_PADDING });
  if (!output || !input || others.some((other) => dimsOf(other).length !== 4)) return undefined;
  const prototypes = prototypesOf(outputs);
  if (!holdsChosenRows(output, prototypes.count, cells)) return undefined;
  return {
    head: prototypes.count > 0 ? 'yolo-seg-end-to-end' : 'yolo-end-to-end',
    input,
    outputs: [output.name, ...prototypes.names],
    ...(known !== undefined && { classCount: known }),
    threshold: 0.4,
  };
};

const asEfficientSam: Recognise = ({ picture, inputs, outputs }) => {
  const others = inputs.filter((input) => input !== picture);
  const points = others.find((input) => dimsOf(input).length === 4 && (dimsOf(input)[3] ?? 2) === 2);
  const labels = others.find((input) => dimsOf(input).length === 3);
  const masks = outputs.find(({ name }) => name.includes('mask'));
  if (others.length !== 2 || !points || !labels || !masks) return undefined;
  const [height = 640, width = 640] = dimsOf(picture).slice(2);
  return {
    head: 'efficient-sam',
    input: {
      name: picture.name,
      mean: [0, 0, 0],
      std: [255, 255, 255],
      size: [width, height],
      prompts: { points: points.name, labels: labels.name },
    },
    outputs: [masks.name],
    classes: ['person', 'vehicle'],
    threshold: 0.5,
  };
};

/** Rows of YOLOX and those of NMS can look alike where a network's size is open: then there are several readings. */
const HEADS: readonly Recognise[] = [asYuNet, asCenterFace, asYolox, asYolo, asYoloEndToEnd];

/** What is certain hides what is merely possible. */
const preferred = (readings: readonly HeadReading[]): readonly HeadReading[] => {
  const certain = readings.filter(({ classes }) => classes !== undefined);
  return certain.length > 0 ? certain.slice(0, 1) : readings;
};

/** Outputs as they came, where they were seen. */
const withSeen = ({ outputs }: OnnxFacts, seen: SeenShapes | undefined): readonly GraphValue[] =>
  outputs.map((output) => ({ ...output, dims: seen?.outputs.get(output.name) ?? output.dims }));

/**
 * Finds out how a graph's outputs can be read, by its inputs' and outputs' shapes and names.
 *
 * @param classCount how many classes the file says to know, where it does
 * @param seen what the graph gave, for files that leave shapes open
 */
export const recogniseHead = (facts: OnnxFacts, classCount?: number, seen?: SeenShapes): Recognised => {
  const picture = facts.inputs.find(isPicture);
  if (!picture) return { refusal: 'no-picture-input' };
  if (picture.elementType !== FLOAT32) return { refusal: 'wrong-number-type' };
  const outputs = withSeen(facts, seen);
  const graph = { ...facts, outputs, picture, cells: cellsOf(picture, seen), known: classCount };
  const heads = facts.inputs.length > 1 ? [asEfficientSam] : HEADS;
  const readings = heads.flatMap((recognise) => recognise(graph) ?? []);
  if (readings.length === 0) return { refusal: 'unknown-outputs' };
  const isFloat = (name: string): boolean =>
    outputs.some((output) => output.name === name && output.elementType === FLOAT32);
  const readable = readings.filter((reading) => reading.outputs.every(isFloat));
  return readable.length > 0 ? { readings: preferred(readable) } : { refusal: 'wrong-number-type' };
};

/** Whether a reading needs what the graph gives to be seen first. */
export const leavesShapesOpen = ({ inputs, outputs }: OnnxFacts): boolean =>
  [...inputs.filter(isPicture), ...outputs].some(
    ({ dims }) => dims === undefined || dims.slice(1).includes(undefined),
  );
