import { hdrTransferOf, type HdrTransfer } from '../../../domain/hdr';
import { highBitsFirst, readGolomb, readWithinBits, type BitReader } from '../audio/bit-reader';

/** Dynamic range that a coded frame states; undefined: it states none. */
export type StatedRange = HdrTransfer | 'standard' | undefined;

/** Type of the unit (OBU) that describes all frames up to the next one. */
const SEQUENCE_HEADER = 1;
/** `transfer_characteristics` of a file that leaves them open. */
const UNSPECIFIED = 2;
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

const sequenceHeader = (packet: Uint8Array): Uint8Array | undefined => {
  for (let at = 0; at < packet.length;) {
    const head = packet[at] as number;
    const start = at + ((head & 4) === 0 ? 1 : 2);
    const { value, end: content } =
      (head & 2) === 0 ? { value: packet.length - start, end: start } : leb128(packet, start);
    if (((head >> 3) & 15) === SEQUENCE_HEADER) return packet.subarray(content, content + value);
    at = content + value;
  }
  return undefined;
};

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

const readTransfer = (bits: BitReader): number => {
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
  if (read(1) === 0) return UNSPECIFIED;
  skip(8);
  return read(8);
};

/** The dynamic range that a packet of AV1 states. Decoders may repeat what the file states instead. */
export const av1Range = (packet: Uint8Array): StatedRange => {
  const header = sequenceHeader(packet);
  const transfer = header && readWithinBits(() => readTransfer(highBitsFirst(header)));
  if (transfer === undefined || transfer === UNSPECIFIED) return undefined;
  return hdrTransferOf(transfer) ?? 'standard';
};
