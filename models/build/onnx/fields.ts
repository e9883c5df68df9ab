import { PbfReader } from 'pbf';

/**
 * Numbers of the used fields and values of ONNX files.
 *
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export const MODEL = { irVersion: 1, producerName: 2, graph: 7, opset: 8 } as const;
export const OPERATORS = { domain: 1, version: 2 } as const;
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12, valueInfo: 13 } as const;
export const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5 } as const;
export const ATTRIBUTE = {
  name: 1,
  float: 2,
  integer: 3,
  text: 4,
  tensor: 5,
  integers: 8,
  type: 20,
} as const;
export const ATTRIBUTE_TYPE = { float: 1, integer: 2, text: 3, integers: 7 } as const;
export const TENSOR = { dims: 1, type: 2, floats: 4, name: 8, raw: 9 } as const;
export const TENSOR_TYPE = { float: 1, int32: 6, int64: 7, float16: 10 } as const;
export const VALUE = { name: 1, type: 2 } as const;
export const VALUE_TYPE = { tensor: 1, elementType: 1, shape: 2 } as const;
export const SHAPE = { dim: 1, fixed: 1, named: 2 } as const;

/** The values of one field that are messages, texts or bytes. */
export const messagesOf = (message: Uint8Array, field: number): Uint8Array[] =>
  valuesOf(message, field, (reader) => reader.readBytes());

export const textsOf = (message: Uint8Array, field: number): string[] =>
  valuesOf(message, field, (reader) => reader.readString());

export function valuesOf<T>(message: Uint8Array, field: number, read: (reader: PbfReader) => T): T[] {
  return new PbfReader(message).readFields((number, values: T[], reader) => {
    if (number === field) values.push(read(reader));
  }, []);
}
