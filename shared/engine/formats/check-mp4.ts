import type { ByteSource } from '../../ports/video';
import { viewOf } from './mp4-boxes';
import { countFragmentSamples, readMp4Index, type Mp4Track } from './mp4-index';
import {
  corruptStructure,
  indexTooLarge,
  truncatedVideo,
  UnreadableFile,
} from '../../domain/unreadable-file';

const HEADER_BYTES = 16;
/** Size 1 in a box's header: the 8 bytes after the type are the size. */
const SIZE_FOLLOWS = 1;
/** Size 0: the box ends with the file. */
const TO_THE_END = 0;
/** Maximum number of top-level boxes: a file may have thousands of fragments, with some boxes each. */
const MAX_BOXES = 200_000;
/** Maximum size of an index: about ten hours of video. Parsing takes several times this size in memory. */
const MAX_INDEX_BYTES = 64 * 1024 ** 2;
/** Maximum number of samples in all fragments: a day of video and audio. */
const MAX_FRAGMENT_SAMPLES = 2 ** 24;

interface TopBox {
  readonly type: string;
  readonly headerBytes: number;
  readonly sizeBytes: number;
}

const readBox = async (source: ByteSource, at: number): Promise<TopBox> => {
  const head = await source.read(at, Math.min(at + HEADER_BYTES, source.sizeBytes));
  if (head.byteLength < 8) throw truncatedVideo();
  const view = viewOf(head);
  const type = String.fromCharCode(...head.subarray(4, 8));
  const size = view.getUint32(0);
  if (size === TO_THE_END) return { type, headerBytes: 8, sizeBytes: source.sizeBytes - at };
  if (size !== SIZE_FOLLOWS) return { type, headerBytes: 8, sizeBytes: size };
  if (head.byteLength < HEADER_BYTES) throw truncatedVideo();
  return { type, headerBytes: HEADER_BYTES, sizeBytes: Number(view.getBigUint64(8)) };
};

/** Iterates over the top-level boxes. Bytes that other programs append after a complete video are ignored. */
async function* readBoxes(source: ByteSource): AsyncGenerator<TopBox & { readonly at: number }> {
  let hasIndex = false;
  let count = 0;
  for (let at = 0; at < source.sizeBytes; count++) {
    const box = await readBox(source, at);
    if (box.sizeBytes < box.headerBytes || count > MAX_BOXES || !/^[\x20-\x7e\xa9]{4}$/.test(box.type)) {
      if (hasIndex && count <= MAX_BOXES) return;
      throw corruptStructure();
    }
    if (at + box.sizeBytes > source.sizeBytes) throw truncatedVideo();
    hasIndex ||= box.type === 'moov';
    yield { ...box, at };
    at += box.sizeBytes;
  }
}

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
  for await (const { type, at, headerBytes, sizeBytes } of readBoxes(source)) {
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
