import { FORMATS } from '../../catalogue/formats';
import type { MetadataKind } from '../../domain/metadata-kind';
import type { TrackCounts } from '../../domain/provenance';
import { indexTooLarge } from '../../domain/unreadable-file';
import type { ByteSource } from '../../ports/video';
import { kindOfName } from './metadata-names';
import { boxesIn, charactersAt, viewOf, type Mp4Box } from './mp4-boxes';
import { kindsOfSound } from './mp4-sound';
import { visitTopBoxes } from './mp4-top-boxes';
import type { NotedMetadata } from './noted-metadata';
import { MP4_LIMITS } from './video-structure-limits';

/** Bytes of a full box's version and flags. */
const FULL_BOX_BYTES = 4;
const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';
const UUID_BYTES = 16;

/** Boxes that are needed to show the video, or have no content. */
const STRUCTURE = new Set(
  [
    ...[
      'ftyp',
      'styp',
      'moov',
      'moof',
      'mdat',
      'mfra',
      'sidx',
      'ssix',
      'prft',
      'pdin',
      'wide',
      'free',
      'skip',
    ],
    ...['mvhd', 'trak', 'mvex', 'iods', 'ctab', 'hnti', 'hinf', 'tsel', 'kind', 'hdlr'],
    // The place of a QuickTime window, and whether it repeats.
    ...['WLOC', 'LOOP', 'SelO', 'AllF'],
  ].values(),
);

/** Kinds of entries by their type. Other types with a copyright sign are text. */
const ENTRIES: Readonly<Record<string, MetadataKind>> = {
  ...{ '©xyz': 'place', loci: 'place' },
  ...{ '©mak': 'device', '©mod': 'device', '©swr': 'device', '©too': 'device', '©enc': 'device' },
  ...{ manu: 'device', modl: 'device', '©fmt': 'device', '©hst': 'device' },
  ...{ '©day': 'time', yrrc: 'time', purd: 'time' },
  ...{ covr: 'thumbnail', thmb: 'thumbnail', pnot: 'thumbnail', CNTH: 'thumbnail' },
  ...{ GPMF: 'telemetry', chpl: 'chapters', XMP_: 'xmp' },
  ...{ FIRM: 'maker-notes', LENS: 'maker-notes', CAME: 'maker-notes', SETT: 'maker-notes' },
  ...{ MUID: 'maker-notes', HMMT: 'maker-notes', BCID: 'maker-notes', GUMI: 'maker-notes' },
  ...{ AMBA: 'maker-notes', smta: 'maker-notes', smrd: 'maker-notes' },
  ...{ titl: 'text', auth: 'text', dscp: 'text', cprt: 'text', perf: 'text', albm: 'text', gnre: 'text' },
  ...{ name: 'text', kywd: 'text', clsf: 'text', ID32: 'text' },
};

const kindOfEntry = (type: string): MetadataKind =>
  ENTRIES[type] ?? (type.startsWith('©') ? 'text' : type.startsWith('CN') ? 'maker-notes' : 'other');

/** One file while its boxes are read. */
interface Reading {
  readonly bytes: Uint8Array;
  readonly note: (kind: MetadataKind) => void;
  /** Counts a box. @throws UnreadableFile beyond the limit */
  readonly count: () => void;
}

/** Iterates over the boxes in a box. @throws UnreadableFile */
function* childrenOf(reading: Reading, { start, end }: Omit<Mp4Box, 'type'>): Generator<Mp4Box> {
  for (const box of boxesIn(reading.bytes, start, end)) {
    reading.count();
    yield box;
  }
}

const noteUuid = ({ bytes, note }: Reading, { start }: Mp4Box): void => {
  const uuid = Array.from(bytes.subarray(start, start + UUID_BYTES), (byte) =>
    byte.toString(16).padStart(2, '0'),
  );
  note(uuid.join('') === XMP_UUID ? 'xmp' : 'other');
};

/** The names of a QuickTime metadata box. */
const noteKeys = (reading: Reading, { start, end }: Mp4Box): void => {
  const { bytes, note } = reading;
  for (const { start: from, end: to } of childrenOf(reading, { start: start + FULL_BOX_BYTES + 4, end })) {
    note(kindOfName(String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 256)))));
  }
};

