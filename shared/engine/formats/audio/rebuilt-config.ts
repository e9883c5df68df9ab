import type { MetadataKind } from '../../../domain/image-header';
import { kindOfName } from '../metadata-names';

/** The configuration of a codec with nothing but the fields that its decoder needs. */
export interface RebuiltConfig {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Kinds of data that the original contains besides. */
  readonly removed: readonly MetadataKind[];
}

/** The kind of bytes behind the end of a configuration: none if they are empty. */
export const kindOfRest = (rest: Uint8Array): readonly MetadataKind[] =>
  rest.some((byte) => byte !== 0) ? ['other'] : [];

const LENGTH_BYTES = 4;
/** Longest name of a comment that is read. */
const MAX_NAME_BYTES = 64;
/** Behind the comments of Vorbis, but not of FLAC. */
const FRAMING_BYTES = 1;

const nameOf = (comment: Uint8Array): string => {
  const [name = ''] = String.fromCharCode(...comment.subarray(0, MAX_NAME_BYTES)).split('=', 1);
  return name === 'METADATA_BLOCK_PICTURE' ? 'cover' : name;
};

/**
 * The kinds of the entries in a comment header of Vorbis, Opus or FLAC.
 *
 * @param comments from the length of the vendor's name on
 * @see https://xiph.org/vorbis/doc/v-comment.html
 */
export const kindsOfComments = (comments: Uint8Array): readonly MetadataKind[] => {
  const view = new DataView(comments.buffer, comments.byteOffset, comments.byteLength);
  const kinds = new Set<MetadataKind>();
  let at = 0;
  const next = (): Uint8Array | undefined => {
    if (at + LENGTH_BYTES > comments.byteLength) return undefined;
    const start = at + LENGTH_BYTES;
    at = start + view.getUint32(at, true);
    return comments.subarray(start, at);
  };
  // The name of the program that encoded the audio.
  if (next()?.byteLength) kinds.add('device');
  at += LENGTH_BYTES; // number of comments: they are read as far as they go
  for (let left = at <= comments.byteLength ? view.getUint32(at - LENGTH_BYTES, true) : 0; left > 0; left--) {
    const comment = next();
    if (!comment) break;
    kinds.add(kindOfName(nameOf(comment)));
  }
  return [...kinds, ...kindOfRest(comments.subarray(at + FRAMING_BYTES))];
};
