import { FORMATS } from '../../catalogue/formats';
import type { MetadataKind, TrackCounts } from '../../domain/image-header';
import { indexTooLarge, UnreadableFile } from '../../domain/failure';
import { fourCharacters, hexOf, viewOf } from './bytes';
import { kindOfName } from './metadata-names';
import { childrenOf, FULL_BOX_BYTES, type Mp4Box } from './mp4-boxes';
import { kindsOfSound } from './mp4-sound';
import { MP4_LIMITS } from './structure-limits';

const XMP_UUID = 'be7acfcb97a942e89c71999491e3afac';
const UUID_BYTES = 16;

/** Boxes that are needed to show the video, or have no content. */
const STRUCTURE = new Set(
  [
    'ftyp styp moov moof mdat mfra sidx ssix prft pdin wide free skip',
    'mvhd trak mvex iods ctab hnti hinf tsel kind hdlr',
    // The place of a QuickTime window, and whether it repeats.
    'WLOC LOOP SelO AllF',
  ].flatMap((types) => types.split(' ')),
);

export const isStructure = (type: string): boolean => STRUCTURE.has(type);

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

type Note = (kind: MetadataKind) => void;

/** Notes what a part of a file contains. Noting never throws: damage makes the list incomplete, and thus unknown. */
export interface MetadataNoter {
  readonly note: Note;
  /** @param read notes what boxes contain; @param bytes that their offsets count in */
  attempt(bytes: Uint8Array, read: (notes: Mp4Notes) => void): void;
  /** Counts a box whose content is to be noted. @returns false where that is in vain */
  takesBox(): boolean;
  isComplete(): boolean;
}

/** Bytes whose boxes are noted. */
interface Mp4Notes {
  readonly bytes: Uint8Array;
  readonly note: Note;
  /** Counts a box. @throws UnreadableFile beyond the limit */
  readonly count: () => void;
}

export const createMetadataNoter = (note: Note): MetadataNoter => {
  let left: number = FORMATS.mp4.maxStructures;
  let isComplete = true;
  const count = (): void => {
    if (--left < 0) throw indexTooLarge();
  };
  return {
    note,
    attempt: (bytes, read) => {
      try {
        read({ bytes, note, count });
      } catch (error) {
        if (!(error instanceof UnreadableFile) && !(error instanceof RangeError)) throw error;
        isComplete = false;
      }
    },
    takesBox: () => {
      isComplete &&= --left >= 0;
      return isComplete;
    },
    isComplete: () => isComplete,
  };
};

const noteUuid = ({ bytes, note }: Mp4Notes, { start }: Mp4Box): void => {
  note(hexOf(bytes.subarray(start, start + UUID_BYTES)) === XMP_UUID ? 'xmp' : 'other');
};

/** The names of a QuickTime metadata box. */
const noteKeys = (notes: Mp4Notes, { start, end }: Mp4Box): void => {
  const { bytes, note } = notes;
  for (const { start: from, end: to } of childrenOf(notes, { start: start + FULL_BOX_BYTES + 4, end })) {
    note(kindOfName(String.fromCharCode(...bytes.subarray(from, Math.min(to, from + 256)))));
  }
};

/** Entries of a metadata box. In that of iTunes each has a type, in that of QuickTime the number of a name. */
const noteMeta = (notes: Mp4Notes, { start, end }: Mp4Box): void => {
  const { bytes, note } = notes;
  const isOfQuickTime = fourCharacters(bytes, start + 4) === 'hdlr';
  const content = { start: isOfQuickTime ? start : start + FULL_BOX_BYTES, end };
  let hasKeys = false;
  for (const { type } of childrenOf(notes, content)) hasKeys ||= type === 'keys';
  for (const box of childrenOf(notes, content)) {
    if (box.type === 'keys') noteKeys(notes, box);
    else if (box.type === 'ilst') {
      if (hasKeys) continue;
      for (const { type } of childrenOf(notes, box)) {
        note(ENTRIES[type] ?? 'text');
      }
    } else if (!STRUCTURE.has(box.type)) note(kindOfEntry(box.type));
  }
};

/** Notes what a box is if it is no part of the structure. */
export const noteBox = (notes: Mp4Notes, box: Mp4Box): void => {
  if (STRUCTURE.has(box.type)) return;
  if (box.type === 'udta') {
    for (const entry of childrenOf(notes, box)) noteBox(notes, entry);
  } else if (box.type === 'meta') noteMeta(notes, box);
  else if (box.type === 'uuid') noteUuid(notes, box);
  else notes.note(kindOfEntry(box.type));
};

/** Whether a box of a movie, track or its media states when it was made. 0 means that it does not. */
const hasCreationTime = (bytes: Uint8Array, { start }: Mp4Box): boolean => {
  const view = viewOf(bytes);
  const isLong = view.getUint8(start) === 1;
  const at = start + FULL_BOX_BYTES;
  return isLong ? view.getBigUint64(at) !== 0n : view.getUint32(at) !== 0;
};

/** Boxes that state when a movie, track or its media was made. */
const DATED = ['mvhd', 'tkhd', 'mdhd'];
/** Boxes of a track that are needed to show it. */
const TRACK_STRUCTURE = [
  ...['mdia', 'minf', 'tref'],
  ...['edts', 'elng', 'tapt', 'load', 'clip', 'matt', 'txas', 'imap'],
];

/** Notes what a box of the index contains next to the structure. @param parent type of the box around it */
export const noteIndexBox = (notes: Mp4Notes, box: Mp4Box, parent: string): void => {
  const { bytes, note } = notes;
  const { type } = box;
  if (DATED.includes(type)) {
    if (hasCreationTime(bytes, box)) note('capture-time');
  } else if (type === 'stsd') {
    for (const kind of kindsOfSound(bytes, box)) note(kind);
  } else if (
    parent === 'moov' ||
    ((parent === 'trak' || parent === 'mdia') && !TRACK_STRUCTURE.includes(type))
  ) {
    noteBox(notes, box);
  }
};

/** The ids in a box that refers to tracks: no more than a file may have. @param references the box `tref` */
export const chapterTracks = (notes: Mp4Notes, references: Mp4Box): readonly number[] => {
  let chapters: readonly number[] = [];
  for (const { type, start, end } of childrenOf(notes, references)) {
    const length = Math.min(MP4_LIMITS.tracks, Math.floor((end - start) / 4));
    if (type !== 'chap') continue;
    chapters = Array.from({ length }, (_, i) => viewOf(notes.bytes).getUint32(start + 4 * i));
  }
  return chapters;
};

/** A track as its metadata count it. */
interface NotedTrack {
  readonly id: number;
  readonly handler: string;
  /** Ids of the tracks that contain its chapters. */
  readonly chapters: readonly number[];
}

const SUBTITLES = ['text', 'sbtl', 'subt', 'clcp'];
const OF_HANDLER: Readonly<Record<string, MetadataKind>> = {
  ...{ meta: 'telemetry', mdta: 'telemetry', data: 'telemetry', gpmd: 'telemetry', camm: 'telemetry' },
  ...{ tmcd: 'time', hint: 'other' },
};

/** Notes what the tracks contain besides the video and its sound. */
export const countTracks = (tracks: readonly NotedTrack[], note: Note): TrackCounts => {
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
