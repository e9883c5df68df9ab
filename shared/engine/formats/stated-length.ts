import { hasCharacters, hexOf, viewOf } from './bytes';

/** What the header of a video says about its length. */
export interface StatedLength {
  /** Frames of the first video track, including those dropped while recording. */
  readonly frames?: number;
  readonly durationS?: number;
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

/**
 * Reads the header fields that ffmpeg ignores in a truncated file.
 *
 * @param head the beginning of the file
 * @param sizeBytes of the whole file
 * @returns undefined if the head has no file properties, or they have no meaning
 * @see Advanced Systems Format Specification 01.20.06, section 3.2
 */
export const readAsfHeader = (head: Uint8Array, sizeBytes: number): StatedLength | undefined => {
  const view = viewOf(head);
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

/** Bytes of `RIFF`, the size and `AVI `. */
const START_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Offset of the frame count from the beginning of a track's header chunk. */
const FRAMES_AT = CHUNK_HEADER_BYTES + 32;

/**
 * Reads the header fields that the demuxer does not report.
 *
 * @param head the beginning of the file
 * @param sizeBytes of the whole file
 * @returns undefined if the head describes no video track
 */
export const readAviHeader = (head: Uint8Array, sizeBytes: number): StatedLength | undefined => {
  const view = viewOf(head);
  const isLongEnough = (at: number, bytes: number): boolean => at + bytes <= head.byteLength;
  for (let at = START_BYTES; isLongEnough(at, CHUNK_HEADER_BYTES);) {
    const size = view.getUint32(at + 4, true);
    const isTrack = hasCharacters(head, at, 'strh') && hasCharacters(head, at + CHUNK_HEADER_BYTES, 'vids');
    if (isTrack && isLongEnough(at, FRAMES_AT + 4)) {
      const isCutOff = view.getUint32(4, true) + CHUNK_HEADER_BYTES > sizeBytes;
      return { frames: view.getUint32(at + FRAMES_AT, true), isCutOff };
    }
    // The chunks of a list follow its four-letter type; other chunks are skipped, to an even offset.
    at += hasCharacters(head, at, 'LIST') ? START_BYTES : CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return undefined;
};
