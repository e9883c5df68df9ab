import type { ByteSource } from '../../ports/video';
import { corruptStructure, indexTooLarge, truncatedVideo } from '../../domain/failure';
import { fourCharacters, viewOf } from './bytes';
import { readWindows } from './read-windows';
import { MP4_LIMITS } from './video-structure-limits';

const HEADER_BYTES = 16;
/** Bytes of one read: the heads of small fragments are next to one another. */
const WINDOW_BYTES = 16 * 1024;
/** Size 1 in a box's header: the 8 bytes after the type are the size. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box ends with the file. */
const TO_THE_END = 0;

/** A box that is in no other box. */
interface TopBox {
  readonly type: string;
  readonly at: number;
  readonly headerBytes: number;
  readonly sizeBytes: number;
  /** Reads its content. */
  readonly content: () => Promise<Uint8Array>;
}

/** @param head the first bytes of the box */
const readBox = (source: ByteSource, at: number, head: Uint8Array): TopBox => {
  if (head.byteLength < 8) throw truncatedVideo();
  const type = fourCharacters(head, 4);
  const box = (sizeBytes: number, headerBytes = 8): TopBox => ({
    type,
    at,
    headerBytes,
    sizeBytes,
    content: () => source.read(at + headerBytes, at + sizeBytes),
  });
  const size = viewOf(head).getUint32(0);
  if (size === TO_THE_END) return box(source.sizeBytes - at);
  if (size !== SIZE_FOLLOWS) return box(size);
  if (head.byteLength < HEADER_BYTES) throw truncatedVideo();
  return box(Number(viewOf(head).getBigUint64(8)), HEADER_BYTES);
};

/** Counts the boxes of a file. @throws UnreadableFile beyond the limits */
const createCounter = ({ sizeBytes }: ByteSource): ((box: TopBox) => void) => {
  const left = {
    boxes: Math.min(MP4_LIMITS.topBoxes, MP4_LIMITS.freeTopBoxes + sizeBytes / MP4_LIMITS.topBoxMeanBytes),
    fragments: MP4_LIMITS.fragments + sizeBytes / MP4_LIMITS.fragmentBytes,
  };
  return ({ type }) => {
    left.boxes--;
    if (type === 'moof') left.fragments--;
    if (Math.min(left.boxes, left.fragments) < 0) throw indexTooLarge();
  };
};

const TYPE = /^[\x20-\x7e\xa9]{4}$/;

/**
 * Visits the top-level boxes in order. Bytes that other programs append after a complete video are ignored.
 *
 * @param visit returns a promise where it reads the box: one for each of the others would take longer than the rest
 * @returns offset of the end of the last box
 * @throws UnreadableFile
 */
export const visitTopBoxes = async (
  source: ByteSource,
  visit: (box: TopBox) => Promise<void> | undefined,
): Promise<number> => {
  const windows = readWindows(source, WINDOW_BYTES);
  const count = createCounter(source);
  let hasIndex = false;
  let at = 0;
  while (at < source.sizeBytes) {
    const headEnd = Math.min(at + HEADER_BYTES, source.sizeBytes);
    const box = readBox(windows, at, windows.peek(at, headEnd) ?? (await windows.read(at, headEnd)));
    if (box.sizeBytes < box.headerBytes || !TYPE.test(box.type)) {
      if (hasIndex) return at;
      throw corruptStructure();
    }
    if (at + box.sizeBytes > source.sizeBytes) throw truncatedVideo();
    count(box);
    hasIndex ||= box.type === 'moov';
    const visiting = visit(box);
    if (visiting) await visiting;
    at += box.sizeBytes;
  }
  return at;
};
