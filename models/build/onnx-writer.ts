import onnxProto from 'onnx-proto';
import { toExactFloat16 } from './float16';

const { onnx } = onnxProto;
const FLOAT = onnx.TensorProto.DataType.FLOAT;
const FLOAT16 = onnx.TensorProto.DataType.FLOAT16;
const INT64 = onnx.TensorProto.DataType.INT64;
const OPSET = 13;
/** Below this, the `Cast` node that a half-size initialiser needs is longer than what it saves. */
const SMALLEST_HALF_LENGTH = 64;

export type OnnxAttribute = number | string | readonly number[];
/** A fixed side, or the name of one that each run may choose. */
export type OnnxDimension = number | string;

/**
 * Collects the nodes of one ONNX graph and writes its file.
 *
 * Names are counted, not random, and nothing depends on time: the same calls give the same bytes.
 */
export class OnnxWriter {
  readonly #nodes: onnxProto.onnx.INodeProto[] = [];
  readonly #initializers: onnxProto.onnx.ITensorProto[] = [];
  readonly #inputs: onnxProto.onnx.IValueInfoProto[] = [];
  readonly #outputs: onnxProto.onnx.IValueInfoProto[] = [];
  readonly #scalars = new Map<number, string>();

  input(name: string, dims: readonly OnnxDimension[]): string {
    this.#inputs.push(valueInfo(name, dims));
    return name;
  }

  /** Gives a value its public name. */
  output(name: string, value: string, dims: readonly OnnxDimension[]): void {
    this.#nodes.push({ opType: 'Identity', name: `output_${name}`, input: [value], output: [name] });
    this.#outputs.push(valueInfo(name, dims));
  }

  /** @returns the name of the node's one output */
  node(opType: string, inputs: readonly string[], attributes: Readonly<Record<string, OnnxAttribute>> = {}) {
    const name = `${opType}_${this.#nodes.length}`;
    const attribute = Object.entries(attributes).map(([key, value]) => attributeProto(key, value));
    this.#nodes.push({ opType, name, input: [...inputs], output: [name], attribute });
    return name;
  }

  /** Float32 values for the graph; stored in half the bytes where that loses nothing. */
  floats(values: Float32Array, dims: readonly number[]): string {
    const half = values.length < SMALLEST_HALF_LENGTH ? undefined : toExactFloat16(values);
    if (!half) return this.#initializer(FLOAT, values, dims);
    return this.node('Cast', [this.#initializer(FLOAT16, half, dims)], { to: FLOAT });
  }

  scalar(value: number): string {
    const name = this.#scalars.get(value) ?? this.#initializer(FLOAT, Float32Array.of(value), []);
    this.#scalars.set(value, name);
    return name;
  }

  integers(values: readonly number[]): string {
    return this.#initializer(INT64, BigInt64Array.from(values, BigInt), [values.length]);
  }

  encode(graphName: string): Uint8Array {
    const model = onnx.ModelProto.create({
      irVersion: onnx.Version.IR_VERSION,
      opsetImport: [{ domain: '', version: OPSET }],
      producerName: 'veil',
      graph: {
        name: graphName,
        node: this.#nodes,
        initializer: this.#initializers,
        input: this.#inputs,
        output: this.#outputs,
      },
    });
    return onnx.ModelProto.encode(model).finish();
  }

  #initializer(dataType: number, values: ArrayBufferView, dims: readonly number[]): string {
    const name = `constant_${this.#initializers.length}`;
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#initializers.push({ name, dims: [...dims], dataType, rawData });
    return name;
  }
}

function attributeProto(name: string, value: OnnxAttribute): onnxProto.onnx.IAttributeProto {
  const { AttributeType } = onnx.AttributeProto;
  if (typeof value === 'string') return { name, type: AttributeType.STRING, s: Buffer.from(value) };
  if (typeof value === 'number') return { name, type: AttributeType.INT, i: value };
  return { name, type: AttributeType.INTS, ints: [...value] };
}

function valueInfo(name: string, dims: readonly OnnxDimension[]): onnxProto.onnx.IValueInfoProto {
  const dim = dims.map((side) => (typeof side === 'string' ? { dimParam: side } : { dimValue: side }));
  return { name, type: { tensorType: { elemType: FLOAT, shape: { dim } } } };
}
