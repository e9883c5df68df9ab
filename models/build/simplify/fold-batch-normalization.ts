import type { FloatConstant, OnnxNode } from '../onnx/graph';
import type { GraphView, Rule } from './rewriter';

/** ONNX's default. */
const DEFAULT_EPSILON = 1e-5;

/** The effect of a batch normalisation on each channel: `scale × value + shift`. */
interface ChannelAffine {
  readonly scale: Float32Array;
  readonly shift: Float32Array;
}

const affineOf = ({ inputs, attributes }: OnnxNode, graph: GraphView): ChannelAffine | undefined => {
  const [gamma, beta, mean, variance] = inputs.slice(1, 5).map((name) => graph.floats(name)?.data);
  if (!gamma || !beta || !mean || !variance) return undefined;
  const { epsilon } = attributes;
  const added = typeof epsilon === 'object' && 'float' in epsilon ? epsilon.float : DEFAULT_EPSILON;
  const scale = gamma.map((value, i) => value / Math.sqrt((variance[i] ?? 0) + added));
  return { scale, shift: beta.map((value, i) => value - (mean[i] ?? 0) * (scale[i] ?? 0)) };
};

/** The dimension of the weights that has one entry per output channel. */
const OUTPUT_DIMENSION: Readonly<Record<string, 0 | 1>> = { Conv: 0, ConvTranspose: 1 };

const scaleWeights = (weights: FloatConstant, dimension: 0 | 1, scale: Float32Array): FloatConstant => {
  const { dims, data } = weights;
  const perChannel = dims.slice(dimension + 1).reduce((product, side) => product * side, 1);
  const channels = dims[dimension] ?? 1;
  return {
    ...weights,
    data: data.map((value, i) => value * (scale[Math.floor(i / perChannel) % channels] ?? 0)),
  };
};

/** A convolution into whose weights a batch normalisation can be folded. */
interface Foldable {
  readonly producer: OnnxNode;
  readonly input: string;
  readonly weights: FloatConstant;
  readonly dimension: 0 | 1;
}

/** Its output channels are spread over two dimensions of the weights. */
const isGroupedTransposed = ({ op, attributes }: OnnxNode): boolean =>
  op === 'ConvTranspose' && (attributes.group ?? 1) !== 1;

const foldableBefore = (node: OnnxNode, graph: GraphView): Foldable | undefined => {
  const producer = graph.soleProducer(node.inputs[0] ?? '', node);
  const dimension = producer && OUTPUT_DIMENSION[producer.op];
  const weights = graph.floats(producer?.inputs[1]);
  const [input] = producer?.inputs ?? [];
  if (!producer || dimension === undefined || !weights || input === undefined) return undefined;
  return isGroupedTransposed(producer) ? undefined : { producer, input, weights, dimension };
};

/**
 * Folds a batch normalisation into the weights and bias of the convolution, or transposed convolution, before it.
 *
 * Runtimes do the same only if the weights are constant, and WebAssembly builds never do it for transposed
 * convolutions.
 */
export const foldBatchNormalization: Rule = (node, graph) => {
  if (node.op !== 'BatchNormalization') return undefined;
  const foldable = foldableBefore(node, graph);
  const affine = affineOf(node, graph);
  if (!foldable || !affine) return undefined;
  const { producer, input, weights, dimension } = foldable;
  const { scale, shift } = affine;
  const oldBias = graph.floats(producer.inputs[2])?.data;
  const bias = shift.map((value, i) => value + (oldBias?.[i] ?? 0) * (scale[i] ?? 0));
  const inputs = [
    input,
    graph.addConstant(scaleWeights(weights, dimension, scale)),
    graph.addConstant({ kind: 'float32', dims: [bias.length], data: bias }),
  ];
  return new Map([
    [producer, []],
    [node, [{ ...producer, inputs, output: node.output }]],
  ]);
};
