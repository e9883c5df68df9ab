import type { GraphValue, OnnxFacts } from '../heads/recognise-graph';

/** The bytes are not a valid protocol buffer. */
class BadProtobuf extends Error {
  override readonly name = 'BadProtobuf';
}

interface ProtobufField {
  readonly number: number;
  /** A number for varints; otherwise a view of the file's bytes, for values of 4 or 8 bytes and those with a length. */
  readonly value: number | Uint8Array;
}

/** How a field's value is stored. */
const WIRE = { varint: 0, eightBytes: 1, lengthDelimited: 2, fourBytes: 5 } as const;
const VARINT_BYTES = 10;
const TWO_TO_64 = 2 ** 64;
const TWO_TO_63 = 2 ** 63;

/** @returns the number, exact up to 2^53, and the offset after it */
const readVarint = (bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } => {
  let value = 0;
  for (let i = 0; i < VARINT_BYTES; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value: value >= TWO_TO_63 ? value - TWO_TO_64 : value, end: start + i + 1 };
  }
  throw new BadProtobuf('a varint does not end');
};

const lengthOf = (wire: number, bytes: Uint8Array, at: number): { length: number; begin: number } => {
  if (wire === WIRE.eightBytes) return { length: 8, begin: at };
  if (wire === WIRE.fourBytes) return { length: 4, begin: at };
  if (wire !== WIRE.lengthDelimited) throw new BadProtobuf(`a field has the unknown wire type ${wire}`);
  const { value, end } = readVarint(bytes, at);
  return { length: value, begin: end };
};

/**
 * Iterates over the fields of one message, in the order of the file. Nothing is copied, so memory does not grow with
 * the file.
 *
 * @see https://protobuf.dev/programming-guides/encoding
 * @throws {BadProtobuf} if a field ends after the message
 */
function* fieldsOf(message: Uint8Array): Generator<ProtobufField> {
  let at = 0;
  while (at < message.length) {
    const key = readVarint(message, at);
    const [number, wire] = [Math.floor(key.value / 8), key.value % 8];
    if (number < 1) throw new BadProtobuf('a field has no number');
    if (wire === WIRE.varint) {
      const { value, end } = readVarint(message, key.end);
      yield { number, value };
      at = end;
      continue;
    }
    const { length, begin } = lengthOf(wire, message, key.end);
    if (!(length >= 0 && begin + length <= message.length)) {
      throw new BadProtobuf('a field ends after its message');
    }
    yield { number, value: message.subarray(begin, begin + length) };
    at = begin + length;
  }
}

/** The values of one field that are messages, texts or bytes. */
const partsOf = (message: Uint8Array, number: number): Uint8Array[] => {
  const parts: Uint8Array[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number === number && typeof field.value !== 'number') parts.push(field.value);
  }
  return parts;
};

/** A text field; if it occurs several times, the last counts, as the format defines. */
const textOf = (message: Uint8Array, number: number): string =>
  new TextDecoder().decode(partsOf(message, number).at(-1) ?? new Uint8Array());

/** A number field; undefined if the message does not contain it. */
const numberOf = (message: Uint8Array, number: number): number | undefined => {
  let found: number | undefined;
  for (const field of fieldsOf(message)) {
    if (field.number === number && typeof field.value === 'number') found = field.value;
  }
  return found;
};

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
