import { hdrTransferOf, type HdrTransfer } from '../../../domain/hdr';
import { highBitsFirst, readGolomb, readWithinBits, type BitReader } from '../audio/bit-reader';
import { UNSPECIFIED, UNSTATED, type CodedColours } from './coded-colours';

/** Dynamic range that a coded frame states; undefined: it states none. */
export type StatedRange = HdrTransfer | 'standard' | undefined;

/** Type of the unit (OBU) that describes all frames up to the next one. */
const SEQUENCE_HEADER = 1;
const MAX_SIZE_BYTES = 8;

/** A number in groups of seven bits, the lowest first. */
const leb128 = (bytes: Uint8Array, at: number): { readonly value: number; readonly end: number } => {
  let value = 0;
  for (let i = 0; i < MAX_SIZE_BYTES; i++) {
    const byte = bytes[at + i] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return { value, end: bytes.length };
};

/** The contents of the units of a packet that describe its frames and those behind it. */
export function* sequenceHeaders(packet: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < packet.length;) {
    const head = packet[at] as number;
    const start = at + ((head & 4) === 0 ? 1 : 2);
    const { value, end: content } =
      (head & 2) === 0 ? { value: packet.length - start, end: start } : leb128(packet, start);
    at = content + value;
    if (((head >> 3) & 15) === SEQUENCE_HEADER) yield packet.subarray(content, at);
  }
}

/** @returns bits of the delays of an operating point; undefined: none is stated */
const skipTiming = (bits: BitReader): number | undefined => {
  bits.skip(64);
  if (bits.read(1) === 1) readGolomb(bits);
  if (bits.read(1) === 0) return undefined;
  const delayBits = bits.read(5) + 1;
  bits.skip(32 + 5 + 5);
  return delayBits;
};

const skipOperatingPoints = (bits: BitReader): void => {
  const { read, skip } = bits;
  const delayBits = read(1) === 1 ? skipTiming(bits) : undefined;
  const hasDisplayDelay = read(1) === 1;
  for (let left = read(5); left >= 0; left--) {
    skip(12);
    if (read(5) > 7) skip(1);
    if (delayBits !== undefined && read(1) === 1) skip(2 * delayBits + 1);
    if (hasDisplayDelay && read(1) === 1) skip(4);
  }
};

const skipTools = ({ read, skip }: BitReader): void => {
  skip(4);
  const hasOrder = read(1) === 1;
  if (hasOrder) skip(2);
  // Each flag says whether the next one follows.
  const screenContent = read(1) === 1 ? 2 : read(1);
  if (screenContent > 0 && read(1) === 0) skip(1);
  if (hasOrder) skip(3);
};

/**
 * Colours that a sequence header of AV1 states.
 *
 * @param bits of its content
 * @throws RangeError where it is unreadable
 * @see AV1 bitstream specification, 5.5
 */
export const readAv1Colours = (bits: BitReader): CodedColours => {
  const { read, skip } = bits;
  const profile = read(3);
  skip(1);
  const isReduced = read(1) === 1;
  if (isReduced) skip(5);
  else skipOperatingPoints(bits);
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  skip(widthBits + heightBits);
  if (!isReduced && read(1) === 1) skip(4 + 3);
  skip(3);
  if (!isReduced) skipTools(bits);
  skip(3);
  const isDeep = read(1) === 1;
  if (profile === 2 && isDeep) skip(1);
  if (profile !== 1) skip(1);
  const { primaries, transfer, matrix } =
    read(1) === 0 ? UNSTATED : { primaries: read(8), transfer: read(8), matrix: read(8) };
  // In sRGB, which is always of full range, another bit stands here.
  const isSrgb = primaries === 1 && transfer === 13 && matrix === 0;
  return { fullRange: isSrgb || read(1) === 1, primaries, transfer, matrix };
};

/** The dynamic range that a packet of AV1 states. Decoders may repeat what the file states instead. */
export const av1Range = (packet: Uint8Array): StatedRange => {
  const [header] = sequenceHeaders(packet);
  const transfer = header && readWithinBits(() => readAv1Colours(highBitsFirst(header)))?.transfer;
  if (transfer === undefined || transfer === UNSPECIFIED) return undefined;
  return hdrTransferOf(transfer) ?? 'standard';
};
