import { PbfWriter } from 'pbf';
import { toExactFloat16 } from '../float16';
import {
  ATTRIBUTE,
  ATTRIBUTE_TYPE,
  GRAPH,
  MODEL,
  NODE,
  OPERATORS,
  SHAPE,
  TENSOR,
  TENSOR_TYPE,
  VALUE,
  VALUE_TYPE,
} from './fields';
import type { OnnxAttribute, OnnxConstant, OnnxGraph, OnnxNode, OnnxValue } from './graph';

const IR_VERSION = 8;
const OPSET = 13;
/** For fewer values, the `Cast` node that float16 values need is larger than the saving. */
export const MIN_HALF_LENGTH = 64;

interface StoredTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: number;
  readonly raw: Uint8Array;
}

interface EncodedConstant {
  readonly initializer: StoredTensor;
  /** Node that converts the stored initialiser to the constant, if their types differ. */
  readonly nodes: readonly OnnxNode[];
}

/**
 * Writes an ONNX file. Unused constants are omitted, and float32 values are stored as float16 if that is exact.
 * Runtimes convert them once, when they load the file.
 *
 * @param opset version of the operators, whose attributes and inputs differ among them
 */
export function encodeOnnx(graph: OnnxGraph, name: string, opset = OPSET): Uint8Array {
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  const constants = [...graph.constants].filter(([key]) => used.has(key)).map(encodeConstant);
  const nodes = [...constants.flatMap((constant) => constant.nodes), ...graph.nodes];
  const model = new PbfWriter();
  model.writeVarintField(MODEL.irVersion, IR_VERSION);
  model.writeStringField(MODEL.producerName, 'veil');
  writeEach(model, MODEL.graph, [graph], ({ inputs, outputs }, into) => {
    writeEach(into, GRAPH.node, nodes, writeNode);
    into.writeStringField(GRAPH.name, name);
    const tensors = constants.map(({ initializer }) => initializer);
    writeEach(into, GRAPH.initializer, tensors, writeTensor);
    writeEach(into, GRAPH.input, inputs, writeValue);
    writeEach(into, GRAPH.output, outputs, writeValue);
  });
  writeEach(model, MODEL.opset, [opset], (version, into) => {
    into.writeStringField(OPERATORS.domain, '');
    into.writeVarintField(OPERATORS.version, version);
  });
  return model.finish();
}

/** Writes a message for each value of a repeated field. */
function writeEach<T>(
  writer: PbfWriter,
  field: number,
  values: readonly T[],
  write: (value: T, into: PbfWriter) => void,
): void {
  for (const value of values) writer.writeMessage(field, write, value);
}

function encodeConstant([name, constant]: [string, OnnxConstant]): EncodedConstant {
  const { dims } = constant;
  if (constant.kind !== 'float32') {
    const { data, kind } = constant;
    const raw = rawBytes(kind === 'int32' ? Int32Array.from(data) : BigInt64Array.from(data, BigInt));
    return { initializer: { name, dims, type: TENSOR_TYPE[kind], raw }, nodes: [] };
  }
  const half = constant.data.length < MIN_HALF_LENGTH ? undefined : toExactFloat16(constant.data);
  if (!half) {
    const raw = rawBytes(constant.data);
    return { initializer: { name, dims, type: TENSOR_TYPE.float, raw }, nodes: [] };
  }
  const stored = `${name}_float16`;
  return {
    initializer: { name: stored, dims, type: TENSOR_TYPE.float16, raw: rawBytes(half) },
    nodes: [{ op: 'Cast', inputs: [stored], output: name, attributes: { to: TENSOR_TYPE.float } }],
  };
}

const rawBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function writeTensor({ name, dims, type, raw }: StoredTensor, into: PbfWriter): void {
  into.writePackedVarint(TENSOR.dims, [...dims]);
  into.writeVarintField(TENSOR.type, type);
  into.writeStringField(TENSOR.name, name);
  into.writeBytesField(TENSOR.raw, raw);
}

function writeNode({ op, inputs, output, attributes }: OnnxNode, into: PbfWriter): void {
  for (const input of inputs) into.writeStringField(NODE.input, input);
  into.writeStringField(NODE.output, output);
  into.writeStringField(NODE.name, output);
  into.writeStringField(NODE.op, op);
  writeEach(into, NODE.attribute, Object.entries(attributes), writeAttribute);
}

function writeAttribute([name, value]: [string, OnnxAttribute], into: PbfWriter): void {
  into.writeStringField(ATTRIBUTE.name, name);
  into.writeVarintField(ATTRIBUTE.type, writeAttributeValue(value, into));
}

/** @returns its type */
function writeAttributeValue(value: OnnxAttribute, into: PbfWriter): number {
  if (typeof value === 'string') {
    into.writeStringField(ATTRIBUTE.text, value);
    return ATTRIBUTE_TYPE.text;
  }
  if (typeof value === 'number') {
    into.writeVarintField(ATTRIBUTE.integer, value);
    return ATTRIBUTE_TYPE.integer;
  }
  if ('float' in value) {
    into.writeFloatField(ATTRIBUTE.float, value.float);
    return ATTRIBUTE_TYPE.float;
  }
  into.writePackedVarint(ATTRIBUTE.integers, [...value]);
  return ATTRIBUTE_TYPE.integers;
}

function writeValue({ name, dims }: OnnxValue, into: PbfWriter): void {
  into.writeStringField(VALUE.name, name);
  writeEach(into, VALUE.type, [dims], (_dims, type) =>
    writeEach(type, VALUE_TYPE.tensor, [dims], (_, tensor) => {
      tensor.writeVarintField(VALUE_TYPE.elementType, TENSOR_TYPE.float);
      writeEach(tensor, VALUE_TYPE.shape, [dims], (sides, shape) =>
        writeEach(shape, SHAPE.dim, sides, (side, dim) => {
          if (typeof side === 'string') dim.writeStringField(SHAPE.named, side);
          else dim.writeVarintField(SHAPE.fixed, side);
        }),
      );
    }),
  );
}
