import {
  nodeInput,
  featureMapInput,
  type Conversion,
  type FeatureMap,
  type OperationConverter,
} from '../conversion';
import type { OnnxBuilder } from '../../onnx/builder';
import type { TfjsConstant } from '../graph';

/** @param op TensorFlow's name, as an operation or fused into a convolution */
export function applyActivation(builder: OnnxBuilder, op: string, value: string): string {
  if (op === 'Relu' || op === 'Sigmoid') return builder.node(op, [value]);
  if (op === 'Relu6') return builder.node('Clip', [value, builder.scalar(0), builder.scalar(6)]);
  throw new Error(`the activation ${op} is not supported`);
}

const activation: OperationConverter = (node, conversion) => {
  const input = featureMapInput(node, 0, conversion);
  return { ...input, name: applyActivation(conversion.builder, node.op, input.name) };
};

/** A scalar, or one value per channel. */
function broadcastConstant({ shape, data }: TfjsConstant, builder: OnnxBuilder): string {
  const [first = 0] = data;
  if (data.length === 1) return builder.scalar(first);
  if (shape.length !== 1) throw new Error(`a constant of ${shape.length} axes cannot be broadcast`);
  return builder.floats(Float32Array.from(data), [data.length, 1, 1]);
}

type Operand = { readonly name: string; readonly featureMap?: FeatureMap };

function operand(nodeName: string, conversion: Conversion): Operand {
  const constant = conversion.constant(nodeName);
  if (constant) return { name: broadcastConstant(constant, conversion.builder) };
  const featureMap = conversion.featureMap(nodeName);
  return { name: featureMap.name, featureMap };
}

const binary =
  (opType: string): OperationConverter =>
  (node, conversion) => {
    const operands = [0, 1].map((index) => operand(nodeInput(node, index), conversion));
    // A 1 × 1 map scales the channels, so the result has the size of the other map.
    const [larger] = operands
      .flatMap(({ featureMap }) => featureMap ?? [])
      .sort((a, b) => b.height - a.height);
    if (!larger || node.inputs.length !== 2) {
      throw new Error(`${node.name} (${node.op}) is not of two inputs`);
    }
    const names = operands.map(({ name }) => name);
    return { ...larger, name: conversion.builder.node(opType, names) };
  };

const negate: OperationConverter = (node, conversion) => {
  const input = featureMapInput(node, 0, conversion);
  return { ...input, name: conversion.builder.node('Neg', [input.name]) };
};

const same: OperationConverter = (node, conversion) => featureMapInput(node, 0, conversion);

export const ELEMENTWISE: Readonly<Record<string, OperationConverter>> = {
  Add: binary('Add'),
  AddV2: binary('Add'),
  AddN: binary('Add'),
  Mul: binary('Mul'),
  Minimum: binary('Min'),
  Maximum: binary('Max'),
  Neg: negate,
  Relu: activation,
  Relu6: activation,
  Sigmoid: activation,
  Identity: same,
};
