import type { ByteSource } from '../../ports/video';
import { charactersAt, viewOf } from './mp4-boxes';
import { countFragmentSamples } from './mp4-fragments';
import { readMp4Index, type Mp4Index, type Mp4Track } from './mp4-index';
import { visitTopBoxes } from './mp4-top-boxes';
import { withPatches } from './patched-source';
import { MP4_LIMITS } from './video-structure-limits';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/unreadable-file';

const TABLES = ['moov', 'moof', 'mfra', 'sidx'];

/** A file whose structure is safe to read. */
export interface CheckedMp4 {
  readonly tracks: readonly Mp4Track[];
  /** The bytes for the demuxer. */
  readonly source: ByteSource;
}

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
  const type = charactersAt(await source.read(at + 4, at + HEADER_BYTES), 0);
  if (type !== 'mfra') return source;
  return withPatches(source, sizeBytes, [
    { at: at + 4, bytes: Uint8Array.from('free', (c) => c.charCodeAt(0)) },
  ]);
};

/**
 * Checks the boxes of an MP4 or QuickTime file before a demuxer reads it.
 *
 * Refuses files that are truncated, have no index, claim an index too large for memory, or refer to media in other
 * files.
 *
 * @param maxSamples maximum number of samples for each track
 * @throws UnreadableFile
 */
export const checkMp4 = async (source: ByteSource, maxSamples: number): Promise<CheckedMp4> => {
  let index: Mp4Index | undefined;
  let fragmentSamples = 0;
  const readIndex = async (content: Promise<Uint8Array>): Promise<void> => {
    if (index) throw corruptStructure();
    index = readMp4Index(await content, maxSamples, source.sizeBytes);
  };
  const readFragment = async (content: Promise<Uint8Array>): Promise<void> => {
    fragmentSamples += countFragmentSamples(await content, index?.sampleBytes, source.sizeBytes);
    if (fragmentSamples > MP4_LIMITS.fragmentSamples) throw indexTooLarge();
  };
  await visitTopBoxes(source, ({ type, sizeBytes, content }) => {
    if (TABLES.includes(type) && sizeBytes > MP4_LIMITS.indexBytes) throw indexTooLarge();
    if (type === 'moov') return readIndex(content());
    return type === 'moof' ? readFragment(content()) : undefined;
  });
  const { tracks } = (index as Mp4Index | undefined) ?? {};
  if (tracks) return { tracks, source: await withoutPositions(source) };
  throw new UnreadableFile('The video has no index (`moov`): it was not finished or is truncated.');
};
