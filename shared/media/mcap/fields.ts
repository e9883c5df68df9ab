import { UnreadableFile } from '../../domain/failure';
import { joinBytes, viewOf } from '../../engine/formats/bytes';

/** @param what a clause that says what is wrong */
export const damagedBag = (what: string): UnreadableFile =>
  new UnreadableFile(`The bag is damaged: ${what}.`);

const SHORT = 'a record ends before its fields do';

/** Reads the fields of a record one after another; all of them are little-endian. */
export interface FieldReader {
  u8(): number;
  u16(): number;
  u32(): number;
  u64(): bigint;
  /** A length or an offset of 64 bits. */
  size(): number;
  /** UTF-8 behind its length. */
  text(): string;
  bytes(length: number): Uint8Array;
  rest(): Uint8Array;
}

/** @throws UnreadableFile where the record ends before its fields do */
export const readFields = (record: Uint8Array): FieldReader => {
  const view = viewOf(record);
  let position = 0;
  const take = (length: number): number => {
    if (length > record.length - position) throw damagedBag(SHORT);
    position += length;
    return position - length;
  };
  const bytes = (length: number): Uint8Array => {
    const from = take(length);
    return record.subarray(from, from + length);
  };
  const u32 = (): number => view.getUint32(take(4), true);
  const u64 = (): bigint => view.getBigUint64(take(8), true);
  return {
    u8: () => record[take(1)]!,
    u16: () => view.getUint16(take(2), true),
    u32,
    u64,
    size: () => Number(u64()),
    text: () => new TextDecoder().decode(bytes(u32())),
    bytes,
    rest: () => bytes(record.length - position),
  };
};

const fixed = (length: number, set: (view: DataView) => void): Uint8Array => {
  const bytes = new Uint8Array(length);
  set(viewOf(bytes));
  return bytes;
};

export const u8 = (value: number): Uint8Array => Uint8Array.of(value);
export const u16 = (value: number): Uint8Array => fixed(2, (view) => view.setUint16(0, value, true));
export const u32 = (value: number): Uint8Array => fixed(4, (view) => view.setUint32(0, value, true));
export const u64 = (value: bigint | number): Uint8Array =>
  fixed(8, (view) => view.setBigUint64(0, BigInt(value), true));
export const text = (value: string): Uint8Array => {
  const bytes = new TextEncoder().encode(value);
  return joinBytes([u32(bytes.length), bytes]);
};
/** Parts behind the number of their bytes, as arrays and maps are written. */
export const counted = (parts: readonly Uint8Array[]): Uint8Array => {
  const joined = joinBytes(parts);
  return joinBytes([u32(joined.length), joined]);
};
