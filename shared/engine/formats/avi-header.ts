import { hasCharacters } from '../../domain/file-kind';

/** What the header of an AVI file says of it. */
export interface AviHeader {
  /** Of the first video track; what was left out while recording counts, too. */
  readonly frames: number;
  /** The file is shorter than it says. */
  readonly isCutOff: boolean;
}

/** RIFF, its size, `AVI `. */
const START_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** From the beginning of a track's header chunk. */
const FRAMES_AT = CHUNK_HEADER_BYTES + 32;

/**
 * Reads the little of a header that a demuxer does not tell.
 *
 * @param head the file's beginning
 * @param sizeBytes of the whole file
 * @returns undefined where no video track is described there
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
    // What is in a list comes right behind its four letters; other chunks are passed over, to an even place.
    at += hasCharacters(head, at, 'LIST') ? START_BYTES : CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return undefined;
};
