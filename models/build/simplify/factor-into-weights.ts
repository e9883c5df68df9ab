import type { OnnxNode } from '../onnx/graph';
import { constantOperand, type GraphView, type Rule } from './rewriter';

/** A map that is multiplied by a scalar. */
interface Scaled {
  readonly value: string;
  /** Name of the scalar. */
  readonly factor: string;
}

const scaledBy = (node: OnnxNode, graph: GraphView): Scaled | undefined => {
  const operand = node.op === 'Mul' ? constantOperand(node, graph) : undefined;
  const factor = node.inputs.find((input) => input !== operand?.value);
  return operand?.constant.data.length === 1 && factor !== undefined
    ? { value: operand.value, factor }
    : undefined;
};

/**
 * Moves a scalar factor of a map into the weights of the convolutions after it, past means and products with other maps.
 *
 * The product of factor and weights stays a node, which runtimes compute once, when they load the file: weights that a
 * source stores as float16 keep their half size.
 */
export const foldFactorIntoWeights: Rule = (node, graph) => {
  const scaled = scaledBy(node, graph);
  const consumers = graph.consumers(node.output);
  if (!scaled || graph.isOutput(node.output) || consumers.length === 0) return undefined;
  const changed = consumers.map((consumer) => scaleLater(consumer, node.output, scaled, graph));
  if (!changed.every((nodes) => nodes !== undefined)) return undefined;
  return new Map<OnnxNode, readonly OnnxNode[]>([
    [node, []],
    ...consumers.map((consumer, i) => [consumer, changed[i] ?? []] as const),
  ]);
};

/** The consumer with its input not yet scaled, and nodes that scale its weights or its output. */
function scaleLater(
  consumer: OnnxNode,
  input: string,
  { value, factor }: Scaled,
  graph: GraphView,
): readonly OnnxNode[] | undefined {
  const [map, weights, ...bias] = consumer.inputs;
  if (consumer.op === 'Conv' && map === input && weights !== undefined) {
    const output = `${weights}_for_${consumer.output}`;
    return [
      { op: 'Mul', inputs: [weights, factor], output, attributes: {} },
      { ...consumer, inputs: [value, output, ...bias] },
    ];
  }
  const isProduct = consumer.op === 'Mul' && !constantOperand(consumer, graph);
  if (!isProduct && consumer.op !== 'GlobalAveragePool') return undefined;
  const output = `${consumer.output}_unscaled`;
  const inputs = consumer.inputs.map((one) => (one === input ? value : one));
  return [
    { ...consumer, inputs, output },
    { op: 'Mul', inputs: [output, factor], output: consumer.output, attributes: {} },
  ];
}
