import { joinBytes } from './bytes';

/** What is written into a result; undefined where nothing is kept. */
export interface KeptBlocks {
  /** A TIFF structure. */
  readonly exif: Uint8Array | undefined;
  readonly xmp: Uint8Array | undefined;
}

/** Writes metadata into a file that has none. */
export type Insert = (file: Uint8Array, kept: KeptBlocks) => Uint8Array;

export const text = (characters: string): Uint8Array =>
  Uint8Array.from(characters, (each) => each.charCodeAt(0));

export const join = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

export const insert = (file: Uint8Array, at: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  join(file.subarray(0, at), ...parts, file.subarray(at));

/** Whole numbers one after another, most significant byte first. */
export const bigEndian = (bytes: 2 | 4, ...values: readonly number[]): Uint8Array => {
  const array = new Uint8Array(bytes * values.length);
  const view = new DataView(array.buffer);
  for (const [index, value] of values.entries()) {
    if (bytes === 2) view.setUint16(2 * index, value);
    else view.setUint32(4 * index, value);
  }
  return array;
};

export const littleEndian = (bytes: 3 | 4, value: number): Uint8Array =>
  Uint8Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
