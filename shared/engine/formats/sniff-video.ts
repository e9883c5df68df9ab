import type { VideoSupport } from '../../ports/engine';
import { hasCharacters, identifyFileKind } from '../../domain/file-kind';
import { UnreadableFile } from '../../domain/unreadable-file';
import type { VideoFormat } from '../../domain/video-format';

/** So much of a file's beginning tells what it is. */
export const VIDEO_HEAD_BYTES = 4096;

const EBML = '\x1a\x45\xdf\xa3';
const QUICKTIME_STARTS = ['ftypqt  ', 'moov', 'mdat', 'wide'];

const directFormat = (head: Uint8Array): VideoFormat | undefined => {
  if (QUICKTIME_STARTS.some((start) => hasCharacters(head, 4, start))) return 'mov';
  if (hasCharacters(head, 4, 'ftyp')) return 'mp4';
  if (!hasCharacters(head, 0, EBML)) return undefined;
  return new TextDecoder().decode(head.subarray(0, 64)).includes('webm') ? 'webm' : 'matroska';
};

/** How each format begins; what `identifyFileKind` takes for a video and none of these is a transport stream. */
const CONVERTED_STARTS: readonly (readonly [format: VideoFormat, characters: string])[] = [
  ['avi', 'RIFF'],
  ['asf', '\x30\x26\xb2\x75'],
  ['mpegps', '\0\0\x01\xba'],
  ['mpegvideo', '\0\0\x01\xb3'],
  ['flv', 'FLV'],
  ['ogg', 'OggS'],
];

const convertedFormat = (head: Uint8Array): VideoFormat =>
  CONVERTED_STARTS.find(([, characters]) => hasCharacters(head, 0, characters))?.[0] ?? 'mpegts';

const SUPPORTED = 'MP4, QuickTime, WebM and Matroska videos are supported';

export const notAVideo = (): UnreadableFile => new UnreadableFile(`The file is not a video; ${SUPPORTED}.`);

const DIRECTLY: VideoSupport = { takesVideo: true, convertsVideo: false };

const cannotReadVideos = (): UnreadableFile =>
  new UnreadableFile(
    'Videos cannot be processed here: install ffmpeg (with libx264) or the npm package @napi-rs/webcodecs, then start Veil again.',
  );

/**
 * Tells a video's container by its content, never by its name.
 *
 * Only containers that hold the video itself: a playlist is text, names other files and addresses, and is not a video
 * here.
 *
 * @param head the file's first `VIDEO_HEAD_BYTES`, or all of it
 * @param support what the host can do
 * @returns undefined where the file is no video
 * @throws UnreadableFile where it is one of a kind that is not read, or the host reads none
 */
export const sniffVideo = (
  head: Uint8Array,
  { takesVideo, convertsVideo } = DIRECTLY,
): VideoFormat | undefined => {
  const kind = identifyFileKind(head);
  if (!kind?.isVideo) return undefined;
  if (!takesVideo) throw cannotReadVideos();
  const format = directFormat(head);
  if (format) return format;
  if (convertsVideo) return convertedFormat(head);
  throw new UnreadableFile(`The file is ${kind.name}; ${SUPPORTED}, and others where ffmpeg is installed.`);
};
