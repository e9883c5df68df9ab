import type { InferenceSession } from '../../ports/inference';
import type { GraphValue, OnnxFacts } from '../heads/recognise-graph';
import { readOnnx } from './read-onnx';
import { leavesShapesOpen, recogniseHead, type Recognised, type ProbedShapes } from './recognise-head';
import { classNames } from './recognise-labels';

/** What can be told of a model file that came without a description. */
export interface RecognisedFile {
  readonly recognised: Recognised;
  /** Of the network's own classes, by their numbers, where the file has them. A stranger wrote them. */
  readonly classNames: ReadonlyMap<number, string>;
}

/** Side of the black imageInput that a network of free size is shown. */
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
  // What else a network wants to be told, nobody knows before it is recognised.
  if (!imageInput || others.length > 0 || !leavesShapesOpen({ ...facts, inputs: [imageInput] }))
    return undefined;
  const session = await open();
  try {
    return await probe(session, imageInput);
  } finally {
    await session.close();
  }
};

/**
 * Finds out how a model file can be read. It is run only where it leaves shapes open, and only if it takes pictures.
 *
 * @param open makes a session of the file
 * @throws {BadOnnx} where it is refused unread
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
