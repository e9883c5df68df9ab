import type { OnnxBuilder } from '../onnx/builder';
import type { TfjsConstant, TfjsGraph, TfjsNode } from './graph';

/**
 * A value in the ONNX graph: float32 NCHW, batch 1.
 *
 * Its sides are those for the nominal input. In a graph for any input size they keep their ratio to it.
 */
export interface FeatureMap {
  readonly name: string;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** State of a conversion, for the converters of operations. */
export interface Conversion {
  readonly builder: OnnxBuilder;
  featureMap(nodeName: string): FeatureMap;
  /** @returns undefined if the node is not constant */
  constant(nodeName: string): TfjsConstant | undefined;
}

/** Writes the ONNX form of one source node and returns its outputs. */
export type OperationConverter = (node: TfjsNode, conversion: Conversion) => FeatureMap;

export function nodeInput(node: TfjsNode, index: number): string {
  const name = node.inputs[index];
  if (name === undefined) throw new Error(`${node.name} (${node.op}) has no input ${index}`);
  return name;
}

export function constantInput(node: TfjsNode, index: number, conversion: Conversion): TfjsConstant {
  const constant = conversion.constant(nodeInput(node, index));
  if (!constant) throw new Error(`input ${index} of ${node.name} (${node.op}) is not constant`);
  return constant;
}

export const featureMapInput = (node: TfjsNode, index: number, conversion: Conversion): FeatureMap =>
  conversion.featureMap(nodeInput(node, index));

/**
 * Converts the part of a graph on which some nodes depend, back to the node that represents the input.
 *
 * Every activation of these convolutional graphs has four axes, so all of them are written as NCHW, and the result
 * contains no transpositions.
 */
export function startConversion(
  graph: TfjsGraph,
  operations: Readonly<Record<string, OperationConverter>>,
  builder: OnnxBuilder,
  input: { readonly nodeName: string; readonly featureMap: FeatureMap },
): Conversion {
  const converted = new Map([[input.nodeName, input.featureMap]]);
  const conversion: Conversion = {
    builder,
    constant: (nodeName) => graph.constants.get(nodeName),
    featureMap(nodeName) {
      const known = converted.get(nodeName);
      if (known) return known;
      const node = graph.nodes.get(nodeName);
      if (!node) throw new Error(`no node ${nodeName}`);
      const convert = operations[node.op];
      if (!convert) throw new Error(`${nodeName} is a ${node.op}, which is not supported`);
      const result = convert(node, conversion);
      converted.set(nodeName, result);
      return result;
    },
  };
  return conversion;
}
