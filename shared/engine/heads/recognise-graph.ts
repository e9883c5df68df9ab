import type { ObjectClass } from '../../domain/object-class';
import type { ModelInput } from '../../domain/manifest';

/** What goes into a graph, or comes out of it. */
export interface GraphValue {
  readonly name: string;
  /** As ONNX numbers them: `FLOAT32` is one. */
  readonly elementType: number;
  /** Undefined: any number; no list where the file says nothing of the shape. */
  readonly dims: readonly (number | undefined)[] | undefined;
}

/** What can be known of an ONNX file before a runtime sees it. */
export interface OnnxFacts {
  /** Without those that are weights. */
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
  /** What its exporter wrote beside the graph: names of classes, say. */
  readonly metadata: ReadonlyMap<string, string>;
}

export const FLOAT32 = 1;

/** One way to read a graph: what a pack's description would say of it. */
export interface GraphReading {
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

type Dims = readonly (number | undefined)[];

export interface Graph extends OnnxFacts {
  readonly imageInput: GraphValue;
  /** Predictions of a network that makes one for each cell; undefined where its size is open. */
  readonly cellCount: number | undefined;
  /** How many classes the file says to know. */
  readonly namedClassCount: number | undefined;
}
/** @returns how a head reads a graph, or undefined if it does not */
export type Recognise = (graph: Graph) => GraphReading | undefined;

/** Network px per cell of each level, as YOLO and YuNet have them. */
export const STRIDES = [8, 16, 32] as const;
/** As many classes as COCO, which most detectors are trained with, has. */
export const COCO_CLASSES = 80;
const MAX_SIDE_PX = 4096;
/** Of the scales that the packs of the catalogue look at. */
export const SCALES = { sizes: 2, free: [640, 1280], longest: 2048 } as const;
/** As YOLO's trainers have it: grey. */
export const YOLO_PADDING = 114;

export const dimsOf = ({ dims }: GraphValue): Dims => dims ?? [];
export const hasDims = (value: GraphValue, ...wanted: Dims): boolean => {
  const dims = dimsOf(value);
  return dims.length === wanted.length && wanted.every((side, i) => side === undefined || dims[i] === side);
};
/** A batch that holds one picture, or as many as one likes. */
export const allowsBatchOfOne = (value: GraphValue): boolean => (dimsOf(value)[0] ?? 1) === 1;

/** Sides, or what they are multiples of, and the scales that are looked at. */
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

/** What a segmenting network mixes its masks from; the other output of one that does not is no such thing. */
export const prototypesOf = ([, ...others]: readonly GraphValue[]): {
  names: readonly string[];
  count: number;
} => {
  const masks = others.filter((output) => dimsOf(output).length === 4);
  const count = masks.length === 1 ? dimsOf(masks[0]!)[1] : undefined;
  return count === undefined ? { names: [], count: 0 } : { names: masks.map(({ name }) => name), count };
};
