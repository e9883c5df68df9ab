import { PbfReader, PbfWriter } from 'pbf';
import { GRAPH, MODEL, SHAPE, TENSOR, VALUE, VALUE_TYPE, messagesOf, textsOf } from '../build/onnx/fields';
import { Refusal } from './refusal';

/** Wire type of messages, texts and bytes. */
const LENGTH_DELIMITED = 2;

/** The new bytes of a field's value, of which `index` precede it in its message; undefined removes the field. */
type Change = (value: Uint8Array, index: number) => Uint8Array | undefined;

/**
 * Removes the fixed image size of a graph, and sets its batch size to one.
 *
 * Some networks that support any size were exported with the size of an example in their inputs and outputs, which
 * runtimes then require. Only batch, height and width change; the numbers of channels stay, and so does all else, byte
 * for byte.
 *
 * @throws {Refusal}
 */
export const freeSize = (model: Uint8Array): Uint8Array => {
  try {
    const freed = rewrite(model, { [MODEL.graph]: freeGraph });
    if (messagesOf(model, MODEL.graph).length > 0) return freed;
  } catch (cause) {
    throw new Refusal('The model is not a valid ONNX file.', { cause });
  }
  throw new Refusal('The model contains no graph.');
};

const nameOf = (value: Uint8Array): string => textsOf(value, VALUE.name).join();

const freeGraph = (graph: Uint8Array): Uint8Array => {
  const weights = new Set(
    messagesOf(graph, GRAPH.initializer).map((tensor) => textsOf(tensor, TENSOR.name).join()),
  );
  return rewrite(graph, {
    [GRAPH.input]: (value) => (weights.has(nameOf(value)) ? value : freeValue(value)),
    [GRAPH.output]: freeValue,
    // Sizes of intermediate values follow from the input; the stored ones are the example's.
    [GRAPH.valueInfo]: () => undefined,
  });
};

const freeValue = (value: Uint8Array): Uint8Array => {
  const name = nameOf(value);
  const freeShape = (shape: Uint8Array): Uint8Array =>
    messagesOf(shape, SHAPE.dim).length === 4
      ? rewrite(shape, { [SHAPE.dim]: (dim, axis) => freeSide(name, axis) ?? dim })
      : shape;
  const freeTensor = (tensor: Uint8Array): Uint8Array => rewrite(tensor, { [VALUE_TYPE.shape]: freeShape });
  return rewrite(value, { [VALUE.type]: (type) => rewrite(type, { [VALUE_TYPE.tensor]: freeTensor }) });
};

const freeSide = (name: string, axis: number): Uint8Array | undefined => {
  if (axis === 1) return undefined;
  const side = new PbfWriter();
  if (axis === 0) side.writeVarintField(SHAPE.fixed, 1);
  else side.writeStringField(SHAPE.named, `${name}_${axis === 2 ? 'height' : 'width'}`);
  return side.finish();
};

/** Copies a message and replaces the values of some fields. */
const rewrite = (message: Uint8Array, changes: Readonly<Record<number, Change>>): Uint8Array => {
  const counts = new Map<number, number>();
  const parts: Uint8Array[] = [];
  for (const { number, value, bytes } of fieldsOf(message)) {
    const change = value && changes[number];
    if (!change) {
      parts.push(bytes);
      continue;
    }
    const index = counts.get(number) ?? 0;
    counts.set(number, index + 1);
    const changed = change(value, index);
    if (!changed) continue;
    const writer = new PbfWriter();
    writer.writeBytesField(number, changed);
    parts.push(writer.finish());
  }
  return Buffer.concat(parts);
};

interface Field {
  readonly number: number;
  /** Undefined for numbers. */
  readonly value: Uint8Array | undefined;
  /** All of it, with its number and length. */
  readonly bytes: Uint8Array;
}

/** The library reads beyond the end of a message without an error, so every end is checked here. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  const reader = new PbfReader(message);
  while (reader.pos < reader.length) {
    const start = reader.pos;
    const number = reader.nextField();
    const value = reader.type === LENGTH_DELIMITED ? reader.readBytes() : undefined;
    if (!value) reader.skip(reader.type);
    if (number === 0 || reader.pos > reader.length) throw new Error('a field ends after its message');
    yield { number, value, bytes: message.subarray(start, reader.pos) };
  }
}
