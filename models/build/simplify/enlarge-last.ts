import type { OnnxAttribute, OnnxNode } from '../onnx/graph';
import {
  convolutionInputs,
  convolutionWeights,
  transposedConvolution,
  type ConvolutionWeights,
  type TransposedConvolution,
} from './convolution-weights';
import type { GraphView, Rule } from './rewriter';

/** Whether each step of a transposed convolution writes pixels of its own. @param side of the kernel */
const hasOwnPixels = ({ attributes: { strides, pads = [] } }: OnnxNode, side: number): boolean =>
  isAll(strides, side) && isAll(pads, 0);

const isAll = (attribute: OnnxAttribute | undefined, value: number): boolean =>
  Array.isArray(attribute) && attribute.every((one) => one === value);

/** The 1 × 1 convolution to all pixels that each step writes: channels of the first pixel first. */
const toChannels = ({ weights: { dims, data }, bias }: TransposedConvolution): ConvolutionWeights => {
  const [inputs = 0, outputs = 0, height = 0, width = 0] = dims;
  const places = height * width;
  const weights = new Float32Array(places * outputs * inputs);
  for (let place = 0; place < places; place++) {
    for (let output = 0; output < outputs; output++) {
      for (let input = 0; input < inputs; input++) {
        const weight = data[(input * outputs + output) * places + place] ?? 0;
        weights[(place * outputs + output) * inputs + input] = weight;
      }
    }
  }
  return { dims: [places * outputs, inputs, 1, 1], weights, bias: repeat(bias, places) };
};

const repeat = (values: Float32Array, times: number): Float32Array =>
  Float32Array.from({ length: times * values.length }, (_, i) => values[i % values.length] ?? 0);

/**
 * Replaces a transposed convolution whose steps are as large as its kernel by a 1 × 1 convolution, and a rearrangement
 * of its channels to pixels.
 */
export const enlargeByRearrangement: Rule = (node, graph) => {
  const transposed = transposedConvolution(node, graph);
  const [height = 0, width] = transposed?.weights.dims.slice(2) ?? [];
  if (!transposed || height !== width || !hasOwnPixels(node, height)) return undefined;
  const inputs = convolutionInputs(transposed.input, toChannels(transposed), graph);
  const output = `${node.output}_channels`;
  const convolution = { op: 'Conv', inputs, output, attributes: { kernel_shape: [1, 1] } };
  const attributes = { blocksize: height };
  return new Map([
    [node, [convolution, { op: 'DepthToSpace', inputs: [output], output: node.output, attributes }]],
  ]);
};

/** The rearrangement before a node, if only this node reads it. */
const rearrangementBefore = (node: OnnxNode, graph: GraphView): OnnxNode | undefined => {
  const producer = graph.soleProducer(node.inputs[0] ?? '', node);
  return producer?.op === 'DepthToSpace' ? producer : undefined;
};

/** Computes in channels what follows a rearrangement to pixels, as far as it concerns single pixels. */
export const rearrangeLast: Rule = (node, graph) => {
  const rearrangement = rearrangementBefore(node, graph);
  if (!rearrangement) return undefined;
  const inputs =
    node.op === 'Relu' || node.op === 'Sigmoid'
      ? rearrangement.inputs
      : convolutionOfPlaces(node, rearrangement, graph);
  if (!inputs) return undefined;
  const computed = `${node.output}_channels`;
  return new Map<OnnxNode, readonly OnnxNode[]>([
    [rearrangement, []],
    [
      node,
      [
        { ...node, inputs, output: computed },
        { ...rearrangement, inputs: [computed], output: node.output },
      ],
    ],
  ]);
};

/** The inputs of a 1 × 1 convolution that computes all pixels of a cell at once. */
function convolutionOfPlaces(
  node: OnnxNode,
  { inputs: [cells], attributes: { blocksize } }: OnnxNode,
  graph: GraphView,
): readonly string[] | undefined {
  const old = convolutionWeights(node, graph);
  if (!old || cells === undefined || typeof blocksize !== 'number') return undefined;
  const [outputs = 0, inputs = 0, height, width] = old.dims;
  if (height !== 1 || width !== 1 || (node.attributes.group ?? 1) !== 1) return undefined;
  const places = blocksize * blocksize;
  const weights = new Float32Array(places * outputs * places * inputs);
  for (let place = 0; place < places; place++) {
    for (let output = 0; output < outputs; output++) {
      const row = old.weights.subarray(output * inputs, (output + 1) * inputs);
      weights.set(row, ((place * outputs + output) * places + place) * inputs);
    }
  }
  const dims = [places * outputs, places * inputs, 1, 1];
  return convolutionInputs(cells, { dims, weights, bias: repeat(old.bias, places) }, graph);
}
