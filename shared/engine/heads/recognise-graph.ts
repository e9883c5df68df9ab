import type { ObjectClass } from '../../catalogue/classes';
import type { ModelInput } from '../../domain/manifest';

/** An input or output of a graph. */
export interface GraphValue {
  readonly name: string;
  /** The number of ONNX for the type, such as `FLOAT32`. */
  readonly elementType: number;
  /** A dimension is undefined if it is open; the list is undefined if the file states no shape. */
  readonly dims: readonly (number | undefined)[] | undefined;
}

/** The properties of an ONNX file that can be read without a runtime. */
export interface OnnxFacts {
  /** Without the inputs that are weights. */
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  /** Metadata that the exporter wrote, such as the names of classes. */
  readonly metadata: ReadonlyMap<string, string>;
}

export const FLOAT32 = 1;

/** One way to read a graph: the facts that a pack's description would state about it. */
export interface GraphReading {
  readonly input: ModelInput;
  /** Names of the outputs, in the order in which the head decodes them. */
  readonly outputs: readonly string[];
  /**
   * The classes that it detects, if the head determines them; otherwise they follow from the names of the network's
   * classes.
   */
  readonly classes?: readonly ObjectClass[];
  /** Number of the network's own classes; undefined if unknown. */
  readonly classCount?: number;
  /** Raw score that corresponds to the default threshold, until the network is measured. */
  readonly threshold: number;
}

type Dims = readonly (number | undefined)[];

export interface Graph extends OnnxFacts {
  readonly imageInput: GraphValue;
  /** Number of predictions of a network that makes one for each cell; undefined if its input size is open. */
  readonly cellCount: number | undefined;
  /** Number of classes that the file names, if it names any. */
  readonly namedClassCount: number | undefined;
}
/** @returns how the head reads the graph; undefined if it cannot */
export type Recognise = (graph: Graph) => GraphReading | undefined;

/** Network px per cell at each level of YOLO and YuNet. */
export const STRIDES = [8, 16, 32] as const;
/** Number of classes of COCO, the usual training set of detectors. */
export const COCO_CLASSES = 80;
const MAX_SIDE_PX = 4096;
/**
 * Scales like those of the packs in the catalogue: their number for a fixed input size, long sides for a free one, in
 * px.
 */
export const SCALES = { sizes: 2, free: [640, 1280], longest: 2048 } as const;
/** Grey, as in the training of YOLO. */
export const YOLO_PADDING = 114;

export const dimsOf = ({ dims }: GraphValue): Dims => dims ?? [];
export const hasDims = (value: GraphValue, ...wanted: Dims): boolean => {
  const dims = dimsOf(value);
  return dims.length === wanted.length && wanted.every((side, i) => side === undefined || dims[i] === side);
};
/** Whether a batch may consist of one image. */
export const allowsBatchOfOne = (value: GraphValue): boolean => (dimsOf(value)[0] ?? 1) === 1;

/** The sides of the input, or the multiple that they must be, and the scales of the passes. */
const sizeOf = (imageInput: GraphValue): Partial<ModelInput> | undefined => {
  const [height, width] = dimsOf(imageInput).slice(2);
  if (height === undefined || width === undefined) {
    return height === width ? { multipleOf: 32, longSides: SCALES.free, maxEnlargement: 1.5 } : undefined;
  }
  const longer = Math.max(width, height);
  if (longer > MAX_SIDE_PX) return undefined;
  const longSides = Array.from({ length: SCALES.sizes }, (_, i) => longer * 2 ** i);
  return { size: [width, height], longSides, maxEnlargement: 1.5 };
};

export const inputOf = (
  imageInput: GraphValue,
  spread: 1 | 255,
  more: Partial<ModelInput> = {},
): ModelInput | undefined => {
  const size = sizeOf(imageInput);
  return size && { name: imageInput.name, mean: [0, 0, 0], std: [spread, spread, spread], ...size, ...more };
};

/** The output with mask prototypes, and their number; none if the network has no single output of that shape. */
export const prototypesOf = ([, ...others]: readonly GraphValue[]): {
  names: readonly string[];
  count: number;
} => {
  const masks = others.filter((output) => dimsOf(output).length === 4);
  const count = masks.length === 1 ? dimsOf(masks[0]!)[1] : undefined;
  return count === undefined ? { names: [], count: 0 } : { names: masks.map(({ name }) => name), count };
};
