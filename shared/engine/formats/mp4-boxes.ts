import { fourCharacters, viewOf } from './bytes';
import { corruptStructure } from '../../domain/failure';
import { DOLBY_VISION, DOLBY_VISION_BYTES, requireBaseLayer } from './dolby-vision';
import { MP4_LIMITS } from './structure-limits';

/** A box of an MP4 or QuickTime file: its content is [start, end) of the bytes that were read. */
export interface Mp4Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes of a full box's version and flags. */
export const FULL_BOX_BYTES = 4;
const HEADER_BYTES = 8;
/** Size 1 in a box's header: the 8 bytes after the type are the size. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box ends with its parent. */
const TO_THE_END = 0;

/** The size and the header's length of the box at an offset; the size is -1 where its 8 bytes are missing. */
export const readBoxSize = (
  view: DataView,
  at: number,
  end: number,
): readonly [size: number, header: number] => {
  const size = view.getUint32(at);
  if (size === TO_THE_END) return [end - at, HEADER_BYTES];
  if (size !== SIZE_FOLLOWS) return [size, HEADER_BYTES];
  if (end - at < 2 * HEADER_BYTES) return [-1, HEADER_BYTES];
  return [Number(view.getBigUint64(at + HEADER_BYTES)), 2 * HEADER_BYTES];
};

/** @throws UnreadableFile where a box is shorter */
export const requireBytes = ({ start, end }: Mp4Box, length: number): void => {
  if (end - start < length) throw corruptStructure();
};

/** Iterates over the direct child boxes in a range of bytes. @throws UnreadableFile if one is larger than the range */
export function* boxesIn(
  bytes: Uint8Array,
  start: number,
  end: number,
  count = (): void => undefined,
): Generator<Mp4Box> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const [size, header] = readBoxSize(view, at, end);
    if (size < header || size > end - at) throw corruptStructure();
    count();
    yield { type: fourCharacters(bytes, at + 4), start: at + header, end: at + size };
    at += size;
  }
}

/** Bytes of which boxes are read, each of them counted. */
interface CountedBytes {
  readonly bytes: Uint8Array;
  /** @throws UnreadableFile beyond the limit */
  readonly count: () => void;
}

/** The boxes in a box, each of them counted. @throws UnreadableFile */
export const childrenOf = (
  { bytes, count }: CountedBytes,
  { start, end }: Pick<Mp4Box, 'start' | 'end'>,
): Generator<Mp4Box> => boxesIn(bytes, start, end, count);

/** The same for boxes around which programs leave other bytes: they end at the first bytes that are no box. */
export function* looseBoxesIn(
  bytes: Uint8Array,
  start: number,
  end: number,
): Generator<Mp4Box & { readonly isCut: boolean }> {
  const view = viewOf(bytes);
  for (let at = start; end - at >= HEADER_BYTES;) {
    const [size, header] = readBoxSize(view, at, end);
    if (size < header) return;
    const type = fourCharacters(bytes, at + 4);
    yield { type, start: at + header, end: Math.min(end, at + size), isCut: size > end - at };
    at += size;
  }
}

/** Boxes with boxes in them, around which programs leave other bytes: metadata, and descriptions of codecs. */
const LOOSE = ['udta', 'meta', 'ilst', 'wave', 'sinf', 'schi'];
/** Boxes that the demuxer reads wherever they are, although they have one place. */
const STRUCTURE = new Set(
  [
    'moov trak mdia minf stbl stsd dinf edts mvex moof traf tfhd trun mfra tfra',
    'stts ctts stss stsc stsz stz2 stco co64 elst',
  ].flatMap((types) => types.split(' ')),
);

export const isLoose = (type: string): boolean => LOOSE.includes(type);

/** Version, flags and number of the names in a list of names. */
const KEYS_HEAD_BYTES = 8;

/** The metadata of QuickTime begin with a box, those of other files with version and flags. */
const startOf = (bytes: Uint8Array, { type, start, end }: Mp4Box): number =>
  type === 'meta' && end - start >= 4 && viewOf(bytes).getUint32(start) === 0 ? start + 4 : start;

/** The same in the descriptions of codecs, which could change the type of their track. */
const STRUCTURE_OF_CODECS = new Set([...STRUCTURE, 'hdlr']);

/**
 * Checks a loose box and all boxes in it.
 *
 * @param file of which `count` is called for each of them
 * @throws UnreadableFile where one of them is part of the structure of a movie, or nested too deeply
 */
export const checkLoose = (
  file: { readonly bytes: Uint8Array; readonly count: () => void },
  box: Mp4Box,
  depth: number,
  structure = STRUCTURE,
): void => {
  const { bytes, count } = file;
  if (depth > MP4_LIMITS.depth) throw corruptStructure();
  for (const child of looseBoxesIn(bytes, startOf(bytes, box), box.end)) {
    count();
    const isTooLong = child.isCut && isLoose(child.type);
    if (structure.has(child.type) || isTooLong) throw corruptStructure();
    if (child.type === 'keys') {
      for (const _key of looseBoxesIn(bytes, child.start + KEYS_HEAD_BYTES, child.end)) count();
    }
    if (isLoose(child.type)) checkLoose(file, child, depth + 1, structure);
  }
};

/** Bytes of a sample description in front of its boxes, by the handler of the track. */
const DESCRIPTION_BYTES = { vide: 78, soun: 28 } as const;
/** Bytes that versions 1 and 2 of a sound description have in addition. */
const SOUND_VERSION_BYTES = [0, 16, 36];
const VERSION_AT = 8;
/** Bytes of version, flags and number of descriptions. */
const HEAD_BYTES = 8;

const isKnown = (handler: string): handler is keyof typeof DESCRIPTION_BYTES => handler in DESCRIPTION_BYTES;

const boxesAt = (
  bytes: Uint8Array,
  { start, end }: Mp4Box,
  handler: keyof typeof DESCRIPTION_BYTES,
): number => {
  const at = start + DESCRIPTION_BYTES[handler];
  if (handler === 'vide' || at > end) return at;
  return at + (SOUND_VERSION_BYTES[viewOf(bytes).getUint16(start + VERSION_AT)] ?? 0);
};

/** @throws UnreadableFile where images can be shown only by Dolby's decoders */
const checkDolbyVision = (bytes: Uint8Array, start: number, end: number): void => {
  for (const box of looseBoxesIn(bytes, start, end)) {
    if (!DOLBY_VISION.includes(box.type)) continue;
    requireBytes(box, DOLBY_VISION_BYTES);
    requireBaseLayer(bytes.subarray(box.start, box.end));
  }
};

/**
 * Checks the sample descriptions of a track.
 *
 * @param box `stsd`
 * @returns the type of the last one, as the demuxer reads it
 * @throws UnreadableFile where their number is wrong, or images can be shown only by Dolby's decoders
 */
export const checkDescriptions = (
  bytes: Uint8Array,
  box: Mp4Box,
  handler: string,
  count: () => void,
): string => {
  if (box.end - box.start < HEAD_BYTES) throw corruptStructure();
  let left = viewOf(bytes).getUint32(box.start + 4);
  let last = '';
  for (const entry of looseBoxesIn(bytes, box.start + HEAD_BYTES, box.end)) {
    if (left-- === 0) break;
    count();
    last = entry.type;
    if (isKnown(handler)) {
      const start = boxesAt(bytes, entry, handler);
      checkLoose({ bytes, count }, { ...entry, start }, 1, STRUCTURE_OF_CODECS);
      checkDolbyVision(bytes, start, entry.end);
    }
  }
  if (left > 0) throw corruptStructure();
  return last;
};
