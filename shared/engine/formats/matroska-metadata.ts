import { FORMATS } from '../../catalogue/formats';
import type { MetadataKind } from '../../domain/metadata-kind';
import type { TrackCounts } from '../../domain/provenance';
import { corruptStructure, indexTooLarge } from '../../domain/unreadable-file';
import type { ByteSource } from '../../ports/video';
import { rebuildCodecConfig } from './audio/codec-config';
import { walkCluster } from './matroska-clusters';
import { CLUSTER, findSegment, openElements, type ElementReader } from './matroska-elements';
import { MATROSKA_LIMITS } from './video-structure-limits';
import { kindOfName } from './metadata-names';
import type { NotedMetadata } from './noted-metadata';

const INFO = 0x1549a966;
const TRACKS = 0x1654ae6b;
const ATTACHMENTS = 0x1941a469;
const CHAPTERS = 0x1043a770;
const TAGS = 0x1254c367;

/** Kinds of elements in `Info`: title, file names, date, and the programs that wrote the file. */
const OF_INFO: Readonly<Record<number, MetadataKind>> = {
  ...{ 0x7ba9: 'text', 0x7384: 'text', 0x3c83ab: 'text', 0x3e83bb: 'text' },
  ...{ 0x4461: 'time', 0x4d80: 'device', 0x5741: 'device' },
};
const TRACK_ENTRY = 0xae;
const TRACK_TYPE = 0x83;
const TRACK_NAME = 0x536e;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
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
/** Largest configuration that is read: it may contain pictures. */
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
const TAG = 0x7373;
const SIMPLE_TAG = 0x67c8;
const TAG_NAME = 0x45a3;
/** Statistics that programs add for each track: they describe sizes and rates. */
const STATISTICS = /^(BPS|DURATION|NUMBER_OF_FRAMES|NUMBER_OF_BYTES|_STATISTICS_.*)(-.*)?$/;
const STATISTICS_DATE = /^_STATISTICS_WRITING_DATE/;
const MAX_NAME_BYTES = 256;
/** Tags contain tags, a few levels deep. */
const MAX_DEPTH = 8;
/** Bytes of one read: the elements of clusters are skipped. */
const WINDOW_BYTES = 1024;

interface Part {
  readonly id: number;
  /** Of its content. */
  readonly start: number;
  readonly end: number;
}

/** One file while its elements are read. */
interface Reading {
  readonly source: ByteSource;
  readonly reader: ElementReader;
  readonly note: (kind: MetadataKind) => void;
  /** @throws UnreadableFile beyond the limit */
  readonly countElement: () => void;
}

/** Iterates over the elements in an element. @throws UnreadableFile */
async function* elementsIn(
  { reader, countElement }: Reading,
  { start, end }: Omit<Part, 'id'>,
): AsyncGenerator<Part> {
  for (let at = start; at < end;) {
    countElement();
    const element = await reader.read(at);
    if (element?.sizeBytes === undefined) throw corruptStructure();
    const from = at + element.headerBytes;
    at = from + element.sizeBytes;
    if (at > end) throw corruptStructure();
    yield { id: element.id, start: from, end: at };
  }
}

const textOf = async ({ source }: Reading, { start, end }: Part): Promise<string> =>
  new TextDecoder()
    .decode(await source.read(start, Math.min(end, start + MAX_NAME_BYTES)))
    .replace(/\0+$/, '');

const noteInfo = async (reading: Reading, part: Part): Promise<void> => {
  for await (const { id } of elementsIn(reading, part)) {
    const kind = OF_INFO[id];
    if (kind) reading.note(kind);
  }
};

type Counts = { -readonly [Kind in keyof TrackCounts]: number };

const noteConfig = (id: string, config: Uint8Array, note: Reading['note']): void => {
  const codec = CODECS.find(([start]) => id.startsWith(start))?.[1];
  for (const kind of (codec && rebuildCodecConfig(codec, config)?.removed) || []) note(kind);
};

const noteType = (type: number, counts: Counts, note: Reading['note']): void => {
  const kind = TRACK_TYPES[type] ?? 'data';
  counts[kind] += 1;
  if (kind === 'subtitles') note('subtitles');
  if (kind === 'data') note(type === METADATA_TRACK ? 'telemetry' : 'other');
};

