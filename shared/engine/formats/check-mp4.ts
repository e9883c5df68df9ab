import type { ByteSource } from '../../ports/video';
import type { FileRange, FoundInVideo, MetadataKind } from '../../domain/image-header';
import { fourCharacters, viewOf } from './bytes';
import { countFragmentSamples } from './mp4-samples';
import { readMp4Index, type Mp4Index, type Mp4Track } from './mp4-index';
import { createMetadataNoter, isStructure, noteBox } from './mp4-metadata';
import { withPatches, readWindows } from './derived-source';
import { videoMetadata } from './metadata-names';
import { MP4_LIMITS } from './structure-limits';
import { corruptStructure, indexTooLarge, UnreadableFile, truncatedVideo } from '../../domain/failure';
import { readBoxSize } from './mp4-boxes';

/** Bytes of the size and the type of a box … */
const HEADER_BYTES = 8;
/** … and of a size that follows them. */
const LONG_HEADER_BYTES = 16;
/** Bytes of one read: the heads of small fragments are next to one another. */
const WINDOW_BYTES = 16 * 1024;

/** A box that is in no other box. */
interface TopBox {
  readonly type: string;
  readonly headerBytes: number;
  readonly sizeBytes: number;
  /** Where its content is. */
  readonly range: FileRange;
  /** Reads its content. */
  readonly content: () => Promise<Uint8Array>;
}

/** @param head the first bytes of the box */
const readBox = (source: ByteSource, at: number, head: Uint8Array): TopBox => {
  if (head.byteLength < HEADER_BYTES) throw truncatedVideo();
  const [sizeBytes, headerBytes] = readBoxSize(viewOf(head), 0, source.sizeBytes - at);
  if (sizeBytes < 0) throw truncatedVideo();
  const range = [at + headerBytes, at + sizeBytes] as const;
  const content = (): Promise<Uint8Array> => source.read(...range);
  return { type: fourCharacters(head, 4), headerBytes, sizeBytes, range, content };
};

/** Counts the boxes of a file. @throws UnreadableFile beyond the limits */
const createCounter = ({ sizeBytes }: ByteSource): ((box: TopBox) => void) => {
  const left = {
    boxes: Math.min(MP4_LIMITS.topBoxes, MP4_LIMITS.freeTopBoxes + sizeBytes / MP4_LIMITS.topBoxMeanBytes),
    fragments: MP4_LIMITS.fragments + sizeBytes / MP4_LIMITS.fragmentBytes,
  };
  return ({ type }) => {
    left.boxes--;
    if (type === 'moof') left.fragments--;
    if (Math.min(left.boxes, left.fragments) < 0) throw indexTooLarge();
  };
};

const TYPE = /^[\x20-\x7e\xa9]{4}$/;

/**
 * Visits the top-level boxes in order. Bytes that other programs append after a complete video are ignored.
 *
 * @param visit returns a promise where it reads the box: one for each of the others would take longer than the rest
 * @returns offset of the end of the last box
 * @throws UnreadableFile
 */
const visitTopBoxes = async (
  source: ByteSource,
  visit: (box: TopBox) => Promise<void> | undefined,
): Promise<number> => {
  const windows = readWindows(source, WINDOW_BYTES);
  const count = createCounter(source);
  let hasIndex = false;
  let at = 0;
  while (at < source.sizeBytes) {
    const headEnd = Math.min(at + LONG_HEADER_BYTES, source.sizeBytes);
    const box = readBox(windows, at, windows.peek(at, headEnd) ?? (await windows.read(at, headEnd)));
    if (box.sizeBytes < box.headerBytes || !TYPE.test(box.type)) {
      if (hasIndex) return at;
      throw corruptStructure();
    }
    if (at + box.sizeBytes > source.sizeBytes) throw truncatedVideo();
    count(box);
    hasIndex ||= box.type === 'moov';
    const visiting = visit(box);
    if (visiting) await visiting;
    at += box.sizeBytes;
  }
  return at;
};

