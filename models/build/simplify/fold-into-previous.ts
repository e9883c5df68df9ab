import {
  convolutionInputs,
  convolutionWeights,
  perChannel,
  transposedConvolution,
  weightsPerChannel,
} from './convolution-weights';
import { constantOperand, type Rule } from './rewriter';

/** Folds a scale or shift per channel into the weights and bias of the convolution before it. */
export const foldIntoPrevious: Rule = (node, graph) => {
  if (node.op !== 'Mul' && node.op !== 'Add') return undefined;
  const operand = constantOperand(node, graph);
  const convolution = operand && graph.soleProducer(operand.value, node);
  const old = convolutionWeights(convolution, graph);
  const [input] = convolution?.inputs ?? [];
  if (!old || !convolution || input === undefined) return undefined;
  const factors = perChannel(operand.constant, old.bias.length);
  if (!factors) return undefined;
  const perOutput = weightsPerChannel(old);
  const factorOf = (channel: number) => factors[channel] ?? 0;
  const changed =
    node.op === 'Add'
      ? { ...old, bias: old.bias.map((bias, channel) => bias + factorOf(channel)) }
      : {
          ...old,
          weights: old.weights.map((weight, i) => weight * factorOf(Math.floor(i / perOutput))),
          bias: old.bias.map((bias, channel) => bias * factorOf(channel)),
        };
  const inputs = convolutionInputs(input, changed, graph);
  return new Map([
    [convolution, []],
    [node, [{ ...convolution, inputs, output: node.output }]],
  ]);
};

/** Folds a shift per channel into the bias of the transposed convolution before it. */
export const foldShiftIntoTransposed: Rule = (node, graph) => {
  const operand = node.op === 'Add' ? constantOperand(node, graph) : undefined;
  const producer = operand && graph.soleProducer(operand.value, node);
  const transposed = transposedConvolution(producer, graph);
  const shift = operand && transposed && perChannel(operand.constant, transposed.bias.length);
  if (!producer || !transposed || !shift) return undefined;
  const data = transposed.bias.map((value, channel) => value + (shift[channel] ?? 0));
  const bias = graph.addConstant({ kind: 'float32', dims: [data.length], data });
  const inputs = [transposed.input, transposed.weightsName, bias];
  return new Map([
    [producer, []],
    [node, [{ ...producer, inputs, output: node.output }]],
  ]);
};
