import { viewOf } from '../../../engine/formats/bytes';
import { MessageProblem } from './image-message';

/** One field of a protobuf message. */
export interface WireField {
  readonly number: number;
  /** Of fields with a number; 0 for others. */
  readonly value: number;
  /** Of fields with bytes; empty for others. */
  readonly bytes: Uint8Array;
  /** All of it, with its tag. */
  readonly whole: Uint8Array;
}

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;
const MAX_VARINT_BYTES = 10;
/** More than any message or descriptor of images has: a field of two bytes becomes an object of some hundred. */
const MAX_FIELDS = 10_000;

const bad = (): MessageProblem => new MessageProblem('its messages are damaged');

/** @returns the number and the offset behind it; numbers over 2^53 are not exact */
const varintAt = (bytes: Uint8Array, at: number): readonly [value: number, end: number] => {
  let value = 0;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw bad();
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return [value, at + i + 1];
  }
  throw bad();
};

const NONE = new Uint8Array(0);

/** Reads the fields of a message, in order. @throws MessageProblem where they are damaged */
export const wireFields = (message: Uint8Array): WireField[] => {
  const view = viewOf(message);
  const fields: WireField[] = [];
  for (let at = 0; at < message.length;) {
    const [tag, valueAt] = varintAt(message, at);
    const type = tag % 8;
    let [value, end] = [0, valueAt];
    let bytes: Uint8Array = NONE;
    if (type === VARINT) [value, end] = varintAt(message, valueAt);
    else if (type === BYTES) {
      const [length, from] = varintAt(message, valueAt);
      end = from + length;
      bytes = message.subarray(from, end);
    } else if (type === FIXED32 || type === FIXED64) {
      end = valueAt + (type === FIXED32 ? 4 : 8);
      if (type === FIXED32 && end <= message.length) value = view.getUint32(valueAt, true);
    } else throw bad();
    if (end > message.length || fields.length === MAX_FIELDS) throw bad();
    fields.push({ number: Math.floor(tag / 8), value, bytes, whole: message.subarray(at, end) });
    at = end;
  }
  return fields;
};

/** A number as the wire has it. */
export const varint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
};

/** A field with bytes. */
export const bytesField = (number: number, bytes: Uint8Array): readonly Uint8Array[] => [
  varint(number * 8 + BYTES),
  varint(bytes.length),
  bytes,
];
