import type { MetadataKind, TrackCounts } from '../../domain/image-header';
import type { ByteSource } from '../../ports/video';
import { rebuildCodecConfig } from './audio/codec-config';
import { viewOf } from './bytes';
import type { CheckedVideo } from './check-mp4';
import { DOLBY_VISION, DOLBY_VISION_BYTES, requireBaseLayer } from './dolby-vision';
import { kindOfName, videoMetadata } from './metadata-names';

const INFO = 0x1549a966;
const CHAPTERS = 0x1043a770;

/** Kinds of elements in `Info`: title, file names, date, and the programs that wrote the file. */
const OF_INFO: Readonly<Record<number, MetadataKind>> = {
  ...{ 0x7ba9: 'text', 0x7384: 'text', 0x3c83ab: 'text', 0x3e83bb: 'text' },
  ...{ 0x4461: 'capture-time', 0x4d80: 'device', 0x5741: 'device' },
};
/** When the file was made: a signed number of nanoseconds since 2001, in UTC. */
const DATE = 0x4461;
const DATE_BYTES = 8;
const NS_PER_SECOND = 10 ** 9;
/** Seconds from 1904, where MP4 begins to count, to 2001. */
const SECONDS_TO_2001 = 3_061_152_000;
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const TRACK_NAME = 0x536e;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
/** What is added to each block of a track, its kind as four characters, and the configuration of that kind. */
export const ADDITION = 0x41e4;
const ADDITION_TYPE = 0x41e7;
const ADDITION_CONFIG = 0x41ed;
/** Names of codecs that have, or could have, more than their settings in the configuration. */
const CODECS: readonly (readonly [id: string, codec: string])[] = [
  ['A_AAC', 'aac'],
  ['A_FLAC', 'flac'],
  ['A_OPUS', 'opus'],
  ['A_VORBIS', 'vorbis'],
  ['A_MPEG/L3', 'mp3'],
  ['A_AC3', 'ac3'],
  ['A_EAC3', 'eac3'],
];
/** Largest configuration that is read: it may contain images. */
const MAX_CONFIG_BYTES = 2 ** 24;
const TRACK_TYPES: Readonly<Record<number, keyof TrackCounts>> = {
  1: 'video',
  2: 'audio',
  0x11: 'subtitles',
};
/** Type of a track with measurements. */
const METADATA_TRACK = 0x21;
const ATTACHED_FILE = 0x61a7;
const MEDIA_TYPE = 0x4660;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
/** Statistics that programs add for each track: they describe sizes and rates. */
const STATISTICS = /^(BPS|DURATION|NUMBER_OF_FRAMES|NUMBER_OF_BYTES|_STATISTICS_.*)(-.*)?$/;
const STATISTICS_DATE = /^_STATISTICS_WRITING_DATE/;
const MAX_NAME_BYTES = 256;
interface Part {
  readonly id: number;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

/** A track as its metadata count it. */
interface NotedTrack {
  type?: number;
  codecId: string;
  config?: Part;
  addition?: string;
}

/**
 * Takes the elements of a file as they are checked, and notes what they contain next to the video. Refuses Dolby Vision
 * without common colours.
 */
export interface MatroskaNotes {
  /** @param parent id of the element around it */
  readonly visit: (element: Part, parent: number) => Promise<void> | undefined;
  readonly note: (kind: MetadataKind) => void;
  /** Reads what is only known at the end. */
  readonly finish: () => Promise<Pick<CheckedVideo, 'found' | 'createdAt'>>;
}

const noteTagName = (name: string, note: MatroskaNotes['note']): void => {
  if (STATISTICS_DATE.test(name)) note('time');
  else if (!STATISTICS.test(name)) note(kindOfName(name));
};

const countTracks = (tracks: readonly NotedTrack[], note: MatroskaNotes['note']): TrackCounts => {
  const counts = { video: 0, audio: 0, subtitles: 0, data: 0 };
  for (const { type } of tracks) {
    if (type === undefined) continue;
    const kind = TRACK_TYPES[type] ?? 'data';
    counts[kind] += 1;
    if (kind === 'subtitles') note('subtitles');
    if (kind === 'data') note(type === METADATA_TRACK ? 'telemetry' : 'other');
  }
  if (counts.video > 1) note('other-pictures');
  return counts;
};

const noteConfig = (id: string, config: Uint8Array, note: MatroskaNotes['note']): void => {
  const codec = CODECS.find(([start]) => id.startsWith(start))?.[1];
  for (const kind of (codec && rebuildCodecConfig(codec, config)?.removed) || []) note(kind);
};

/** @throws UnreadableFile where only Dolby's decoders can show the track */
const checkAddition = async (
  source: ByteSource,
  track: NotedTrack | undefined,
  { start, end }: Part,
): Promise<void> => {
  if (!DOLBY_VISION.includes(track?.addition ?? '')) return;
  requireBaseLayer(await source.read(start, Math.min(end, start + DOLBY_VISION_BYTES)));
};

/** The date as MP4 states it; undefined for one that it cannot. */
const readDate = async (source: ByteSource, { start, end }: Part): Promise<number | undefined> => {
  if (end - start !== DATE_BYTES) return undefined;
  const since2001 = Number(viewOf(await source.read(start, end)).getBigInt64(0)) / NS_PER_SECOND;
  const seconds = SECONDS_TO_2001 + Math.floor(since2001);
  return seconds > 0 && seconds < 2 ** 32 ? seconds : undefined;
};

/** The same numbers elsewhere are other elements. */
const PARENTS: Readonly<Record<number, readonly number[]>> = {
  ...{ [TRACK_NAME]: [TRACK_ENTRY], [CODEC_ID]: [TRACK_ENTRY], [CODEC_PRIVATE]: [TRACK_ENTRY] },
  ...{ [DATE]: [INFO], [ADDITION_TYPE]: [ADDITION], [ADDITION_CONFIG]: [ADDITION] },
  ...{ [TRACK_TYPE]: [TRACK_ENTRY], [MEDIA_TYPE]: [ATTACHED_FILE], [TAG_NAME]: [SIMPLE_TAG] },
};

/** Notes what is only known at the end: what configurations and attached files contain. */
const noteRest = async (
  source: ByteSource,
  tracks: readonly NotedTrack[],
  mediaTypes: readonly string[],
  note: MatroskaNotes['note'],
): Promise<void> => {
  for (const { codecId, config } of tracks) {
    if (!config) continue;
    const { start, end } = config;
    if (end - start > MAX_CONFIG_BYTES) note('other');
    else noteConfig(codecId, await source.read(start, end), note);
  }
  for (const type of mediaTypes) note(type.startsWith('image/') ? 'thumbnail' : 'other');
};

type Visit = (text: () => Promise<string>, element: Part) => Promise<void>;

export const createMatroskaNotes = (source: ByteSource): MatroskaNotes => {
  const kinds = new Set<MetadataKind>();
  const note = (kind: MetadataKind): void => void kinds.add(kind);
  const tracks: NotedTrack[] = [];
  const mediaTypes: string[] = [];
  let createdAt: number | undefined;
  const inTrack = (change: (track: NotedTrack) => void): void => {
    const track = tracks.at(-1);
    if (track) change(track);
  };
  const visits: Readonly<Record<number, Visit>> = {
    [CHAPTERS]: async () => note('chapters'),
    [DATE]: async (_text, element) => {
      createdAt ??= await readDate(source, element);
    },
    [TRACK_ENTRY]: async () => void tracks.push({ codecId: '' }),
    [TRACK_NAME]: async () => note('text'),
    [CODEC_ID]: async (text) => {
      const codecId = await text();
      inTrack((track) => (track.codecId = codecId));
    },
    [CODEC_PRIVATE]: async (_text, element) => inTrack((track) => (track.config = element)),
    [TRACK_TYPE]: async (_text, { start, end }) => {
      const type = (await source.read(Math.max(start, end - 1), end)).at(-1) ?? 0;
      inTrack((track) => (track.type = type));
    },
    [ADDITION_TYPE]: async (text) => {
      const addition = await text();
      inTrack((track) => (track.addition = addition));
    },
    [ADDITION_CONFIG]: (_text, element) => checkAddition(source, tracks.at(-1), element),
    [ATTACHED_FILE]: async () => void mediaTypes.push(''),
    [MEDIA_TYPE]: async (text) => {
      mediaTypes[mediaTypes.length - 1] = await text();
    },
    [TAG_NAME]: async (text) => noteTagName(await text(), note),
  };
  return {
    note,
    visit: (element, parent) => {
      const { id, start, end } = element;
      if (parent === INFO && OF_INFO[id]) note(OF_INFO[id]);
      if (PARENTS[id] && !PARENTS[id].includes(parent)) return undefined;
      const text = async (): Promise<string> =>
        new TextDecoder()
          .decode(await source.read(start, Math.min(end, start + MAX_NAME_BYTES)))
          .replace(/\0+$/, '');
      return visits[id]?.(text, element);
    },
    finish: async () => {
      await noteRest(source, tracks, mediaTypes, note);
      const found = videoMetadata(kinds, countTracks(tracks, note));
      return { found, ...(createdAt !== undefined && { createdAt }) };
    },
  };
};
