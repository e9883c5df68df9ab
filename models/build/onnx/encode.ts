import onnxProto from 'onnx-proto';
import { toExactFloat16 } from '../float16';
import type { OnnxAttribute, OnnxConstant, OnnxGraph, OnnxNode, OnnxValue } from './graph';

const { onnx } = onnxProto;
const { FLOAT, FLOAT16, INT64 } = onnx.TensorProto.DataType;
const OPSET = 13;
/** For fewer values, the `Cast` node that float16 values need is larger than the saving. */
export const MIN_HALF_LENGTH = 64;

interface EncodedConstant {
  readonly initializer: onnxProto.onnx.ITensorProto;
  /** Node that converts the stored initialiser to the constant, if their types differ. */
  readonly nodes: readonly OnnxNode[];
}

/**
 * Writes an ONNX file. Unused constants are omitted, and float32 values are stored as float16 if that is exact.
 * Runtimes convert them once, when they load the file.
 */
export function encodeOnnx(graph: OnnxGraph, name: string): Uint8Array {
  const used = new Set(graph.nodes.flatMap(({ inputs }) => inputs));
  const constants = [...graph.constants].filter(([key]) => used.has(key)).map(encodeConstant);
  const nodes = [...constants.flatMap((constant) => constant.nodes), ...graph.nodes];
  const model = onnx.ModelProto.create({
    irVersion: onnx.Version.IR_VERSION,
    opsetImport: [{ domain: '', version: OPSET }],
    producerName: 'veil',
    graph: {
      name,
      node: nodes.map(nodeProto),
      initializer: constants.map(({ initializer }) => initializer),
      input: graph.inputs.map(valueInfo),
      output: graph.outputs.map(valueInfo),
    },
  });
  return onnx.ModelProto.encode(model).finish();
}

function encodeConstant([name, constant]: [string, OnnxConstant]): EncodedConstant {
  const dims = [...constant.dims];
  if (constant.kind === 'int64') {
    const rawData = rawBytes(BigInt64Array.from(constant.data, BigInt));
    return { initializer: { name, dims, dataType: INT64, rawData }, nodes: [] };
  }
  const half = constant.data.length < MIN_HALF_LENGTH ? undefined : toExactFloat16(constant.data);
  if (!half) {
    return { initializer: { name, dims, dataType: FLOAT, rawData: rawBytes(constant.data) }, nodes: [] };
  }
  const stored = `${name}_float16`;
  return {
    initializer: { name: stored, dims, dataType: FLOAT16, rawData: rawBytes(half) },
    nodes: [{ op: 'Cast', inputs: [stored], output: name, attributes: { to: FLOAT } }],
  };
}

const rawBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const nodeProto = ({ op, inputs, output, attributes }: OnnxNode): onnxProto.onnx.INodeProto => ({
  opType: op,
  name: output,
  input: [...inputs],
  output: [output],
  attribute: Object.entries(attributes).map(([key, value]) => attributeProto(key, value)),
});

function attributeProto(name: string, value: OnnxAttribute): onnxProto.onnx.IAttributeProto {
  const { STRING, INT, INTS, FLOAT: A_FLOAT } = onnx.AttributeProto.AttributeType;
  if (typeof value === 'string') return { name, type: STRING, s: Buffer.from(value) };
  if (typeof value === 'number') return { name, type: INT, i: value };
  if ('float' in value) return { name, type: A_FLOAT, f: value.float };
  return { name, type: INTS, ints: [...value] };
}

function valueInfo({ name, dims }: OnnxValue): onnxProto.onnx.IValueInfoProto {
  const dim = dims.map((side) => (typeof side === 'string' ? { dimParam: side } : { dimValue: side }));
  return { name, type: { tensorType: { elemType: FLOAT, shape: { dim } } } };
}
