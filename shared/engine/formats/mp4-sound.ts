import type { MetadataKind } from '../../domain/image-header';
import { rebuildCodecConfig } from './audio/codec-config';
import { kindOfRest } from './audio/rebuilt-config';
import { viewOf } from './bytes';
import { boxesIn, FULL_BOX_BYTES, type Mp4Box } from './mp4-boxes';

/** Bytes of a sound description in front of its boxes, by its version. */
const DESCRIPTION_BYTES = [28, 44, 64];
const VERSION_AT = 8;
const SOUND_TYPES = ['mp4a', '.mp3', 'fLaC', 'Opus', 'ac-3', 'ec-3'];

/** Tags of descriptors. @see ISO/IEC 14496-1, section 7.2.2.1 */
const TAG = { stream: 3, decoder: 4, specific: 5 } as const;
/** Bytes of a decoder's description in front of its configuration. */
const DECODER_BYTES = 13;
/** Codecs by the number of their objects. @see https://mp4ra.org/registered-types/object-types */
const OBJECTS: Readonly<Record<number, string>> = {
  ...{ 0x40: 'aac', 0x67: 'aac', 0x69: 'mp3', 0x6b: 'mp3', 0xdd: 'vorbis' },
};

interface Descriptor {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

const MAX_LENGTH_BYTES = 4;

const descriptorAt = (bytes: Uint8Array, at: number, limit: number): Descriptor | undefined => {
  let length = 0;
  for (let index = 1; index <= MAX_LENGTH_BYTES && at + index < limit; index++) {
    const byte = bytes[at + index] as number;
    length = length * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    const start = at + 1 + index;
    return { tag: bytes[at] as number, start, end: Math.min(limit, start + length) };
  }
  return undefined;
};

/** Bytes of a stream's description in front of that of its decoder. */
const streamBytes = (bytes: Uint8Array, start: number): number => {
  const [flags = 0, ...rest] = bytes.subarray(start + 2, start + 6);
  let length = 3;
  if ((flags & 0x80) !== 0) length += 2;
  if ((flags & 0x40) !== 0) length += 1 + (rest[length - 3] ?? 0);
  return (flags & 0x20) !== 0 ? length + 2 : length;
};

const HAS_ADDRESS = 0x40;

const kindsOfDecoder = (bytes: Uint8Array, { start, end }: Descriptor): readonly MetadataKind[] => {
  const config = descriptorAt(bytes, start + DECODER_BYTES, end);
  const codec = OBJECTS[bytes[start] ?? 0];
  if (config?.tag !== TAG.specific || !codec) return [];
  return rebuildCodecConfig(codec, bytes.subarray(config.start, config.end))?.removed ?? [];
};

/** Kinds of data in a box `esds`, which contains the configuration of AAC, MP3 and Vorbis. */
const kindsOfStream = (bytes: Uint8Array, { start, end }: Mp4Box): readonly MetadataKind[] => {
  const stream = descriptorAt(bytes, start + FULL_BOX_BYTES, end);
  if (stream?.tag !== TAG.stream) return [];
  const address: MetadataKind[] = ((bytes[stream.start + 2] ?? 0) & HAS_ADDRESS) !== 0 ? ['other'] : [];
  const decoder = descriptorAt(bytes, stream.start + streamBytes(bytes, stream.start), stream.end);
  return decoder?.tag === TAG.decoder ? [...address, ...kindsOfDecoder(bytes, decoder)] : address;
};

/** The configuration of FLAC as other containers have it. */
const flacConfig = (blocks: Uint8Array): Uint8Array => Uint8Array.from([0x66, 0x4c, 0x61, 0x43, ...blocks]);

/** Positions in the box `dOps`. */
const OPUS = { channels: 1, family: 10, end: 11 } as const;

const opusBytes = (content: Uint8Array): number =>
  OPUS.end + (content[OPUS.family] === 0 ? 0 : 2 + (content[OPUS.channels] ?? 0));

/** @param isInside the box of QuickTime that contains the others, once */
const kindsOfBox = (bytes: Uint8Array, box: Mp4Box, isInside: boolean): readonly MetadataKind[] => {
  const content = bytes.subarray(box.start, box.end);
  if (box.type === 'esds') return kindsOfStream(bytes, box);
  if (box.type === 'dfLa') return rebuildCodecConfig('flac', flacConfig(content.subarray(4)))?.removed ?? [];
  if (box.type === 'dOps') return kindOfRest(content.subarray(opusBytes(content)));
  return box.type === 'wave' && !isInside ? kindsOfBoxes(bytes, box.start, box.end, true) : [];
};

const kindsOfBoxes = (
  bytes: Uint8Array,
  start: number,
  end: number,
  isInside = false,
): readonly MetadataKind[] => {
  const kinds = new Set<MetadataKind>();
  for (const box of boxesIn(bytes, start, end)) {
    for (const kind of kindsOfBox(bytes, box, isInside)) kinds.add(kind);
  }
  return [...kinds];
};

/**
 * Kinds of data in the codec configurations of a track, which no result has: comments, pictures, unknown bytes.
 *
 * @param descriptions the box `stsd`
 * @throws UnreadableFile where the structure is damaged
 */
export const kindsOfSound = (bytes: Uint8Array, descriptions: Mp4Box): readonly MetadataKind[] => {
  const kinds = new Set<MetadataKind>();
  for (const { type, start, end } of boxesIn(
    bytes,
    descriptions.start + 2 * FULL_BOX_BYTES,
    descriptions.end,
  )) {
    if (!SOUND_TYPES.includes(type) || end - start < VERSION_AT + 2) continue;
    const boxesAt = start + (DESCRIPTION_BYTES[viewOf(bytes).getUint16(start + VERSION_AT)] ?? end);
    for (const kind of kindsOfBoxes(bytes, boxesAt, end)) kinds.add(kind);
  }
  return [...kinds];
};
