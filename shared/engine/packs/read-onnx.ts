import type { GraphValue, OnnxFacts } from '../heads/recognise-graph';
import { BadProtobuf, numberOf, partsOf, textOf } from './protobuf';

/** The file is no ONNX graph, or cannot run here; the page has a sentence for each reason. */
export class BadOnnx extends Error {
  override readonly name = 'BadOnnx';

  constructor(
    readonly reason: 'not-onnx' | 'external-data',
    options?: ErrorOptions,
  ) {
    super(`this file is refused: ${reason}`, options);
  }
}

/** Field numbers of `onnx.proto`. */
const MODEL = { irVersion: 1, graph: 7, opset: 8, metadata: 14, functions: 25 } as const;
const GRAPH = { node: 1, initializer: 5, input: 11, output: 12, sparseInitializer: 15 } as const;
const FUNCTION = { node: 7 } as const;
const NODE = { attribute: 5 } as const;
const ATTRIBUTE = { tensor: 5, graph: 6, tensors: 10, graphs: 11, sparse: 22, sparses: 23 } as const;
const TENSOR = { name: 8, externalData: 13, dataLocation: 14 } as const;
const SPARSE = { values: 1, indices: 2 } as const;
const VALUE = { name: 1, type: 2 } as const;
const TENSOR_TYPE = { tensor: 1, elementType: 1, shape: 2 } as const;
const SHAPE = { dim: 1, dimValue: 1 } as const;
const ENTRY = { key: 1, value: 2 } as const;

/** Maximum depth of nested graphs: a deeper file is an attempt to exhaust memory. */
const MAX_DEPTH = 8;

const isExternal = (tensor: Uint8Array): boolean =>
  (numberOf(tensor, TENSOR.dataLocation) ?? 0) !== 0 || partsOf(tensor, TENSOR.externalData).length > 0;

const tensorsOfSparse = (sparse: Uint8Array): Uint8Array[] => [
  ...partsOf(sparse, SPARSE.values),
  ...partsOf(sparse, SPARSE.indices),
];

const nodesHoldExternal = (nodes: readonly Uint8Array[], depth: number): boolean =>
  nodes
    .flatMap((node) => partsOf(node, NODE.attribute))
    .some((attribute) => {
      const tensors = [
        ...partsOf(attribute, ATTRIBUTE.tensor),
        ...partsOf(attribute, ATTRIBUTE.tensors),
        ...partsOf(attribute, ATTRIBUTE.sparse).flatMap(tensorsOfSparse),
        ...partsOf(attribute, ATTRIBUTE.sparses).flatMap(tensorsOfSparse),
      ];
      const graphs = [...partsOf(attribute, ATTRIBUTE.graph), ...partsOf(attribute, ATTRIBUTE.graphs)];
      return tensors.some(isExternal) || graphs.some((graph) => graphHoldsExternal(graph, depth + 1));
    });

/** Whether some of a graph's tensors are stored in another file. */
const graphHoldsExternal = (graph: Uint8Array, depth = 0): boolean => {
  if (depth > MAX_DEPTH) throw new BadProtobuf('graphs are nested too deeply');
  return (
    partsOf(graph, GRAPH.initializer).some(isExternal) ||
    partsOf(graph, GRAPH.sparseInitializer).flatMap(tensorsOfSparse).some(isExternal) ||
    nodesHoldExternal(partsOf(graph, GRAPH.node), depth)
  );
};

const readValue = (value: Uint8Array): GraphValue => {
  const type = partsOf(value, VALUE.type).at(-1) ?? new Uint8Array();
  const tensor = partsOf(type, TENSOR_TYPE.tensor).at(-1) ?? new Uint8Array();
  const shape = partsOf(tensor, TENSOR_TYPE.shape).at(-1);
  const sideOf = (dim: Uint8Array): number | undefined => {
    const side = numberOf(dim, SHAPE.dimValue);
    return side !== undefined && side > 0 ? side : undefined;
  };
  return {
    name: textOf(value, VALUE.name),
    elementType: numberOf(tensor, TENSOR_TYPE.elementType) ?? 0,
    dims: shape && partsOf(shape, SHAPE.dim).map(sideOf),
  };
};

const read = (file: Uint8Array): OnnxFacts => {
  const graph = partsOf(file, MODEL.graph).at(-1);
  const isModel = numberOf(file, MODEL.irVersion) !== undefined && partsOf(file, MODEL.opset).length > 0;
  if (!graph || !isModel) throw new BadOnnx('not-onnx');
  const functions = partsOf(file, MODEL.functions).flatMap((each) => partsOf(each, FUNCTION.node));
  if (graphHoldsExternal(graph) || nodesHoldExternal(functions, 0)) throw new BadOnnx('external-data');
  const weights = new Set(partsOf(graph, GRAPH.initializer).map((tensor) => textOf(tensor, TENSOR.name)));
  const inputs = partsOf(graph, GRAPH.input).map(readValue);
  const outputs = partsOf(graph, GRAPH.output).map(readValue);
  if (outputs.length === 0) throw new BadOnnx('not-onnx');
  return {
    inputs: inputs.filter(({ name }) => !weights.has(name)),
    outputs,
    metadata: new Map(
      partsOf(file, MODEL.metadata).map((entry) => [textOf(entry, ENTRY.key), textOf(entry, ENTRY.value)]),
    ),
  };
};

/**
 * Reads inputs, outputs and metadata of an ONNX file, and refuses invalid files: a runtime parses in native code, so an
 * untrusted file is checked before it. Files that refer to other files are refused too.
 *
 * @throws {BadOnnx}
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export const readOnnx = (file: Uint8Array): OnnxFacts => {
  try {
    return read(file);
  } catch (cause) {
    if (cause instanceof BadProtobuf) throw new BadOnnx('not-onnx', { cause });
    throw cause;
  }
};
