import type { OnnxNode } from '../onnx/graph';
import type { GraphView, Rule } from './rewriter';

const HARD_SIGMOID = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };

/**
 * Replaces `x × clip(x + 3, 0, 6) ÷ 6` by `x × HardSigmoid(x)`, which runtimes fuse with the convolution before it.
 *
 * @see https://arxiv.org/abs/1905.02244
 */
export const recogniseHardSwish: Rule = (node, graph) => {
  if (node.op !== 'Div' || graph.scalar(node.inputs[1]) !== 6) return undefined;
  const product = soleInput(node, 0, graph);
  if (product?.op !== 'Mul') return undefined;
  const clip = [0, 1].map((index) => soleInput(product, index, graph)).find((input) => isClip6(input, graph));
  const shift = clip && soleInput(clip, 0, graph);
  if (!clip || shift?.op !== 'Add') return undefined;
  const [x, three] = shift.inputs;
  if (x === undefined || graph.scalar(three) !== 3 || !product.inputs.includes(x)) return undefined;
  const gate = `${node.output}_gate`;
  return new Map([
    [shift, []],
    [clip, []],
    [product, []],
    [
      node,
      [
        { op: 'HardSigmoid', inputs: [x], output: gate, attributes: HARD_SIGMOID },
        { op: 'Mul', inputs: [x, gate], output: node.output, attributes: {} },
      ],
    ],
  ]);
};

function soleInput(node: OnnxNode, index: number, graph: GraphView): OnnxNode | undefined {
  const input = node.inputs[index];
  return input === undefined ? undefined : graph.soleProducer(input, node);
}

const isClip6 = (node: OnnxNode | undefined, graph: GraphView): node is OnnxNode =>
  node?.op === 'Clip' && graph.scalar(node.inputs[1]) === 0 && graph.scalar(node.inputs[2]) === 6;
