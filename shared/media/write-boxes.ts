import { joinBytes, viewOf } from '../engine/formats/bytes';

export const HEADER_BYTES = 8;

/** Characters as bytes, also `©`. */
export const latin = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Numbers of 32 bits, with or without a sign. An array, because a call takes no million of arguments. */
export const wordList = (values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 * values.length);
  const view = viewOf(bytes);
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value);
  return bytes;
};
export const words = (...values: readonly number[]): Uint8Array => wordList(values);

/** A box of an MP4 file. */
export const box = (type: string, ...content: readonly Uint8Array[]): Uint8Array => {
  const sizeBytes = content.reduce((sum, part) => sum + part.byteLength, HEADER_BYTES);
  return joinBytes([words(sizeBytes), latin(type), ...content]);
};

/** A box with version 0 and these flags. */
export const flaggedBox = (type: string, flags: number, ...content: readonly Uint8Array[]): Uint8Array =>
  box(type, words(flags), ...content);

/** A box with version 0 and without flags. */
export const fullBox = (type: string, ...content: readonly Uint8Array[]): Uint8Array =>
  flaggedBox(type, 0, ...content);
