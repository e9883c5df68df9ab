import { corruptStructure } from '../../domain/unreadable-file';

/** A box of an MP4 or QuickTime file: its content lies from `start` to `end` in the bytes that were read. */
export interface Mp4Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const HEADER_BYTES = 8;
/** Size 1 in a box's header: the size is in the 8 bytes that follow. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box reaches to the end of what it lies in. */
const TO_THE_END = 0;

export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const readSize = (view: DataView, at: number, end: number): readonly [size: number, header: number] => {
  const size = view.getUint32(at);
  if (size === TO_THE_END) return [end - at, HEADER_BYTES];
  if (size !== SIZE_FOLLOWS) return [size, HEADER_BYTES];
  if (end - at < 2 * HEADER_BYTES) throw corruptStructure();
  return [Number(view.getBigUint64(at + HEADER_BYTES)), 2 * HEADER_BYTES];
};

/** The boxes that lie directly in a part of the bytes. @throws UnreadableFile where one is larger than that part */
export function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Mp4Box> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const [size, header] = readSize(view, at, end);
    if (size < header || size > end - at) throw corruptStructure();
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + HEADER_BYTES));
    yield { type, start: at + header, end: at + size };
    at += size;
  }
}
