import type { FloatConstant, OnnxNode } from '../onnx/graph';
import type { GraphView } from './rewriter';

/** The parameters of a convolution: weights [out, in / groups, height, width], and one bias per output channel. */
export interface ConvolutionWeights {
  readonly dims: readonly number[];
  readonly weights: Float32Array;
  readonly bias: Float32Array;
}

export function convolutionWeights(
  node: OnnxNode | undefined,
  graph: GraphView,
): ConvolutionWeights | undefined {
  if (node?.op !== 'Conv') return undefined;
  const weights = graph.floats(node.inputs[1]);
  const bias = graph.floats(node.inputs[2]);
  if (!weights || (node.inputs.length > 2 && !bias)) return undefined;
  const { dims, data } = weights;
  return { dims, weights: data, bias: bias?.data ?? new Float32Array(dims[0] ?? 0) };
}

/** A transposed convolution that is not divided into groups. */
export interface TransposedConvolution {
  readonly input: string;
  readonly weightsName: string;
  /** [in, out, height, width]. */
  readonly weights: FloatConstant;
  /** One per output channel. */
  readonly bias: Float32Array;
}

export function transposedConvolution(
  node: OnnxNode | undefined,
  graph: GraphView,
): TransposedConvolution | undefined {
  if (node?.op !== 'ConvTranspose' || (node.attributes.group ?? 1) !== 1) return undefined;
  const [input, weightsName, biasName] = node.inputs;
  const weights = graph.floats(weightsName);
  if (input === undefined || weightsName === undefined || !weights) return undefined;
  const bias = graph.floats(biasName)?.data ?? new Float32Array(weights.dims[1] ?? 0);
  return { input, weightsName, weights, bias };
}

/** Number of weights per output channel. */
export const weightsPerChannel = ({ weights, bias }: ConvolutionWeights): number =>
  weights.length / bias.length;

/** @returns the node's inputs: the map, and its weights and bias as new constants */
export const convolutionInputs = (
  input: string,
  { dims, weights, bias }: ConvolutionWeights,
  graph: GraphView,
): readonly string[] => [
  input,
  graph.addConstant({ kind: 'float32', dims, data: weights }),
  graph.addConstant({ kind: 'float32', dims: [bias.length], data: bias }),
];

/** The value for each channel, if the constant has one value for all or one for each; undefined for other shapes. */
export function perChannel({ dims, data }: FloatConstant, channels: number): Float32Array | undefined {
  if (data.length === 1) return new Float32Array(channels).fill(data[0] ?? 0);
  const isAlongChannels = data.length === channels && dims.at(-3) === channels;
  return isAlongChannels ? data : undefined;
}
