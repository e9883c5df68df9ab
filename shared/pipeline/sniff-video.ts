import { hasCharacters, identifyFileKind } from './file-kind';
import { UnreadableFile } from './unreadable-file';

export const VIDEO_FORMATS = ['mp4', 'mov', 'webm', 'matroska'] as const;
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

/** So much of a file's beginning tells what it is. */
export const VIDEO_HEAD_BYTES = 4096;

const EBML = '\x1a\x45\xdf\xa3';
const QUICKTIME_STARTS = ['ftypqt  ', 'moov', 'mdat', 'wide'];

const formatOfHead = (head: Uint8Array): VideoFormat | undefined => {
  if (QUICKTIME_STARTS.some((start) => hasCharacters(head, 4, start))) return 'mov';
  if (hasCharacters(head, 4, 'ftyp')) return 'mp4';
  if (!hasCharacters(head, 0, EBML)) return undefined;
  return new TextDecoder().decode(head.subarray(0, 64)).includes('webm') ? 'webm' : 'matroska';
};

const SUPPORTED = 'MP4, QuickTime, WebM and Matroska videos are supported';

export const notAVideo = (): UnreadableFile => new UnreadableFile(`The file is not a video; ${SUPPORTED}.`);

/**
 * Tells a video's container by its content, never by its name.
 *
 * Only containers that hold the video itself: a playlist is text, names other files and addresses, and is not a video
 * here.
 *
 * @param head the file's first `VIDEO_HEAD_BYTES`, or all of it
 * @returns undefined where the file is no video
 * @throws UnreadableFile where it is one of a kind that is not read
 */
export const sniffVideo = (head: Uint8Array): VideoFormat | undefined => {
  const kind = identifyFileKind(head);
  if (!kind?.isVideo) return undefined;
  const format = formatOfHead(head);
  if (format) return format;
  throw new UnreadableFile(`The file is ${kind.name}; ${SUPPORTED}.`);
};
