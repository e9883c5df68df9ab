import type { ByteSource } from '../ports/video';
import { UnreadableFile } from './unreadable-file';

const HEADER_BYTES = 16;
/** Size 1 in a box's header: the size is in the 8 bytes that follow. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box reaches to the file's end. */
const TO_THE_END = 0;
/** Files in thousands of fragments have some boxes each. */
const MAX_BOXES = 200_000;
/** Tables for some ten hours of video; they are read into memory, several times their size. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2;

const truncated = (): UnreadableFile =>
  new UnreadableFile('The video is truncated: the file ends too early.');

interface TopBox {
  readonly type: string;
  readonly sizeBytes: number;
}

const readBox = async (source: ByteSource, at: number): Promise<TopBox> => {
  const head = await source.read(at, Math.min(at + HEADER_BYTES, source.sizeBytes));
  if (head.byteLength < 8) throw truncated();
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const type = String.fromCharCode(...head.subarray(4, 8));
  const size = view.getUint32(0);
  if (size === TO_THE_END) return { type, sizeBytes: source.sizeBytes - at };
  if (size !== SIZE_FOLLOWS) return { type, sizeBytes: size };
  if (head.byteLength < HEADER_BYTES) throw truncated();
  return { type, sizeBytes: Number(view.getBigUint64(8)) };
};

/**
 * Walks over the outer boxes of an MP4 or QuickTime file before any demuxer sees it.
 *
 * A file that was cut off, has no index, or claims an index too large for memory is refused with its reason.
 *
 * @throws UnreadableFile
 */
export const checkMp4 = async (source: ByteSource): Promise<void> => {
  let hasIndex = false;
  let count = 0;
  for (let at = 0; at < source.sizeBytes; count++) {
    const { type, sizeBytes } = await readBox(source, at);
    if (sizeBytes < 8 || count > MAX_BOXES || !/^[\x20-\x7e\xa9]{4}$/.test(type)) {
      // What other programs append behind a whole video does not matter.
      if (hasIndex && count <= MAX_BOXES) return;
      throw new UnreadableFile('The video is damaged: its structure is corrupt.');
    }
    if (at + sizeBytes > source.sizeBytes) throw truncated();
    if (type === 'moov') {
      hasIndex = true;
      if (sizeBytes > MAX_INDEX_BYTES) {
        throw new UnreadableFile('The video claims an index that is too large.');
      }
    }
    at += sizeBytes;
  }
  if (!hasIndex) {
    throw new UnreadableFile('The video has no index (`moov`): it was not finished or is truncated.');
  }
};
