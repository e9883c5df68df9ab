import {
  type BagFormat,
  type Format,
  type ImageSourceFormat,
  type Start,
  type VideoFormat,
  BAG_FORMATS,
  FORMATS,
  IMAGE_SOURCE_FORMATS,
  isReadDirectly,
  isVideoFormat,
  VIDEO_FORMATS,
} from '../../catalogue/formats';
import { UnreadableFile } from '../../domain/failure';
import type { CommonOptions } from '../../catalogue/derive-parameters';
import { resultFormatOf, type ImageHeader } from '../../domain/image-header';
import type { Size } from '../../domain/raster';
import type { ImageFormat } from '../../ports/engine';
import type { ImageSupport, VideoSupport } from '../../ports/host-engine';
import { hasCharacters } from './bytes';

/** Bytes at the beginning of a file that are enough to recognise it. */
export const HEAD_BYTES = 4096;

/** Files that are no videos and are not read, as the refusal names them. */
const UNREAD: readonly (readonly [title: string, ...starts: Start[]])[] = [
  ['a GIF image', { 0: 'GIF8' }],
  ['a Canon raw image', { 4: 'ftypcrx' }],
  ['a TIFF image', { 0: 'II+\0' }, { 0: 'MM\0+' }],
  ['an icon', { 0: '\0\0\x01\0' }],
  ['a JPEG XL image', { 0: '\xff\x0a' }, { 0: '\0\0\0\x0cJXL ' }],
  ['a JPEG 2000 image', { 0: '\0\0\0\x0cjP  ' }, { 0: '\xff\x4f\xff\x51' }],
  ['a Photoshop image', { 0: '8BPS' }],
  ['a PDF document', { 0: '%PDF-' }],
  ['an MCAP bag', ...FORMATS.mcap.starts],
  ['a ROS 1 bag', { 0: '#ROSBAG V' }],
  ['an SQLite database', { 0: 'SQLite format 3\0' }],
];

/** Bytes in which the format is mentioned. */
const MENTION_BYTES = 64;

const fits = (head: Uint8Array, start: Start): boolean =>
  Object.entries(start).every(([offset, characters]) => hasCharacters(head, Number(offset), characters));

/** Number of characters by which a file is recognised; 0: it is of another format. */
const fit = (head: Uint8Array, format: Format): number => {
  const { starts, mentions = '' }: { readonly starts: readonly Start[]; readonly mentions?: string } =
    FORMATS[format];
  const start = starts.find((each) => fits(head, each));
  if (!start || !new TextDecoder().decode(head.subarray(0, MENTION_BYTES)).includes(mentions)) return 0;
  return Object.values(start).join('').length + mentions.length;
};

const bestOf = <Name extends Format>(head: Uint8Array, formats: readonly Name[]): Name | undefined =>
  formats
    .map((format) => ({ format, weight: fit(head, format) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)[0]?.format;

const isSvg = (head: Uint8Array): boolean => {
  // The `<svg` tag may follow comments and a doctype.
  const prologue = new TextDecoder().decode(head.subarray(0, HEAD_BYTES)).trimStart();
  return prologue.startsWith('<') && /<svg[\s>]/i.test(prologue);
};

/** What a file that is not read is called, where that is known. */
const unreadKind = (head: Uint8Array): string | undefined =>
  UNREAD.find(([, ...starts]) => (starts as readonly Start[]).some((start) => fits(head, start)))?.[0] ??
  (isSvg(head) ? 'an SVG drawing' : undefined);

/**
 * Recognises a file by its content.
 *
 * The file name is not reliable: phones name HEIC files `.jpg`, and people rename files. Only containers that hold the
 * video itself count: a playlist is a text that names other files and addresses.
 *
 * @param head the file's first `HEAD_BYTES`, or all of it
 */
export const recogniseFormat = (head: Uint8Array): ImageSourceFormat | VideoFormat | undefined =>
  bestOf(head, IMAGE_SOURCE_FORMATS) ?? (unreadKind(head) ? undefined : bestOf(head, VIDEO_FORMATS));

/** Recognises a bag, which other functions here do not. */
export const recogniseBag = (head: Uint8Array): BagFormat | undefined => bestOf(head, BAG_FORMATS);

/** Whether a file that is not read is of a known kind. */
export const isKnownKind = (head: Uint8Array): boolean => unreadKind(head) !== undefined;

const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const namesOf = (formats: readonly Format[]): string => listed(formats.map((format) => FORMATS[format].name));
const IMAGES = `${namesOf(IMAGE_SOURCE_FORMATS)} images are supported`;
const VIDEOS = `${namesOf(VIDEO_FORMATS.filter(isReadDirectly))} videos are supported`;

/** Why a file that is no image is refused. @param head its first bytes are enough */
export const unsupportedFile = (head: Uint8Array): UnreadableFile => {
  if (head.length === 0) return new UnreadableFile('The file is empty.');
  const format = recogniseFormat(head);
  const kind = format ? FORMATS[format].title : (unreadKind(head) ?? 'not an image');
  return new UnreadableFile(`The file is ${kind}; ${IMAGES}.`);
};

export const notAVideo = (): UnreadableFile => new UnreadableFile(`The file is not a video; ${VIDEOS}.`);

const DIRECTLY: VideoSupport = { takesVideo: true, convertsVideo: false };

/**
 * Checks that a host can read a video.
 *
 * @param support of the host
 * @throws UnreadableFile
 */
export const requireSupport = (format: VideoFormat, { takesVideo, convertsVideo } = DIRECTLY): void => {
  if (!takesVideo) {
    throw new UnreadableFile(
      'Videos cannot be processed here: install ffmpeg (with libx264) or the npm package @napi-rs/webcodecs, then start Veil again.',
    );
  }
  if (isReadDirectly(format) || convertsVideo) return;
  throw new UnreadableFile(
    `The file is ${FORMATS[format].title}; ${VIDEOS}, and others where ffmpeg is installed.`,
  );
};

/** The image whose result is written, and what its client wants. */
interface WantedResult {
  readonly header: Pick<ImageHeader, 'format' | 'hasAlpha'> & Partial<Size>;
  readonly wanted?: CommonOptions['resultFormat'] | undefined;
}

/**
 * The format in which the result of an image is written.
 *
 * @throws UnreadableFile where the host does not write it, or not in this size
 */
export const requireResultFormat = (
  { header, wanted }: WantedResult,
  { writtenFormats }: ImageSupport,
): ImageFormat => {
  const format = resultFormatOf(header, wanted);
  const written = writtenFormats.find((each) => each === format);
  if (!written) {
    const { name } = FORMATS[format];
    throw new UnreadableFile(
      `Results cannot be written as ${name} here; ${namesOf(writtenFormats)} are possible.`,
    );
  }
  const { name, maxSidePx = Infinity }: { readonly name: string; readonly maxSidePx?: number } =
    FORMATS[written];
  if (Math.max(header.width ?? 0, header.height ?? 0) > maxSidePx) {
    throw new UnreadableFile(
      `The image is too large for a result in ${name}: at most ${maxSidePx} pixels a side.`,
    );
  }
  return written;
};

/** Recognises a video. @returns undefined if the file is none @throws UnreadableFile if the host does not read it */
export const recogniseVideo = (head: Uint8Array, support = DIRECTLY): VideoFormat | undefined => {
  const format = recogniseFormat(head);
  if (!format || !isVideoFormat(format)) return undefined;
  requireSupport(format, support);
  return format;
};
