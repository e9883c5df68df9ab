import type { ByteSource } from '../../ports/video';
import { countFragmentSamples, readMp4Index, type Mp4Track } from './mp4-index';
import { topBoxes } from './mp4-top-boxes';
import { corruptStructure, indexTooLarge, UnreadableFile } from '../../domain/unreadable-file';

/** Maximum size of an index: about ten hours of video. Parsing takes several times this size in memory. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
/** Maximum number of samples in all fragments: a day of video and audio. */
const MAX_FRAGMENT_SAMPLES = 2 ** 24;

const TABLES = ['moov', 'moof', 'mfra', 'sidx'];

/**
 * Checks the boxes of an MP4 or QuickTime file before a demuxer reads it.
 *
 * Refuses files that are truncated, have no index, claim an index too large for memory, or refer to media in other
 * files.
 *
 * @param maxSamples maximum number of samples for each track
 * @returns the tracks
 * @throws UnreadableFile
 */
export const checkMp4 = async (source: ByteSource, maxSamples: number): Promise<readonly Mp4Track[]> => {
  let tracks: readonly Mp4Track[] | undefined;
  let fragmentSamples = 0;
  for await (const { type, at, headerBytes, sizeBytes } of topBoxes(source)) {
    if (TABLES.includes(type) && sizeBytes > MAX_INDEX_BYTES) throw indexTooLarge();
    const content = () => source.read(at + headerBytes, at + sizeBytes);
    if (type === 'moov') {
      if (tracks) throw corruptStructure();
      tracks = readMp4Index(await content(), maxSamples);
    } else if (type === 'moof') {
      fragmentSamples += countFragmentSamples(await content());
      if (fragmentSamples > MAX_FRAGMENT_SAMPLES) throw indexTooLarge();
    }
  }
  if (tracks) return tracks;
  throw new UnreadableFile('The video has no index (`moov`): it was not finished or is truncated.');
};
