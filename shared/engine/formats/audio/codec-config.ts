import type { MetadataKind } from '../../../domain/image-header';
import { readAacConfig } from './aac-config';
import { kindOfRest, kindsOfComments, type RebuiltConfig } from './rebuilt-config';
import { rebuildVorbisConfig } from './vorbis-config';
import { hasCharacters } from '../bytes';

const FLAC = 'fLaC';
const HEAD_BYTES = 4;
const STREAM_BYTES = 34;
const LAST = 0x80;
/** Types of metadata blocks. @see RFC 9639, section 8.1 */
const BLOCK = { stream: 0, padding: 1, seekTable: 3, comments: 4, cueSheet: 5, cover: 6 } as const;

const kindsOfBlock = (type: number, content: Uint8Array): readonly MetadataKind[] => {
  if (type === BLOCK.stream || type === BLOCK.seekTable) return [];
  if (type === BLOCK.padding) return kindOfRest(content);
  if (type === BLOCK.comments) return kindsOfComments(content);
  if (type === BLOCK.cueSheet) return ['chapters'];
  return [type === BLOCK.cover ? 'thumbnail' : 'other'];
};

/** The kinds of all blocks behind the stream information, and of bytes behind the blocks. */
const kindsBehind = (config: Uint8Array, start: number): readonly MetadataKind[] => {
  const kinds = new Set<MetadataKind>();
  let at = start;
  let isLast = ((config[HEAD_BYTES] ?? 0) & LAST) !== 0;
  while (!isLast && at + HEAD_BYTES <= config.byteLength) {
    const [head = 0, high = 0, middle = 0, low = 0] = config.subarray(at, at + HEAD_BYTES);
    const end = at + HEAD_BYTES + (high << 16) + (middle << 8) + low;
    for (const kind of kindsOfBlock(head % LAST, config.subarray(at + HEAD_BYTES, end))) kinds.add(kind);
    isLast = head >= LAST;
    at = end;
  }
  return [...kinds, ...kindOfRest(config.subarray(at))];
};

/**
 * Rebuilds the configuration of FLAC from the stream information: no comments, pictures and other blocks.
 *
 * @returns undefined where the stream information is missing
 * @see RFC 9639, section 8
 */
const rebuildFlacConfig = (config: Uint8Array): RebuiltConfig | undefined => {
  const end = FLAC.length + HEAD_BYTES + STREAM_BYTES;
  if (!hasCharacters(config, 0, FLAC) || config.byteLength < end) return undefined;
  const [head = 0, high, middle, low] = config.subarray(FLAC.length, FLAC.length + HEAD_BYTES);
  if (head % LAST !== BLOCK.stream || high !== 0 || middle !== 0 || low !== STREAM_BYTES) return undefined;
  const bytes = config.slice(0, end);
  bytes[FLAC.length] = LAST;
  return { bytes, removed: kindsBehind(config, end) };
};

const OPUS = 'OpusHead';
/** Positions in the identification header. @see RFC 7845, section 5.1 */
const OPUS_HEADER = { channels: 9, family: 18, streams: 19, table: 21 } as const;
/** Families whose table has one byte for each channel. @see RFC 8486, section 3.1, for the second */
const FAMILIES_WITH_TABLE = [1, 2, 255];

/** @returns undefined where the header is of a family that is not known here */
const opusSizeOf = (config: Uint8Array): number | undefined => {
  const { [OPUS_HEADER.channels]: channels = 0, [OPUS_HEADER.family]: family } = config;
  if (family === 0) return OPUS_HEADER.streams;
  return family !== undefined && FAMILIES_WITH_TABLE.includes(family)
    ? OPUS_HEADER.table + channels
    : undefined;
};

/** Rebuilds the identification header of Opus. @returns undefined where it is damaged or not known */
const rebuildOpusConfig = (config: Uint8Array): RebuiltConfig | undefined => {
  const size = opusSizeOf(config);
  if (!hasCharacters(config, 0, OPUS) || size === undefined || config.byteLength < size) return undefined;
  return { bytes: config.slice(0, size), removed: kindOfRest(config.subarray(size)) };
};

type Rebuild = (config: Uint8Array) => RebuiltConfig | undefined;

/** Codecs with a configuration, by the demuxer's names, and whether their tracks need one. */
const CODECS: Readonly<Record<string, readonly [rebuild: Rebuild, isNeeded: boolean]>> = {
  aac: [readAacConfig, false], // without one, each packet has a header
  flac: [rebuildFlacConfig, true],
  opus: [rebuildOpusConfig, false],
  vorbis: [rebuildVorbisConfig, true],
};

/** What the configuration of an audio track becomes in a result. */
export interface KeptConfig {
  /** Undefined where the track needs none. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** Kinds of data that are left out. */
  readonly removed: readonly MetadataKind[];
}

/**
 * Rebuilds the configuration of an audio track from the fields that its decoder needs.
 *
 * Containers hand it on as it is, and most codecs have room in it for comments, pictures and data of any kind. Other
 * codecs than those above (MP3, AC-3, PCM) are described by their packets or by the container, and need none.
 *
 * @param codec the demuxer's name
 * @param config undefined where the track has none
 * @returns undefined where it cannot be rebuilt, so that the packets cannot be copied
 */
export const rebuildCodecConfig = (codec: string, config: Uint8Array | undefined): KeptConfig | undefined => {
  const [rebuild, isNeeded] = CODECS[codec] ?? [undefined, false];
  if (config && rebuild) return rebuild(config);
  return isNeeded ? undefined : { bytes: undefined, removed: config ? kindOfRest(config) : [] };
};
