import type { OnnxNode } from '../onnx/graph';
import { constantOperand, type GraphView, type Rule } from './rewriter';

const HARD_SIGMOID = { alpha: { float: 1 / 6 }, beta: { float: 0.5 } };
/** Sources may store constants as float16, in which a sixth is .16663. */
const SIXTH_TOLERANCE = 1e-4;

/** `factor × x × clip(x + 3, 0, 6) ÷ 6`, and the nodes that compute it besides the last one. */
interface HardSwish {
  readonly x: string;
  readonly factor: number;
  readonly nodes: readonly OnnxNode[];
}

/**
 * Replaces `x × clip(x + 3, 0, 6) ÷ 6` by `x × HardSigmoid(x)`, which runtimes fuse with the convolution before it:
 * four passes over the map less.
 *
 * @see https://arxiv.org/abs/1905.02244
 */
export const recogniseHardSwish: Rule = (node, graph) => {
  const found = dividedProduct(node, graph) ?? productOfDivided(node, graph);
  if (!found) return undefined;
  const { x, factor, nodes } = found;
  const gate = `${node.output}_gate`;
  const swish = factor === 1 ? node.output : `${node.output}_swish`;
  const replacement: OnnxNode[] = [
    { op: 'HardSigmoid', inputs: [x], output: gate, attributes: HARD_SIGMOID },
    { op: 'Mul', inputs: [x, gate], output: swish, attributes: {} },
  ];
  if (factor !== 1) {
    const scale = graph.addConstant({ kind: 'float32', dims: [], data: Float32Array.of(factor) });
    replacement.push({ op: 'Mul', inputs: [swish, scale], output: node.output, attributes: {} });
  }
  const removed = nodes.map((one) => [one, []] as const);
  return new Map<OnnxNode, readonly OnnxNode[]>([...removed, [node, replacement]]);
};

/** The form `(x × clip(x + 3, 0, 6)) ÷ 6`. */
function dividedProduct(node: OnnxNode, graph: GraphView): HardSwish | undefined {
  if (node.op !== 'Div' || graph.scalar(node.inputs[1]) !== 6) return undefined;
  const product = soleInput(node, 0, graph);
  const gate = product && gateIn(product, graph);
  if (!gate?.product.inputs.includes(gate.x)) return undefined;
  return { x: gate.x, factor: 1, nodes: [...gate.nodes, gate.product] };
}

/** The form `(x × 1/6) × clip(x + 3, 0, 6)`. */
function productOfDivided(node: OnnxNode, graph: GraphView): HardSwish | undefined {
  const gate = gateIn(node, graph);
  const divided = [0, 1].map((index) => soleInput(node, index, graph)).find((input) => input?.op === 'Mul');
  const operand = divided && constantOperand(divided, graph);
  if (!gate || !divided || operand?.value !== gate.x || operand.constant.data.length !== 1) return undefined;
  const [sixth = 0] = operand.constant.data;
  if (Math.abs(sixth - 1 / 6) > SIXTH_TOLERANCE) return undefined;
  return { x: gate.x, factor: 6 * sixth, nodes: [...gate.nodes, divided] };
}

/** `clip(x + 3, 0, 6)` among the operands of a product, and the nodes that compute it. */
interface Gate {
  readonly product: OnnxNode;
  readonly x: string;
  readonly nodes: readonly OnnxNode[];
}

function gateIn(product: OnnxNode, graph: GraphView): Gate | undefined {
  if (product.op !== 'Mul') return undefined;
  const clip = [0, 1].map((index) => soleInput(product, index, graph)).find((input) => isClip6(input, graph));
  const shift = clip && soleInput(clip, 0, graph);
  if (!clip || shift?.op !== 'Add') return undefined;
  const [x, three] = shift.inputs;
  return x !== undefined && graph.scalar(three) === 3 ? { product, x, nodes: [shift, clip] } : undefined;
}

function soleInput(node: OnnxNode, index: number, graph: GraphView): OnnxNode | undefined {
  const input = node.inputs[index];
  return input === undefined ? undefined : graph.soleProducer(input, node);
}

const isClip6 = (node: OnnxNode | undefined, graph: GraphView): node is OnnxNode =>
  node?.op === 'Clip' && graph.scalar(node.inputs[1]) === 0 && graph.scalar(node.inputs[2]) === 6;
