import { VIDEO_FORMATS, type VideoFormat } from '../../domain/video-format';
import type { ImageSourceFormat } from '../../domain/image-source';
import { IMAGE_FORMATS } from './image-formats';

export type SourceFormat = ImageSourceFormat | VideoFormat;

/** What each format of an upload is called, in HTTP and on disk. */
export const SOURCE_FORMATS = {
  ...IMAGE_FORMATS,
  mp4: { contentType: 'video/mp4', extension: 'mp4' },
  mov: { contentType: 'video/quicktime', extension: 'mov' },
  webm: { contentType: 'video/webm', extension: 'webm' },
  matroska: { contentType: 'video/x-matroska', extension: 'mkv' },
  avi: { contentType: 'video/x-msvideo', extension: 'avi' },
  asf: { contentType: 'video/x-ms-wmv', extension: 'wmv' },
  mpegts: { contentType: 'video/mp2t', extension: 'ts' },
  mpegps: { contentType: 'video/mpeg', extension: 'mpg' },
  mpegvideo: { contentType: 'video/mpv', extension: 'mpv' },
  flv: { contentType: 'video/x-flv', extension: 'flv' },
  ogg: { contentType: 'video/ogg', extension: 'ogv' },
} as const satisfies Record<SourceFormat, { contentType: string; extension: string }>;

export const isVideoFormat = (format: SourceFormat): format is VideoFormat =>
  (VIDEO_FORMATS as readonly string[]).includes(format);

export const videoFormatOf = (contentType: string): VideoFormat =>
  VIDEO_FORMATS.find((format) => SOURCE_FORMATS[format].contentType === contentType) ?? 'mp4';
