import { fourCharacters, viewOf } from './bytes';
import { corruptStructure } from '../../domain/failure';

/** A box of an MP4 or QuickTime file: its content is [start, end) of the bytes that were read. */
export interface Mp4Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const HEADER_BYTES = 8;
/** Size 1 in a box's header: the 8 bytes after the type are the size. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box ends with its parent. */
const TO_THE_END = 0;

/** @returns no size where its 8 bytes are missing */
const readSize = (view: DataView, at: number, end: number): readonly [size: number, header: number] => {
  const size = view.getUint32(at);
  if (size === TO_THE_END) return [end - at, HEADER_BYTES];
  if (size !== SIZE_FOLLOWS) return [size, HEADER_BYTES];
  if (end - at < 2 * HEADER_BYTES) return [0, HEADER_BYTES];
  return [Number(view.getBigUint64(at + HEADER_BYTES)), 2 * HEADER_BYTES];
};

/** Iterates over the direct child boxes in a range of bytes. @throws UnreadableFile if one is larger than the range */
export function* boxesIn(bytes: Uint8Array, start: number, end: number): Generator<Mp4Box> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const [size, header] = readSize(view, at, end);
    if (size < header || size > end - at) throw corruptStructure();
    yield { type: fourCharacters(bytes, at + 4), start: at + header, end: at + size };
    at += size;
  }
}

/** The same for boxes around which programs leave other bytes: they end at the first bytes that are no box. */
export function* looseBoxesIn(
  bytes: Uint8Array,
  start: number,
  end: number,
): Generator<Mp4Box & { readonly isCut: boolean }> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const [size, header] = readSize(view, at, end);
    if (size < header) return;
    const type = fourCharacters(bytes, at + 4);
    yield { type, start: at + header, end: Math.min(end, at + size), isCut: size > end - at };
    at += size;
  }
}
