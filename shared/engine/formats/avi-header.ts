import { hasCharacters } from './bytes';

/** Properties of an AVI file that its header states. */
export interface AviHeader {
  /** Number of frames of the first video track, including frames dropped while recording. */
  readonly frames: number;
  /** Whether the file is shorter than its header states. */
  readonly isCutOff: boolean;
}

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
export const readAviHeader = (head: Uint8Array, sizeBytes: number): AviHeader | undefined => {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
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