const TABLES = ['moov', 'moof', 'mfra', 'sidx'];

/** A file whose structure is safe to read. */
export interface CheckedVideo {
  /** Of an MP4 or QuickTime file, in order. */
  readonly tracks: readonly Mp4Track[];
  /** Where the content of its index is. */
  readonly movie?: FileRange;
  /** When a Matroska or WebM file was made, in seconds since 1904, as MP4 counts them. */
  readonly createdAt?: number;
  /** The bytes for the demuxer. */
  readonly source: ByteSource;
  readonly found: FoundInVideo;
}

/** Maximum size of a box with metadata at the top level; larger ones are not read. */
const MAX_ENTRY_BYTES = 2 ** 20;

/**
 * Hides the list of the positions of fragments, which the last four bytes of a file lead to: the demuxer then reads the
 * fragments in order.
 */
const withoutPositions = async (source: ByteSource): Promise<ByteSource> => {
  const { sizeBytes } = source;
  if (sizeBytes < 2 * HEADER_BYTES) return source;
  const at = sizeBytes - viewOf(await source.read(sizeBytes - 4, sizeBytes)).getUint32(0);
  if (at < 0 || at > sizeBytes - HEADER_BYTES) return source;
  const type = fourCharacters(await source.read(at + 4, at + HEADER_BYTES), 0);
  if (type !== 'mfra') return source;
  return withPatches(source, sizeBytes, [
    { at: at + 4, bytes: Uint8Array.from('free', (c) => c.charCodeAt(0)) },
  ]);
};

/**
 * Checks the boxes of an MP4 or QuickTime file before a demuxer reads it, and notes its metadata.
 *
 * Refuses files that are truncated, have no index, claim an index too large for memory, or refer to media in other
 * files.
 *
 * @param maxSamples maximum number of samples for each track
 * @throws UnreadableFile
 */
export const checkMp4 = async (source: ByteSource, maxSamples: number): Promise<CheckedVideo> => {
  let index: Mp4Index | undefined;
  let movie: FileRange | undefined;
  let fragmentSamples = 0;
  const kinds = new Set<MetadataKind>();
  const notes = createMetadataNoter((kind) => void kinds.add(kind));
  const readIndex = async ({ content, range }: TopBox): Promise<void> => {
    if (index) throw corruptStructure();
    movie = range;
    index = readMp4Index(await content(), maxSamples, source.sizeBytes, notes);
  };
  const readFragment = async (content: Promise<Uint8Array>): Promise<void> => {
    fragmentSamples += countFragmentSamples(await content, index?.fragments, source.sizeBytes);
    if (fragmentSamples > MP4_LIMITS.fragmentSamples) throw indexTooLarge();
  };
  const noteOther = async (type: string, content: Promise<Uint8Array>): Promise<void> => {
    const bytes = await content;
    notes.attempt(bytes, (noted) => noteBox(noted, { type, start: 0, end: bytes.byteLength }));
  };
  const end = await visitTopBoxes(source, (box) => {
    const { type, sizeBytes, content } = box;
    if (TABLES.includes(type) && sizeBytes > MP4_LIMITS.indexBytes) throw indexTooLarge();
    if (type === 'moov') return readIndex(box);
    if (type === 'moof') return readFragment(content());
    if (isStructure(type) || !notes.takesBox()) return undefined;
    if (sizeBytes <= MAX_ENTRY_BYTES) return noteOther(type, content());
    notes.note('other');
    return undefined;
  });
  if (end < source.sizeBytes) notes.note('trailer');
  const { tracks, counts, projection } = (index as Mp4Index | undefined) ?? {};
  if (tracks && counts) {
    const found = {
      ...(notes.isComplete() ? videoMetadata(kinds, counts) : {}),
      ...(projection && { projection }),
    };
    return { tracks, source: await withoutPositions(source), found, ...(movie && { movie }) };
  }
  throw new UnreadableFile('The video has no index (`moov`): it was not finished or is truncated.');
};
