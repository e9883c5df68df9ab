import type { OnnxNode } from '../onnx/graph';
import { convolutionInputs, convolutionWeights, type ConvolutionWeights } from './convolution-weights';
import type { GraphView, Rewrite, Rule } from './rewriter';

/**
 * The middle of an inverted residual: 1 × 1 convolution to many channels, depthwise convolution, 1 × 1 convolution to
 * few.
 */
interface Expansion {
  readonly expand: OnnxNode;
  readonly expandRelu: OnnxNode;
  readonly depthwise: OnnxNode;
  readonly depthwiseRelu: OnnxNode;
  readonly project: OnnxNode;
}

const soleConsumer = (node: OnnxNode | undefined, op: string, graph: GraphView): OnnxNode | undefined => {
  if (!node) return undefined;
  const [consumer, ...others] = graph.consumers(node.output);
  return others.length === 0 && consumer?.op === op ? consumer : undefined;
};

const expansionFrom = (expand: OnnxNode, graph: GraphView): Expansion | undefined => {
  const expandRelu = soleConsumer(expand, 'Relu', graph);
  const depthwise = soleConsumer(expandRelu, 'Conv', graph);
  const depthwiseRelu = soleConsumer(depthwise, 'Relu', graph);
  const project = soleConsumer(depthwiseRelu, 'Conv', graph);
  if (!expandRelu || !depthwise || !depthwiseRelu || !project) return undefined;
  return { expand, expandRelu, depthwise, depthwiseRelu, project };
};

/** Selects output channels of a convolution. */
const outputChannels = ({ dims, weights, bias }: ConvolutionWeights, from: number, to: number) => {
  const perOutput = weights.length / bias.length;
  return {
    dims: [to - from, ...dims.slice(1)],
    weights: weights.slice(from * perOutput, to * perOutput),
    bias: bias.slice(from, to),
  };
};

/** A 1 × 1 convolution that reads a part of its input's channels. Only the first part adds the bias. */
const inputChannels = ({ dims, weights, bias }: ConvolutionWeights, from: number, to: number) => {
  const [outputs = 0, inputs = 0] = dims;
  const part = new Float32Array(outputs * (to - from));
  for (let output = 0; output < outputs; output++) {
    part.set(weights.subarray(output * inputs + from, output * inputs + to), output * (to - from));
  }
  return { dims: [outputs, to - from, 1, 1], weights: part, bias: from === 0 ? bias : bias.map(() => 0) };
};

/** The nodes for one part of the channels. The last one writes `output`. */
const partOf = (
  { expand, expandRelu, depthwise, depthwiseRelu, project }: Expansion,
  all: readonly [ConvolutionWeights, ConvolutionWeights, ConvolutionWeights],
  { range: [from, to], output }: { readonly range: readonly [number, number]; readonly output: string },
  graph: GraphView,
): OnnxNode[] => {
  const named = (name: string): string => `${name}_from_${from}`;
  const [widening, filtering, narrowing] = all;
  const convolve = (node: OnnxNode, input: string, weights: ConvolutionWeights, to_: string): OnnxNode => ({
    ...node,
    inputs: convolutionInputs(input, weights, graph),
    output: to_,
  });
  const relu = (node: OnnxNode, input: string): OnnxNode => ({
    ...node,
    inputs: [input],
    output: named(node.output),
  });
  const source = expand.inputs[0] ?? '';
  const filter = convolve(
    depthwise,
    named(expandRelu.output),
    outputChannels(filtering, from, to),
    named(depthwise.output),
  );
  return [
    convolve(expand, source, outputChannels(widening, from, to), named(expand.output)),
    relu(expandRelu, named(expand.output)),
    { ...filter, attributes: { ...filter.attributes, group: to - from } },
    relu(depthwiseRelu, named(depthwise.output)),
    convolve(project, named(depthwiseRelu.output), inputChannels(narrowing, from, to), output),
  ];
};

const rewrite = (expansion: Expansion, parts: number, graph: GraphView): Rewrite | undefined => {
  const { expand, expandRelu, depthwise, depthwiseRelu, project } = expansion;
  const weights = [expand, depthwise, project].map((node) => convolutionWeights(node, graph));
  const [widening, filtering, narrowing] = weights;
  if (!widening || !filtering || !narrowing) return undefined;
  const channels = widening.bias.length;
  const isDepthwise = filtering.dims[1] === 1 && filtering.bias.length === channels;
  const arePointwise = [widening, narrowing].every(({ dims }) => dims[2] === 1 && dims[3] === 1);
  if (!isDepthwise || !arePointwise || channels % parts !== 0) return undefined;
  const step = channels / parts;
  const nodes: OnnxNode[] = [];
  let sum = '';
  for (let part = 0; part < parts; part++) {
    const isLast = part === parts - 1;
    const output = `${project.output}_part_${part}`;
    const range = [part * step, (part + 1) * step] as const;
    nodes.push(...partOf(expansion, [widening, filtering, narrowing], { range, output }, graph));
    const added = isLast ? project.output : `${project.output}_sum_${part}`;
    if (part > 0) nodes.push({ op: 'Add', inputs: [sum, output], output: added, attributes: {} });
    sum = part > 0 ? added : output;
  }
  const removed = [expand, expandRelu, depthwise, depthwiseRelu].map((node) => [node, []] as const);
  return new Map<OnnxNode, readonly OnnxNode[]>([...removed, [project, nodes]]);
};

/** Minimum number of channels per part: runtimes process blocks of 16. */
const MIN_PART_CHANNELS = 32;

/**
 * Creates a rule that computes wide inverted residuals in parts, and adds up their results.
 *
 * Only one part of the widest maps is in memory at a time. This reduces the network's peak to a third, and keeps data
 * in the cache. The function stays the same except for rounding.
 *
 * @param names outputs of the expanding convolutions to split: those with the largest maps
 * @see https://arxiv.org/abs/1801.04381 section 5.1, for the idea
 */
export const splitExpansions =
  (names: readonly string[], parts: number): Rule =>
  (node, graph) => {
    if (node.op !== 'Conv' || !names.includes(node.output)) return undefined;
    const expansion = expansionFrom(node, graph);
    const channels = graph.floats(node.inputs[2])?.data.length ?? 0;
    if (!expansion || channels / parts < MIN_PART_CHANNELS) return undefined;
    return rewrite(expansion, parts, graph);
  };
