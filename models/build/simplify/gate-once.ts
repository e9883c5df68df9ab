import type { OnnxNode } from '../onnx/graph';
import type { GraphView, Rule } from './rewriter';

/**
 * Replaces `x + x × gate` by `x × (1 + gate)` where the gate has one value for each channel: one pass over the map
 * instead of two.
 */
export const gateOnce: Rule = (node, graph) => {
  if (node.op !== 'Add') return undefined;
  const product = node.inputs
    .map((input) => graph.soleProducer(input, node))
    .find((one) => one?.op === 'Mul');
  const x = node.inputs.find((input) => input !== product?.output);
  const gate = product?.inputs.find((input) => input !== x);
  if (!product || x === undefined || gate === undefined || !product.inputs.includes(x)) return undefined;
  if (!isPerChannel(gate, graph)) return undefined;
  const one = graph.addConstant({ kind: 'float32', dims: [], data: Float32Array.of(1) });
  const opened = `${product.output}_gate`;
  return new Map<OnnxNode, readonly OnnxNode[]>([
    [product, []],
    [
      node,
      [
        { op: 'Add', inputs: [gate, one], output: opened, attributes: {} },
        { op: 'Mul', inputs: [x, opened], output: node.output, attributes: {} },
      ],
    ],
  ]);
};

const KEEP_SIZE = ['Conv', 'Relu', 'Sigmoid', 'HardSigmoid'];

/** Whether a value is computed only from means over whole maps. */
function isPerChannel(value: string, graph: GraphView): boolean {
  const producer = graph.producer(value);
  if (producer?.op === 'GlobalAveragePool') return true;
  const [input] = producer?.inputs ?? [];
  return input !== undefined && KEEP_SIZE.includes(producer?.op ?? '') && isPerChannel(input, graph);
}