/** Entries of a metadata box. In that of iTunes each has a type, in that of QuickTime the number of a name. */
const noteMeta = (reading: Reading, { start, end }: Mp4Box): void => {
  const { bytes, note } = reading;
  const isOfQuickTime = charactersAt(bytes, start + 4) === 'hdlr';
  const content = { start: isOfQuickTime ? start : start + FULL_BOX_BYTES, end };
  let hasKeys = false;
  for (const { type } of childrenOf(reading, content)) hasKeys ||= type === 'keys';
  for (const box of childrenOf(reading, content)) {
    if (box.type === 'keys') noteKeys(reading, box);
    else if (box.type === 'ilst') {
      if (hasKeys) continue;
      for (const { type } of childrenOf(reading, box)) {
        note(ENTRIES[type] ?? 'text');
      }
    } else if (!STRUCTURE.has(box.type)) note(kindOfEntry(box.type));
  }
};

/** Notes what a box is if it is no part of the structure. */
const noteBox = (reading: Reading, box: Mp4Box): void => {
  if (STRUCTURE.has(box.type)) return;
  if (box.type === 'udta') {
    for (const entry of childrenOf(reading, box)) noteBox(reading, entry);
  } else if (box.type === 'meta') noteMeta(reading, box);
  else if (box.type === 'uuid') noteUuid(reading, box);
  else reading.note(kindOfEntry(box.type));
};

/** Whether a box of a movie, track or its media states when it was made. 0 means that it does not. */
const hasCreationTime = ({ bytes }: Reading, { start }: Mp4Box): boolean => {
  const view = viewOf(bytes);
  const isLong = view.getUint8(start) === 1;
  const at = start + FULL_BOX_BYTES;
  return isLong ? view.getBigUint64(at) !== 0n : view.getUint32(at) !== 0;
};

interface Track {
  id: number;
  handler: string;
  /** Ids of the tracks that contain its chapters. */
  chapters: readonly number[];
}

/** Boxes of a track that are needed to show it. */
const TRACK_STRUCTURE = ['edts', 'elng', 'tapt', 'load', 'clip', 'matt', 'txas', 'imap'];

/** The id of a track. @param box its header, `tkhd` */
const idOf = ({ bytes }: Reading, { start }: Mp4Box): number => {
  const view = viewOf(bytes);
  return view.getUint32(start + FULL_BOX_BYTES + (view.getUint8(start) === 1 ? 16 : 8));
};

/** The ids in a box that refers to tracks: no more than a file may have. */
const referredTracks = ({ bytes }: Reading, { start, end }: Mp4Box): readonly number[] =>
  Array.from({ length: Math.min(MP4_LIMITS.tracks, Math.floor((end - start) / 4)) }, (_, index) =>
    viewOf(bytes).getUint32(start + 4 * index),
  );

/** Notes what the configuration of an audio track contains besides its settings. @param media the box `minf` */
const noteSound = (reading: Reading, media: Mp4Box): void => {
  for (const table of childrenOf(reading, media)) {
    if (table.type !== 'stbl') continue;
    for (const box of childrenOf(reading, table)) {
      if (box.type === 'stsd') for (const kind of kindsOfSound(reading.bytes, box)) reading.note(kind);
    }
  }
};

/** Readers of the boxes of a track by their path. Other boxes are metadata, or needed to show the track. */
const TRACK_READERS: Readonly<Record<string, (reading: Reading, box: Mp4Box, track: Track) => void>> = {
  tkhd: (reading, box, track) => {
    track.id = idOf(reading, box);
    if (hasCreationTime(reading, box)) reading.note('time');
  },
  mdia: (reading, box, track) => readTrack(reading, box, track, 'mdia/'),
  'mdia/minf': noteSound,
  tref: (reading, box, track) => readTrack(reading, box, track, 'tref/'),
  'mdia/mdhd': (reading, box) => {
    if (hasCreationTime(reading, box)) reading.note('time');
  },
  'mdia/hdlr': ({ bytes }, { start }, track) => {
    track.handler = charactersAt(bytes, start + FULL_BOX_BYTES + 4);
  },
  'tref/chap': (reading, box, track) => {
    track.chapters = referredTracks(reading, box);
  },
};

