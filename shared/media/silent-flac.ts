import { UnreadableFile } from '../domain/failure';

/** FLAC of a track whose packets can be replaced by silent ones. */
export interface FlacSettings {
  /** Of packets that do not state it. */
  readonly bitsPerSample: number;
}

/** `fLaC`, and the head of a metadata block of the type 0. */
const MARKER = [0x66, 0x4c, 0x61, 0x43, 0];
/** Positions in the configuration of a track. @see RFC 9639, section 8.2 */
const STREAM = { minFrameBytes: 12, depth: 20, digest: 26, size: 42 } as const;
const DIGEST_BYTES = 16;

/** Reads the configuration of a track. @returns undefined where it has no stream information */
export const readFlacSettings = (config: Uint8Array | undefined): FlacSettings | undefined => {
  if (!config || config.byteLength < STREAM.size) return undefined;
  if (MARKER.some((byte, at) => ((config[at] ?? 0) & (at === 4 ? 0x7f : 0xff)) !== byte)) return undefined;
  const { [STREAM.depth]: high = 0, [STREAM.depth + 1]: low = 0 } = config;
  return { bitsPerSample: (high % 2) * 16 + (low >> 4) + 1 };
};

/** The configuration of a muted track: the digest of its samples and the smallest size of a packet are unknown. */
export const mutedFlacConfig = (config: Uint8Array): Uint8Array =>
  config
    .slice()
    .fill(0, STREAM.minFrameBytes, STREAM.minFrameBytes + 3)
    .fill(0, STREAM.digest, STREAM.digest + DIGEST_BYTES);

interface FrameHeader {
  readonly bytes: number;
  readonly samples: number;
  /** 8 and more: two channels, of which one is a difference with one more bit. */
  readonly channels: number;
  /** 0: as the track. */
  readonly depth: number;
}

const DEPTHS = [0, 8, 12, undefined, 16, 20, 24, 32];
const FIRST_DIFFERENCE = 8;
const MAX_CHANNELS = 10;
/** At the end of the header. */
const CHECKSUM_BYTES = 1;
/** Bytes of a size or a rate that is stated behind the number of the frame, by its code. */
const EXTRA_BYTES: Readonly<Record<'size' | 'rate', Readonly<Record<number, number>>>> = {
  size: { 6: 1, 7: 2 },
  rate: { 12: 1, 13: 2, 14: 2 },
};

const samplesOf = (code: number, [high = 0, low = 0]: Uint8Array): number => {
  if (code === 1) return 192;
  if (code < 6) return 576 << (code - 2);
  if (code === 6) return high + 1;
  return code === 7 ? high * 256 + low + 1 : 256 << (code - 8);
};

/** Bits that every frame begins with. */
const isFrame = ([first, second = 0]: Uint8Array): boolean => first === 0xff && second >> 1 === 0x7c;

/** The number is coded like a character of UTF-8. */
const numberBytes = (first: number): number => (first < 0x80 ? 1 : Math.clz32(~(first << 24)));

/** Reads the header of a frame. @returns undefined where the packet is none @see RFC 9639, section 9.1 */
const readHeader = (packet: Uint8Array): FrameHeader | undefined => {
  const [codes, layout, number] = packet.subarray(2, 5);
  if (!isFrame(packet) || codes === undefined || layout === undefined || number === undefined) {
    return undefined;
  }
  const [sizeCode, rateCode] = [codes >> 4, codes % 16];
  const [channels, depth] = [layout >> 4, DEPTHS[(layout >> 1) % 8]];
  if (sizeCode === 0 || channels > MAX_CHANNELS || depth === undefined) return undefined;
  const sizeAt = 4 + numberBytes(number);
  const bytes =
    sizeAt + (EXTRA_BYTES.size[sizeCode] ?? 0) + (EXTRA_BYTES.rate[rateCode] ?? 0) + CHECKSUM_BYTES;
  if (packet.byteLength < bytes) return undefined;
  return { bytes, samples: samplesOf(sizeCode, packet.subarray(sizeAt)), channels, depth };
};

const MAX_SAMPLES = 65_536;

/** Samples that a packet decodes to; the largest possible number where it is damaged. */
export const flacPacketSamples = (packet: Uint8Array): number => readHeader(packet)?.samples ?? MAX_SAMPLES;

const POLYNOMIAL = 0x8005;

/** @see RFC 9639, section 9.3 */
const checksum = (bytes: Uint8Array): number =>
  bytes.reduce((sum, byte) => {
    let next = sum ^ (byte << 8);
    for (let bit = 0; bit < 8; bit++) next = ((next << 1) ^ (next & 0x8000 ? POLYNOMIAL : 0)) & 0xffff;
    return next;
  }, 0);

/**
 * A packet that decodes to silence, as long as another one. Its header is kept; a constant subframe of the value 0 has
 * only bits of the value 0.
 *
 * @throws UnreadableFile where the packet is damaged
 * @see RFC 9639, section 9.2.3
 */
export const silentFlacPacket = ({ bitsPerSample }: FlacSettings, packet: Uint8Array): Uint8Array => {
  const header = readHeader(packet);
  if (!header) throw new UnreadableFile('Parts of the audio cannot be muted: it is damaged there.');
  const { bytes, channels, depth } = header;
  const hasDifference = channels >= FIRST_DIFFERENCE;
  const count = hasDifference ? 2 : channels + 1;
  const subframeBits = 8 + (depth || bitsPerSample);
  const bodyBytes = Math.ceil((count * subframeBits + (hasDifference ? 1 : 0)) / 8);
  const silent = new Uint8Array(bytes + bodyBytes + 2);
  silent.set(packet.subarray(0, bytes));
  const sum = checksum(silent.subarray(0, bytes + bodyBytes));
  silent.set([sum >> 8, sum % 256], bytes + bodyBytes);
  return silent;
};
