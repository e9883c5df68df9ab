import { highBitsFirst, readWithinBits, type BitReader } from '../audio/bit-reader';
import { UNSPECIFIED, UNSTATED, type CodedColours } from './coded-colours';

const FRAME_MARKER = 2;
const SYNC_CODE = 0x498342;
/** Bytes of a frame up to the colours. */
const HEADER_BYTES = 5;

/** `color_space` as matrices of ITU-T H.273; one is reserved. */
const MATRICES: readonly number[] = [UNSPECIFIED, 5, 1, 6, 7, 9, UNSPECIFIED, 0];
const RGB = 7;

/**
 * Colours that a frame of VP9 states: its range and its matrix.
 *
 * @param bits from the start of the frame on
 * @returns undefined where the frame is no key frame: it states none
 * @throws RangeError where it is too short
 * @see VP9 bitstream specification, 6.2
 */
export const readVp9Colours = ({ read, skip }: BitReader): CodedColours | undefined => {
  const isFrame = read(2) === FRAME_MARKER;
  const profile = read(1) + 2 * read(1);
  if (profile === 3) skip(1);
  const isKey = read(1) === 0 && read(1) === 0;
  skip(2);
  if (!isFrame || !isKey || read(24) !== SYNC_CODE) return undefined;
  if (profile >= 2) skip(1);
  const space = read(3);
  const fullRange = space === RGB || read(1) === 1;
  return { ...UNSTATED, fullRange, matrix: MATRICES[space] as number };
};

/** The sizes of the frames in a packet that has several; undefined: it has one. @see VP9 specification, annex B */
const sizesIn = (packet: Uint8Array): readonly number[] | undefined => {
  const marker = packet.at(-1) ?? 0;
  const [frames, sizeBytes] = [(marker & 7) + 1, ((marker >> 3) & 3) + 1];
  const start = packet.length - 2 - frames * sizeBytes;
  if (marker >> 5 !== 6 || packet[start] !== marker) return undefined;
  return Array.from({ length: frames }, (_, frame) => {
    const at = start + 1 + frame * sizeBytes;
    return packet.subarray(at, at + sizeBytes).reduceRight((size, byte) => size * 256 + byte, 0);
  });
};

/** The beginnings of the key frames in a packet. */
export function* keyFrames(packet: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  for (const size of sizesIn(packet) ?? [packet.length]) {
    const header = packet.subarray(at, at + Math.min(size, HEADER_BYTES));
    if (readWithinBits(() => readVp9Colours(highBitsFirst(header)))) yield header;
    at += size;
  }
}
