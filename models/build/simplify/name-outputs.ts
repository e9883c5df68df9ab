import type { OnnxNode } from '../onnx/graph';
import type { Rule } from './rewriter';

/** Lets the node that computes an output carry its name, because runtimes copy the whole map for an `Identity`. */
export const nameOutputs: Rule = (node, graph) => {
  const [value = ''] = node.op === 'Identity' && graph.isOutput(node.output) ? node.inputs : [];
  const producer = graph.producer(value);
  if (!producer || graph.isOutput(value)) return undefined;
  const renamed = (one: OnnxNode): OnnxNode => ({
    ...one,
    inputs: one.inputs.map((input) => (input === value ? node.output : input)),
  });
  const others = graph.consumers(value).filter((consumer) => consumer !== node);
  return new Map<OnnxNode, readonly OnnxNode[]>([
    [node, []],
    [producer, [{ ...producer, output: node.output }]],
    ...others.map((consumer) => [consumer, [renamed(consumer)]] as const),
  ]);
};
