/** A file that is built to take much time or memory. */
export interface Attack {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const KILOBYTE = 1024;

/** Not a `Buffer`, whose slices are no copies. */
export const bytesOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
export const attack = (name: string, bytes: Uint8Array): Attack => ({ name, bytes: bytesOf(bytes) });
export const join = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
/** So many parts, each made by its number. */
export const many = (length: number, partAt: (index: number) => Uint8Array): Uint8Array =>
  Buffer.concat(Array.from({ length }, (_, index) => partAt(index)));

/** The longest attack, below the size of the files that have a budget. */
const ATTACK_BYTES = 900 * KILOBYTE;

/** The same part again and again. */
export const repeated = (part: Uint8Array, bytes = ATTACK_BYTES): Uint8Array =>
  Buffer.alloc(Math.floor(bytes / part.byteLength) * part.byteLength, part);

/** Bytes by their position. */
export const filled = (length: number, byteAt: (at: number) => number = () => 0): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 1) bytes[at] = byteAt(at);
  return bytes;
};
