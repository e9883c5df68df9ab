import type { ByteSource } from '../../ports/video';
import { corruptStructure, truncatedVideo } from '../../domain/unreadable-file';
import { viewOf } from './mp4-boxes';

const HEADER_BYTES = 16;
/** Size 1 in a box's header: the 8 bytes after the type are the size. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box ends with the file. */
const TO_THE_END = 0;
/** Maximum number of top-level boxes: a file may have thousands of fragments, with some boxes each. */
const MAX_BOXES = 200_000;

/** A box that is in no other box. */
interface TopBox {
  readonly type: string;
  readonly headerBytes: number;
  readonly sizeBytes: number;
}

const readBox = async (source: ByteSource, at: number): Promise<TopBox> => {
  const head = await source.read(at, Math.min(at + HEADER_BYTES, source.sizeBytes));
  if (head.byteLength < 8) throw truncatedVideo();
  const view = viewOf(head);
  const type = String.fromCharCode(...head.subarray(4, 8));
  const size = view.getUint32(0);
  if (size === TO_THE_END) return { type, headerBytes: 8, sizeBytes: source.sizeBytes - at };
  if (size !== SIZE_FOLLOWS) return { type, headerBytes: 8, sizeBytes: size };
  if (head.byteLength < HEADER_BYTES) throw truncatedVideo();
  return { type, headerBytes: HEADER_BYTES, sizeBytes: Number(view.getBigUint64(8)) };
};

/**
 * Iterates over the top-level boxes. Bytes that other programs append after a complete video are ignored.
 *
 * @throws UnreadableFile
 */
export async function* topBoxes(source: ByteSource): AsyncGenerator<TopBox & { readonly at: number }> {
  let hasIndex = false;
  let count = 0;
  for (let at = 0; at < source.sizeBytes; count++) {
    const box = await readBox(source, at);
    if (box.sizeBytes < box.headerBytes || count > MAX_BOXES || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) {
      if (hasIndex && count <= MAX_BOXES) return;
      throw corruptStructure();
    }
    if (at + box.sizeBytes > source.sizeBytes) throw truncatedVideo();
    hasIndex ||= box.type === 'moov';
    yield { ...box, at };
    at += box.sizeBytes;
  }
}
