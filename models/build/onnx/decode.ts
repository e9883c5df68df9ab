import onnxProto from 'onnx-proto';
import type { OnnxAttribute, OnnxConstant, OnnxGraph, OnnxNode, OnnxValue } from './graph';

const { onnx } = onnxProto;
const { FLOAT, INT64 } = onnx.TensorProto.DataType;

/** The used parts of a decoded file, with the decoder's defaults. */
interface DecodedFile {
  readonly graph: {
    readonly node: readonly {
      readonly opType: string;
      readonly input: readonly string[];
      readonly output: readonly string[];
      readonly attribute: readonly DecodedAttribute[];
    }[];
    readonly initializer: readonly DecodedTensor[];
    readonly input: readonly DecodedValue[];
    readonly output: readonly DecodedValue[];
  };
}
interface DecodedTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly dataType: number;
  readonly rawData: Uint8Array;
  /** Used instead of `rawData` by some exporters for short constants. */
  readonly floatData: readonly number[];
}
interface DecodedAttribute {
  readonly name: string;
  readonly type: number;
  readonly i: number;
  readonly f: number;
  readonly s: Uint8Array;
  readonly ints: readonly number[];
  readonly t: DecodedTensor | null;
}
interface DecodedValue {
  readonly name: string;
  readonly type: {
    readonly tensorType: {
      readonly shape: { readonly dim: readonly { readonly dimValue?: number; readonly dimParam?: string }[] };
    };
  };
}

/** Reads an ONNX file whose nodes have one output each and whose constants are float32 or int64. */
export function decodeOnnx(bytes: Uint8Array): OnnxGraph {
  const decoded = onnx.ModelProto.toObject(onnx.ModelProto.decode(bytes), { defaults: true, longs: Number });
  const { graph } = decoded as unknown as DecodedFile;
  const constants = new Map(graph.initializer.map((tensor) => [tensor.name, readTensor(tensor)]));
  const nodes: OnnxNode[] = [];
  for (const { opType: op, input: inputs, output: outputs, attribute } of graph.node) {
    const [output, ...others] = outputs;
    if (output === undefined || others.length > 0) throw new Error(`a node ${op} has not one output`);
    const tensor = op === 'Constant' ? attribute[0]?.t : undefined;
    if (tensor) constants.set(output, readTensor(tensor));
    else nodes.push({ op, inputs, output, attributes: readAttributes(attribute) });
  }
  // Older exporters also list weights as inputs. Runtimes treat those as variable, and fold none of them.
  const inputs = graph.input.filter(({ name }) => !constants.has(name));
  return { inputs: inputs.map(readValue), outputs: graph.output.map(readValue), nodes, constants };
}

function readTensor({ name, dims, dataType, rawData, floatData }: DecodedTensor): OnnxConstant {
  if (floatData.length > 0) return { kind: 'float32', dims, data: Float32Array.from(floatData) };
  // A copy starts at an aligned offset, as typed arrays require.
  const bytes = Uint8Array.from(rawData).buffer;
  if (dataType === FLOAT) return { kind: 'float32', dims, data: new Float32Array(bytes) };
  if (dataType !== INT64) throw new Error(`the constant ${name} is of type ${dataType}`);
  return { kind: 'int64', dims, data: Array.from(new BigInt64Array(bytes), Number) };
}

const readAttributes = (attributes: readonly DecodedAttribute[]): OnnxNode['attributes'] =>
  Object.fromEntries(attributes.map((attribute) => [attribute.name, readAttribute(attribute)]));

function readAttribute({ name, type, i, f, s, ints }: DecodedAttribute): OnnxAttribute {
  const { STRING, INT, INTS, FLOAT: A_FLOAT } = onnx.AttributeProto.AttributeType;
  if (type === STRING) return new TextDecoder().decode(s);
  if (type === INT) return i;
  if (type === INTS) return ints;
  if (type === A_FLOAT) return { float: f };
  throw new Error(`the attribute ${name} is of type ${type}`);
}

const readValue = ({ name, type }: DecodedValue): OnnxValue => ({
  name,
  dims: type.tensorType.shape.dim.map(({ dimParam, dimValue }) => dimParam ?? Number(dimValue)),
});
