import type { InferenceSession } from '../../ports/inference';
import type { GraphValue, OnnxFacts } from '../heads/recognise-graph';
import { readOnnx } from './read-onnx';
import { leavesShapesOpen, recogniseHead, type Recognised, type ProbedShapes } from './recognise-head';
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