const readTrack = async (reading: Reading, entry: Part, counts: Counts): Promise<void> => {
  const { source, note } = reading;
  let codecId = '';
  let config: Part | undefined;
  for await (const element of elementsIn(reading, entry)) {
    const { id, start, end } = element;
    if (id === TRACK_NAME) note('text');
    if (id === CODEC_ID) codecId = await textOf(reading, element);
    if (id === CODEC_PRIVATE) config = element;
    if (id !== TRACK_TYPE) continue;
    noteType((await source.read(Math.max(start, end - 1), end)).at(-1) ?? 0, counts, note);
  }
  if (!config) return;
  const { start, end } = config;
  if (end - start > MAX_CONFIG_BYTES) note('other');
  else noteConfig(codecId, await source.read(start, end), note);
};

const readTracks = async (reading: Reading, part: Part, counts: Counts): Promise<void> => {
  for await (const entry of elementsIn(reading, part)) {
    if (entry.id === TRACK_ENTRY) await readTrack(reading, entry, counts);
  }
  if (counts.video > 1) reading.note('other-pictures');
};

const noteAttachments = async (reading: Reading, part: Part): Promise<void> => {
  for await (const file of elementsIn(reading, part)) {
    if (file.id !== ATTACHED_FILE) continue;
    let mediaType = '';
    for await (const element of elementsIn(reading, file)) {
      if (element.id === MEDIA_TYPE) mediaType = await textOf(reading, element);
    }
    reading.note(mediaType.startsWith('image/') ? 'thumbnail' : 'other');
  }
};

const noteTagName = (name: string, note: Reading['note']): void => {
  if (STATISTICS_DATE.test(name)) note('time');
  else if (!STATISTICS.test(name)) note(kindOfName(name));
};

const noteTags = async (reading: Reading, part: Part, depth = 0): Promise<void> => {
  if (depth > MAX_DEPTH) throw corruptStructure();
  for await (const element of elementsIn(reading, part)) {
    if (element.id === TAG || element.id === SIMPLE_TAG) await noteTags(reading, element, depth + 1);
    else if (element.id === TAG_NAME) noteTagName(await textOf(reading, element), reading.note);
  }
};

/** @returns the part at an offset of the segment */
const partAt = async ({ reader }: Reading, at: number, segmentEnd: number): Promise<Part> => {
  const element = await reader.read(at);
  if (!element) throw corruptStructure();
  const { id, headerBytes, sizeBytes } = element;
  const start = at + headerBytes;
  if (sizeBytes !== undefined) return { id, start, end: start + sizeBytes };
  if (id !== CLUSTER) throw corruptStructure();
  return { id, start, end: (await walkCluster(reader, start, undefined, segmentEnd)).end };
};

/**
 * Finds metadata and tracks in a Matroska or WebM file that was checked.
 *
 * @throws UnreadableFile where the structure is damaged
 */
export const findMatroskaMetadata = async (source: ByteSource): Promise<NotedMetadata> => {
  const kinds = new Set<MetadataKind>();
  const note = (kind: MetadataKind): void => void kinds.add(kind);
  let left: number = FORMATS.matroska.maxStructures;
  const countElement = (): void => {
    if (--left < 0) throw indexTooLarge();
  };
  const reading: Reading = { source, reader: openElements(source, WINDOW_BYTES), note, countElement };
  const tracks = { video: 0, audio: 0, subtitles: 0, data: 0 };
  const [start, end] = await findSegment(reading.reader, source);
  const maxParts =
    MATROSKA_LIMITS.otherParts +
    MATROSKA_LIMITS.clusters +
    source.sizeBytes / MATROSKA_LIMITS.clusterMeanBytes;
  let parts = 0;
  for (let at = start; at < end;) {
    if (++parts > maxParts) throw indexTooLarge();
    const part = await partAt(reading, at, end);
    const { id } = part;
    at = part.end;
    if (id === INFO) await noteInfo(reading, part);
    else if (id === TRACKS) await readTracks(reading, part, tracks);
    else if (id === ATTACHMENTS) await noteAttachments(reading, part);
    else if (id === CHAPTERS) note('chapters');
    else if (id === TAGS) await noteTags(reading, part);
  }
  if (end < source.sizeBytes) note('trailer');
  return { kinds, tracks };
};
