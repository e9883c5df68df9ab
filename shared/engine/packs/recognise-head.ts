import type { HeadName } from '../../domain/manifest';
import { HEADS, type Head } from '../heads/heads';
import {
  type GraphReading,
  type GraphValue,
  type OnnxFacts,
  dimsOf,
  FLOAT32,
  hasDims,
  allowsBatchOfOne,
  STRIDES,
} from '../heads/recognise-graph';
import type { InferenceSession } from '../../ports/inference';
import { readOnnx } from './read-onnx';
import { classNames } from './recognise-labels';

/** The recognised properties of a model file without a description. */
export interface RecognisedFile {
  readonly recognised: Recognised;
  /** Names of the network's own classes by number, if the file contains them; untrusted text. */
  readonly classNames: ReadonlyMap<number, string>;
}

/** Side of the black image for the test run of a network with an open input size, in px. */
const PROBE_SIDE = 640;

const probe = async (session: InferenceSession, imageInput: GraphValue): Promise<ProbedShapes> => {
  const [height = PROBE_SIDE, width = PROBE_SIDE] = imageInput.dims?.slice(2) ?? [];
  const dims = [1, 3, height, width];
  const outputs = await session.run({
    [imageInput.name]: { data: new Float32Array(3 * height * width), dims },
  });
  return {
    width,
    height,
    outputs: new Map(Object.entries(outputs).map(([name, output]) => [name, output.dims])),
  };
};

const probeOutputs = async (
  { inputs: [imageInput, ...others], ...facts }: OnnxFacts,
  open: () => Promise<InferenceSession>,
): Promise<ProbedShapes | undefined> => {
  // Values for further inputs are unknown until the head is recognised.
  if (!imageInput || others.length > 0 || !leavesShapesOpen({ ...facts, inputs: [imageInput] })) {
    return undefined;
  }
  const session = await open();
  try {
    return await probe(session, imageInput);
  } finally {
    await session.close();
  }
};

/**
 * Recognises the heads that can read a model file. The model runs once, and only if the file leaves shapes open and the
 * model takes images.
 *
 * @param open creates a session for the file
 * @throws {BadOnnx} if the file is refused
 */
export const recogniseFile = async (
  file: Uint8Array,
  open: () => Promise<InferenceSession>,
): Promise<RecognisedFile> => {
  const facts = readOnnx(file);
  const names = classNames(facts.metadata);
  const classCount = names.size || undefined;
  const byDeclaredShapes = recogniseHead(facts, classCount);
  const takesImages = !('refusal' in byDeclaredShapes) || byDeclaredShapes.refusal === 'unknown-outputs';
  const probed = takesImages ? await probeOutputs(facts, open) : undefined;
  return {
    recognised: probed ? recogniseHead(facts, classCount, probed) : byDeclaredShapes,
    classNames: names,
  };
};

/** The pack description of a graph, for one head that can read it. */
export interface HeadReading extends GraphReading {
  readonly head: HeadName;
}

/** Why no head reads a graph; the page has a sentence for each reason. */
export type HeadRefusal = 'no-picture-input' | 'wrong-number-type' | 'unknown-outputs';

export type Recognised =
  /** Several where shapes alone are ambiguous: then a person chooses, by the detections of each. */
  { readonly readings: readonly HeadReading[] } | { readonly refusal: HeadRefusal };

/** Shapes of a graph's outputs in a test run with an image of this size, for files that leave shapes open. */
export interface ProbedShapes {
  readonly width: number;
  readonly height: number;
  readonly outputs: ReadonlyMap<string, readonly number[]>;
}

const PLANES = 3;

/** Some exporters leave the number of planes open, too: the test run shows whether it may be three. */
const isImageInput = (value: GraphValue): boolean =>
  allowsBatchOfOne(value) &&
  hasDims(value, undefined, undefined, undefined, undefined) &&
  (dimsOf(value)[1] ?? PLANES) === PLANES;

const countCells = (imageInput: GraphValue, probed: ProbedShapes | undefined): number | undefined => {
  const [height = probed?.height, width = probed?.width] = dimsOf(imageInput).slice(2);
  if (height === undefined || width === undefined) return undefined;
  return STRIDES.reduce((sum, stride) => sum + Math.floor(height / stride) * Math.floor(width / stride), 0);
};

/** A head with fixed classes is recognised for certain: it excludes readings that only fit by shape. */
const preferred = (readings: readonly HeadReading[]): readonly HeadReading[] => {
  const certain = readings.filter(({ classes }) => classes !== undefined);
  return certain.length > 0 ? certain.slice(0, 1) : readings;
};

/** The outputs with the shapes of the test run, where there was one. */
const withProbedShapes = ({ outputs }: OnnxFacts, probed: ProbedShapes | undefined): readonly GraphValue[] =>
  outputs.map((output) => ({ ...output, dims: probed?.outputs.get(output.name) ?? output.dims }));

/**
 * Recognises the heads that can read a graph, by the shapes and names of its inputs and outputs.
 *
 * @param classCount number of classes that the file names, if it names any
 * @param probed shapes of a test run, for files that leave shapes open
 */
export const recogniseHead = (facts: OnnxFacts, classCount?: number, probed?: ProbedShapes): Recognised => {
  const imageInput = facts.inputs.find(isImageInput);
  if (!imageInput) return { refusal: 'no-picture-input' };
  if (imageInput.elementType !== FLOAT32) return { refusal: 'wrong-number-type' };
  const outputs = withProbedShapes(facts, probed);
  const cellCount = countCells(imageInput, probed);
  const graph = { ...facts, outputs, imageInput, cellCount, namedClassCount: classCount };
  // Rows of YOLOX and rows after NMS can have the same shape if the input size is open: then there are several readings.
  const readings = (Object.keys(HEADS) as HeadName[]).flatMap((head) => {
    const { role, recognise }: Head = HEADS[head];
    const isFitting = (role === 'prompted-segmenter') === facts.inputs.length > 1;
    const reading = isFitting ? recognise?.(graph) : undefined;
    return reading ? [{ head, ...reading }] : [];
  });
  if (readings.length === 0) return { refusal: 'unknown-outputs' };
  const isFloat = (name: string): boolean =>
    outputs.some((output) => output.name === name && output.elementType === FLOAT32);
  const readable = readings.filter((reading) => reading.outputs.every(isFloat));
  return readable.length > 0 ? { readings: preferred(readable) } : { refusal: 'wrong-number-type' };
};

/** Whether the file leaves shapes open, so that a test run is needed to recognise the head. */
export const leavesShapesOpen = ({ inputs, outputs }: OnnxFacts): boolean =>
  [...inputs.filter(isImageInput), ...outputs].some(
    ({ dims }) => dims === undefined || dims.slice(1).includes(undefined),
  );
