import type { ByteSource } from '../../ports/video';
import type { MetadataKind } from '../../domain/image-header';
import type { FoundInVideo } from '../../domain/provenance';
import { fourCharacters, viewOf } from './bytes';
import { countFragmentSamples } from './mp4-fragments';
import { readMp4Index, type Mp4Index, type Mp4Track } from './mp4-index';
import { createMetadataNoter, isStructure, noteBox } from './mp4-metadata';
import { visitTopBoxes } from './mp4-top-boxes';
import { withPatches } from './patched-source';
import { videoMetadata } from './noted-metadata';
import { MP4_LIMITS } from './video-structure-limits';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/failure';

const TABLES = ['moov', 'moof', 'mfra', 'sidx'];

/** A file whose structure is safe to read. */
export interface CheckedVideo {
  /** Of an MP4 or QuickTime file. */
  readonly tracks: readonly Mp4Track[];
  /** The bytes for the demuxer. */
  readonly source: ByteSource;
  readonly found: FoundInVideo;
}

/** Maximum size of a box with metadata at the top level; larger ones are not read. */
const MAX_ENTRY_BYTES = 2 ** 20;
/** Bytes of the size and the type of a box. */
const HEADER_BYTES = 8;

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
  let fragmentSamples = 0;
  const kinds = new Set<MetadataKind>();
  const notes = createMetadataNoter((kind) => void kinds.add(kind));
  const readIndex = async (content: Promise<Uint8Array>): Promise<void> => {
    if (index) throw corruptStructure();
    index = readMp4Index(await content, maxSamples, source.sizeBytes, notes);
  };
  const readFragment = async (content: Promise<Uint8Array>): Promise<void> => {
    fragmentSamples += countFragmentSamples(await content, index?.sampleBytes, source.sizeBytes);
    if (fragmentSamples > MP4_LIMITS.fragmentSamples) throw indexTooLarge();
  };
  const noteOther = async (type: string, content: Promise<Uint8Array>): Promise<void> => {
    const bytes = await content;
    notes.attempt(bytes, (noted) => noteBox(noted, { type, start: 0, end: bytes.byteLength }));
  };
  const end = await visitTopBoxes(source, ({ type, sizeBytes, content }) => {
    if (TABLES.includes(type) && sizeBytes > MP4_LIMITS.indexBytes) throw indexTooLarge();
    if (type === 'moov') return readIndex(content());
    if (type === 'moof') return readFragment(content());
    if (isStructure(type) || !notes.takesBox()) return undefined;
    if (sizeBytes <= MAX_ENTRY_BYTES) return noteOther(type, content());
    notes.note('other');
    return undefined;
  });
  if (end < source.sizeBytes) notes.note('trailer');
  const { tracks, counts } = (index as Mp4Index | undefined) ?? {};
  if (tracks && counts) {
    const found = notes.isComplete() ? videoMetadata(kinds, counts) : {};
    return { tracks, source: await withoutPositions(source), found };
  }
  throw new UnreadableFile('The video has no index (`moov`): it was not finished or is truncated.');
};
