import {
  ATTRIBUTE,
  ATTRIBUTE_TYPE,
  GRAPH,
  MODEL,
  NODE,
  SHAPE,
  TENSOR,
  TENSOR_TYPE,
  VALUE,
  VALUE_TYPE,
  messagesOf,
  textsOf,
  valuesOf,
} from './fields';
import type { OnnxAttribute, OnnxConstant, OnnxDimension, OnnxGraph, OnnxNode, OnnxValue } from './graph';

/** Reads an ONNX file whose nodes have one output each and whose constants are float32, int32 or int64. */
export function decodeOnnx(bytes: Uint8Array): OnnxGraph {
  const [graph = new Uint8Array()] = messagesOf(bytes, MODEL.graph);
  const constants = new Map(messagesOf(graph, GRAPH.initializer).map(readTensor));
  const nodes: OnnxNode[] = [];
  for (const node of messagesOf(graph, GRAPH.node)) {
    const op = textsOf(node, NODE.op).join();
    const [output, ...others] = textsOf(node, NODE.output);
    if (output === undefined || others.length > 0) throw new Error(`a node ${op} has not one output`);
    const attributes = messagesOf(node, NODE.attribute);
    const [tensor] =
      op === 'Constant' ? attributes.flatMap((each) => messagesOf(each, ATTRIBUTE.tensor)) : [];
    if (tensor) constants.set(output, readTensor(tensor)[1]);
    else {
      const inputs = textsOf(node, NODE.input);
      nodes.push({ op, inputs, output, attributes: Object.fromEntries(attributes.map(readAttribute)) });
    }
  }
  // Older exporters also list weights as inputs. Runtimes treat those as variable, and fold none of them.
  const inputs = messagesOf(graph, GRAPH.input).map(readValue);
  return {
    inputs: inputs.filter(({ name }) => !constants.has(name)),
    outputs: messagesOf(graph, GRAPH.output).map(readValue),
    nodes,
    constants,
  };
}

/** The integers of a field, packed or not. */
const integersOf = (message: Uint8Array, field: number): number[] =>
  valuesOf(message, field, (reader) => reader.readPackedVarint([], true)).flat();

function readTensor(tensor: Uint8Array): [string, OnnxConstant] {
  const name = textsOf(tensor, TENSOR.name).join();
  const dims = integersOf(tensor, TENSOR.dims);
  // Used instead of raw bytes by some exporters for short constants.
  const floats = valuesOf(tensor, TENSOR.floats, (reader) => reader.readPackedFloat()).flat();
  if (floats.length > 0) return [name, { kind: 'float32', dims, data: Float32Array.from(floats) }];
  const [type] = integersOf(tensor, TENSOR.type);
  // A copy starts at an aligned offset, as typed arrays require.
  const bytes = Uint8Array.from(messagesOf(tensor, TENSOR.raw)[0] ?? []).buffer;
  if (type === TENSOR_TYPE.float) return [name, { kind: 'float32', dims, data: new Float32Array(bytes) }];
  if (type === TENSOR_TYPE.int32) return [name, { kind: 'int32', dims, data: [...new Int32Array(bytes)] }];
  if (type !== TENSOR_TYPE.int64) throw new Error(`the constant ${name} is of type ${type}`);
  return [name, { kind: 'int64', dims, data: Array.from(new BigInt64Array(bytes), Number) }];
}

function readAttribute(attribute: Uint8Array): [string, OnnxAttribute] {
  const name = textsOf(attribute, ATTRIBUTE.name).join();
  return [name, readAttributeValue(attribute, name)];
}

function readAttributeValue(attribute: Uint8Array, name: string): OnnxAttribute {
  const [type] = integersOf(attribute, ATTRIBUTE.type);
  if (type === ATTRIBUTE_TYPE.text) return textsOf(attribute, ATTRIBUTE.text).join();
  if (type === ATTRIBUTE_TYPE.integer) return integersOf(attribute, ATTRIBUTE.integer)[0] ?? 0;
  if (type === ATTRIBUTE_TYPE.integers) return integersOf(attribute, ATTRIBUTE.integers);
  if (type === ATTRIBUTE_TYPE.float) {
    return { float: valuesOf(attribute, ATTRIBUTE.float, (reader) => reader.readFloat())[0] ?? 0 };
  }
  throw new Error(`the attribute ${name} is of type ${type}`);
}

const readValue = (value: Uint8Array): OnnxValue => {
  const shapes = messagesOf(value, VALUE.type)
    .flatMap((type) => messagesOf(type, VALUE_TYPE.tensor))
    .flatMap((tensor) => messagesOf(tensor, VALUE_TYPE.shape));
  return {
    name: textsOf(value, VALUE.name).join(),
    dims: shapes.flatMap((shape) => messagesOf(shape, SHAPE.dim)).map(readDimension),
  };
};

const readDimension = (dim: Uint8Array): OnnxDimension =>
  textsOf(dim, SHAPE.named)[0] ?? integersOf(dim, SHAPE.fixed)[0] ?? 0;