/** Reads a track. @param path of the box, with a slash at its end; '' for the track @throws RangeError */
const readTrack = (reading: Reading, box: Mp4Box, track: Track, path = ''): void => {
  for (const child of childrenOf(reading, box)) {
    const readBox = TRACK_READERS[path + child.type];
    if (readBox) readBox(reading, child, track);
    else if (path !== 'tref/' && !TRACK_STRUCTURE.includes(child.type)) noteBox(reading, child);
  }
};

const SUBTITLES = ['text', 'sbtl', 'subt', 'clcp'];
const OF_HANDLER: Readonly<Record<string, MetadataKind>> = {
  ...{ meta: 'telemetry', mdta: 'telemetry', data: 'telemetry', gpmd: 'telemetry', camm: 'telemetry' },
  ...{ tmcd: 'time', hint: 'other' },
};

/** Notes what the tracks contain besides the video and its sound. */
const countTracks = (tracks: readonly Track[], note: Reading['note']): TrackCounts => {
  const chapters = new Set(tracks.flatMap((track) => track.chapters));
  const counts = { video: 0, audio: 0, subtitles: 0, data: 0 };
  for (const { id, handler } of tracks) {
    if (chapters.has(id)) {
      counts.data += 1;
      note('chapters');
    } else if (handler === 'vide') counts.video += 1;
    else if (handler === 'soun') counts.audio += 1;
    else if (SUBTITLES.includes(handler)) {
      counts.subtitles += 1;
      note('subtitles');
    } else {
      counts.data += 1;
      note(OF_HANDLER[handler] ?? 'other');
    }
  }
  if (counts.video > 1) note('other-pictures');
  return counts;
};

const readMovie = (reading: Reading): TrackCounts => {
  const tracks: Track[] = [];
  for (const box of childrenOf(reading, { start: 0, end: reading.bytes.byteLength })) {
    if (box.type === 'mvhd') {
      if (hasCreationTime(reading, box)) reading.note('time');
    } else if (box.type === 'trak') {
      const track: Track = { id: 0, handler: '', chapters: [] };
      readTrack(reading, box, track);
      tracks.push(track);
    } else noteBox(reading, box);
  }
  return countTracks(tracks, reading.note);
};

/** Maximum size of a box with metadata at the top level; larger ones are not read. */
const MAX_ENTRY_BYTES = 2 ** 20;

/**
 * Finds metadata and tracks in an MP4 or QuickTime file that was checked.
 *
 * @throws UnreadableFile, RangeError where the structure is damaged
 */
export const findMp4Metadata = async (source: ByteSource): Promise<NotedMetadata> => {
  const kinds = new Set<MetadataKind>();
  const note = (kind: MetadataKind): void => void kinds.add(kind);
  let left: number = FORMATS.mp4.maxStructures;
  const count = (): void => {
    if (--left < 0) throw indexTooLarge();
  };
  let tracks: TrackCounts = { video: 0, audio: 0, subtitles: 0, data: 0 };
  const read = async (type: string, content: Promise<Uint8Array>): Promise<void> => {
    const bytes = await content;
    if (type === 'moov') tracks = readMovie({ bytes, note, count });
    else noteBox({ bytes, note, count }, { type, start: 0, end: bytes.byteLength });
  };
  const end = await visitTopBoxes(source, ({ type, sizeBytes, content }) => {
    const isMovie = type === 'moov';
    if (isMovie && sizeBytes > MP4_LIMITS.indexBytes) throw indexTooLarge();
    if (!isMovie && STRUCTURE.has(type)) return undefined;
    count();
    if (isMovie || sizeBytes <= MAX_ENTRY_BYTES) return read(type, content());
    note('other');
    return undefined;
  });
  if (end < source.sizeBytes) note('trailer');
  return { kinds, tracks };
};
