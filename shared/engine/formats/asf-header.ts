/** Properties of an ASF file (WMV) that its header states. */
export interface AsfHeader {
  readonly durationS: number;
  /** Whether the file is shorter than its header states. */
  readonly isCutOff: boolean;
}

/** Offset of the first object inside the header object. */
const OBJECTS_AT = 30;
const OBJECT_HEADER_BYTES = 24;
const FILE_PROPERTIES_ID = 'a1dcab8c47a9cf118ee400c00c205365';
/** Offsets from the beginning of the file properties object. */
const FIELDS = { fileBytes: 40, duration: 64, prerollMs: 80, flags: 88, end: 92 } as const;
/** The file is a live stream, and the other fields have no meaning. */
const BROADCAST = 1;
/** Durations have a unit of 100 ns. */
const UNITS_PER_SECOND = 1e7;

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Reads the header fields that ffmpeg ignores in a truncated file.
 *
 * @param head the beginning of the file
 * @param sizeBytes of the whole file
 * @returns undefined if the head has no file properties, or they have no meaning
 * @see Advanced Systems Format Specification 01.20.06, section 3.2
 */
export const readAsfHeader = (head: Uint8Array, sizeBytes: number): AsfHeader | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = OBJECTS_AT; at + FIELDS.end <= head.byteLength;) {
    if (hexOf(head.subarray(at, at + 16)) === FILE_PROPERTIES_ID) {
      if (view.getUint32(at + FIELDS.flags, true) & BROADCAST) return undefined;
      const number = (field: number): number => Number(view.getBigUint64(at + field, true));
      return {
        durationS: number(FIELDS.duration) / UNITS_PER_SECOND - number(FIELDS.prerollMs) / 1000,
        isCutOff: number(FIELDS.fileBytes) > sizeBytes,
      };
    }
    const objectBytes = Number(view.getBigUint64(at + 16, true));
    if (objectBytes < OBJECT_HEADER_BYTES) return undefined;
    at += objectBytes;
  }
  return undefined;
};
