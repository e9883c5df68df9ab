/** Properties of a track that a decoder needs before its first packet. */
export interface StreamTrack {
  /** Matroska's name of the codec, such as `V_MPEG4/ISO/AVC`. */
  readonly codecId: string;
  /** The decoder's configuration record, such as `avcC`. */
  readonly codecPrivate?: Uint8Array | undefined;
  readonly width: number;
  readonly height: number;
}

export interface StreamPacket {
  /** Not negative. */
  readonly timestampUs: number;
  readonly isKey: boolean;
  readonly data: Uint8Array;
}

/** Ids of EBML elements (RFC 8794, RFC 9559). */
const ID = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  video: 0xe0,
  pixelWidth: 0xb0,
  pixelHeight: 0xba,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  void: 0xec,
} as const;

const NANOSECONDS_PER_MICROSECOND = 1000;
const VIDEO_TRACK = 1;
const TRACK_NUMBER = 1;
const KEY_FRAME_FLAG = 0x80;
/** Size of an element that ends with the stream. */
const UNKNOWN_SIZE = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);

const idBytes = (id: number): Buffer => {
  const hex = id.toString(16);
  return Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
};

/** A size as an EBML number of eight bytes; the first byte marks this length. */
const sizeBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(size));
  bytes[0] = 0x01;
  return bytes;
};

const uint = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

const element = (id: number, ...parts: readonly Uint8Array[]): Buffer => {
  const size = parts.reduce((sum, part) => sum + part.byteLength, 0);
  return Buffer.concat([idBytes(id), sizeBytes(size), ...parts]);
};

/** The beginning of a Matroska stream with one video track, whose clock counts microseconds. */
export const streamHeader = ({ codecId, codecPrivate, width, height }: StreamTrack): Buffer =>
  Buffer.concat([
    element(ID.ebml, element(ID.docType, Buffer.from('matroska'))),
    idBytes(ID.segment),
    UNKNOWN_SIZE,
    element(ID.info, element(ID.timestampScale, uint(NANOSECONDS_PER_MICROSECOND))),
    element(
      ID.tracks,
      element(
        ID.trackEntry,
        element(ID.trackNumber, uint(TRACK_NUMBER)),
        element(ID.trackUid, uint(TRACK_NUMBER)),
        element(ID.trackType, uint(VIDEO_TRACK)),
        element(ID.codecId, Buffer.from(codecId)),
        ...(codecPrivate ? [element(ID.codecPrivate, codecPrivate)] : []),
        element(ID.video, element(ID.pixelWidth, uint(width)), element(ID.pixelHeight, uint(height))),
      ),
    ),
  ]);

/** One packet in a cluster of its own, because block times are relative to the cluster and limited to 32 ms. */
export const streamPacket = ({ timestampUs, isKey, data }: StreamPacket): Buffer =>
  element(
    ID.cluster,
    element(ID.timestamp, uint(timestampUs)),
    element(ID.simpleBlock, Uint8Array.of(0x80 | TRACK_NUMBER, 0, 0, isKey ? KEY_FRAME_FLAG : 0), data),
  );

/** An element of `size` bytes that readers skip. */
export const streamVoid = (size: number): Buffer => element(ID.void, Buffer.alloc(size));
