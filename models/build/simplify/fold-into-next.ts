import type { OnnxNode } from '../onnx/graph';
import { convolutionInputs, convolutionWeights, weightsPerChannel } from './convolution-weights';
import type { GraphView, Rewrite, Rule } from './rewriter';

/** `scale × value + shift`, the same for all channels. */
interface Affine {
  readonly value: string;
  readonly scale: number;
  readonly shift: number;
  readonly nodes: readonly [scaling: OnnxNode, shifting: OnnxNode];
}

function affineEndingIn(shifting: OnnxNode, graph: GraphView): Affine | undefined {
  if (shifting.op !== 'Add') return undefined;
  const [scaled, shift] = valueAndScalar(shifting, graph);
  const scaling = scaled === undefined ? undefined : graph.soleProducer(scaled, shifting);
  if (scaling?.op !== 'Mul') return undefined;
  const [value, scale] = valueAndScalar(scaling, graph);
  if (value === undefined || scale === undefined || shift === undefined) return undefined;
  return { value, scale, shift, nodes: [scaling, shifting] };
}

function valueAndScalar(
  { inputs }: OnnxNode,
  graph: GraphView,
): readonly [string | undefined, number | undefined] {
  const [first, second] = inputs;
  const scalar = graph.scalar(second);
  return scalar === undefined ? [second, graph.scalar(first)] : [first, scalar];
}

/**
 * Folds a scalar scale and shift into the weights of the convolutions after it, if these have no padding: zeros around
 * the shifted map are not zeros around the unshifted one. Otherwise it becomes its own convolution, because runtimes
 * keep their blocked memory layout through a convolution, but not through arithmetic with a scalar.
 */
export const foldIntoNext: Rule = (node, graph) => {
  const affine = affineEndingIn(node, graph);
  if (!affine) return undefined;
  const consumers = graph.consumers(node.output);
  const canTakeIt = consumers.every(
    (consumer) => isUnpadded(consumer) && convolutionWeights(consumer, graph),
  );
  return canTakeIt ? intoConsumers(affine, consumers, graph) : intoConvolution(affine, graph);
};

const isUnpadded = ({ op, attributes }: OnnxNode): boolean =>
  op === 'Conv' && Array.isArray(attributes.pads) && attributes.pads.every((pad) => pad === 0);

function intoConsumers(affine: Affine, consumers: readonly OnnxNode[], graph: GraphView): Rewrite {
  const [scaling, shifting] = affine.nodes;
  const changed = consumers.map((consumer): [OnnxNode, OnnxNode[]] => {
    const old = convolutionWeights(consumer, graph);
    if (!old) throw new Error(`${consumer.output} is no convolution`);
    const perOutput = weightsPerChannel(old);
    const sumOf = (channel: number) =>
      old.weights
        .subarray(channel * perOutput, (channel + 1) * perOutput)
        .reduce((sum, weight) => sum + weight, 0);
    const folded = {
      dims: old.dims,
      weights: old.weights.map((weight) => weight * affine.scale),
      bias: old.bias.map((bias, channel) => bias + affine.shift * sumOf(channel)),
    };
    return [consumer, [{ ...consumer, inputs: convolutionInputs(affine.value, folded, graph) }]];
  });
  return new Map([[scaling, []], [shifting, []], ...changed]);
}

function intoConvolution({ value, scale, shift, nodes }: Affine, graph: GraphView): Rewrite | undefined {
  const [scaling, shifting] = nodes;
  const channels = channelsOf(value, graph);
  if (channels === undefined) return undefined;
  const weights = {
    dims: [channels, 1, 1, 1],
    weights: new Float32Array(channels).fill(scale),
    bias: new Float32Array(channels).fill(shift),
  };
  const attributes = { kernel_shape: [1, 1], group: channels };
  const inputs = convolutionInputs(value, weights, graph);
  return new Map([
    [scaling, []],
    [shifting, [{ op: 'Conv', inputs, output: shifting.output, attributes }]],
  ]);
}

/** Follows operations that keep the channels back to the convolution that produced them. */
function channelsOf(value: string, graph: GraphView): number | undefined {
  const producer = graph.producer(value);
  const weights = convolutionWeights(producer, graph);
  if (weights) return weights.bias.length;
  const isElementwise = producer?.op === 'Mul' || producer?.op === 'HardSigmoid';
  const [input] = producer?.inputs ?? [];
  return isElementwise && input !== undefined ? channelsOf(input, graph) : undefined;
}
