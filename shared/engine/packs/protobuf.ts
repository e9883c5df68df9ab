/** The bytes are not a valid protocol buffer. */
export class BadProtobuf extends Error {
  override readonly name = 'BadProtobuf';
}

export interface ProtobufField {
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
export function* fieldsOf(message: Uint8Array): Generator<ProtobufField> {
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
export const partsOf = (message: Uint8Array, number: number): Uint8Array[] => {
  const parts: Uint8Array[] = [];
  for (const field of fieldsOf(message)) {
    if (field.number === number && typeof field.value !== 'number') parts.push(field.value);
  }
  return parts;
};

/** A text field; if it occurs several times, the last counts, as the format defines. */
export const textOf = (message: Uint8Array, number: number): string =>
  new TextDecoder().decode(partsOf(message, number).at(-1) ?? new Uint8Array());

/** A number field; undefined if the message does not contain it. */
export const numberOf = (message: Uint8Array, number: number): number | undefined => {
  let found: number | undefined;
  for (const field of fieldsOf(message)) {
    if (field.number === number && typeof field.value === 'number') found = field.value;
  }
  return found;
};
