import type { MetadataKind } from '../../../domain/image-header';
import { hasCharacters } from '../bytes';
import { kindOfRest, type RebuiltConfig } from './rebuilt-config';
import { kindsOfComments } from './vorbis-comments';

const MARKER = 'fLaC';
const HEAD_BYTES = 4;
const STREAM_BYTES = 34;
const LAST = 0x80;
/** Types of metadata blocks. @see RFC 9639, section 8.1 */
const BLOCK = { stream: 0, padding: 1, seekTable: 3, comments: 4, cueSheet: 5, picture: 6 } as const;

const kindsOfBlock = (type: number, content: Uint8Array): readonly MetadataKind[] => {
  if (type === BLOCK.stream || type === BLOCK.seekTable) return [];
  if (type === BLOCK.padding) return kindOfRest(content);
  if (type === BLOCK.comments) return kindsOfComments(content);
  if (type === BLOCK.cueSheet) return ['chapters'];
  return [type === BLOCK.picture ? 'thumbnail' : 'other'];
};

/** The kinds of all blocks behind the stream information, and of bytes behind the blocks. */
const kindsBehind = (config: Uint8Array, start: number): readonly MetadataKind[] => {
  const kinds = new Set<MetadataKind>();
  let at = start;
  for (
    let isLast = ((config[HEAD_BYTES] ?? 0) & LAST) !== 0;
    !isLast && at + HEAD_BYTES <= config.byteLength;
  ) {
    const [head = 0, high = 0, middle = 0, low = 0] = config.subarray(at, at + HEAD_BYTES);
    const end = at + HEAD_BYTES + (high << 16) + (middle << 8) + low;
    for (const kind of kindsOfBlock(head % LAST, config.subarray(at + HEAD_BYTES, end))) kinds.add(kind);
    isLast = head >= LAST;
    at = end;
  }
  for (const kind of kindOfRest(config.subarray(at))) kinds.add(kind);
  return [...kinds];
};

/**
 * Rebuilds the configuration of FLAC from the stream information: no comments, pictures and other blocks.
 *
 * @returns undefined where the stream information is missing
 * @see RFC 9639, section 8
 */
export const rebuildFlacConfig = (config: Uint8Array): RebuiltConfig | undefined => {
  const end = MARKER.length + HEAD_BYTES + STREAM_BYTES;
  if (!hasCharacters(config, 0, MARKER) || config.byteLength < end) return undefined;
  const [head = 0, high, middle, low] = config.subarray(MARKER.length, MARKER.length + HEAD_BYTES);
  if (head % LAST !== BLOCK.stream || high !== 0 || middle !== 0 || low !== STREAM_BYTES) return undefined;
  const bytes = config.slice(0, end);
  bytes[MARKER.length] = LAST;
  return { bytes, removed: kindsBehind(config, end) };
};
