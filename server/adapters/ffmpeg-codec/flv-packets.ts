/** Receives the contents of an FLV stream. */
export interface FlvListener {
  /** @param avcc the decoder's configuration record (ISO/IEC 14496-15) */
  onConfiguration(avcc: Uint8Array): void;
  /** @param data NAL units, each after its length, as in MP4 */
  onPacket(data: Uint8Array, isKey: boolean): void;
}

const FILE_HEADER_BYTES = 9;
const TAG_SIZE_BYTES = 4;
const TAG_HEADER_BYTES = 11;
const VIDEO_TAG = 9;
/** Size of frame type and codec, packet type and composition time. */
const AVC_HEADER_BYTES = 5;
const KEY_FRAME = 1;
const PACKET_TYPE = { configuration: 0, units: 1 } as const;

const readTag = (body: Buffer, listener: FlvListener): void => {
  const data = Uint8Array.from(body.subarray(AVC_HEADER_BYTES));
  if (body[1] === PACKET_TYPE.configuration) listener.onConfiguration(data);
  else if (body[1] === PACKET_TYPE.units) listener.onPacket(data, (body[0] as number) >> 4 === KEY_FRAME);
};

/**
 * Reads H.264 packets from an FLV stream. FLV is used because each packet begins with its length.
 *
 * @see Adobe Flash Video File Format Specification 10.1, annex E
 */
export const createFlvReader = (listener: FlvListener): ((piece: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0);
  let skip = FILE_HEADER_BYTES + TAG_SIZE_BYTES;
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (;;) {
      if (rest.length < skip + TAG_HEADER_BYTES) return;
      const size = rest.readUIntBE(skip + 1, 3);
      const end = skip + TAG_HEADER_BYTES + size;
      if (rest.length < end) return;
      if (rest[skip] === VIDEO_TAG) readTag(rest.subarray(skip + TAG_HEADER_BYTES, end), listener);
      rest = rest.subarray(end);
      skip = TAG_SIZE_BYTES;
    }
  };
};
