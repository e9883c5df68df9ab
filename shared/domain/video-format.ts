/** Containers that are read directly. */
const DIRECT_FORMATS = ['mp4', 'mov', 'webm', 'matroska'] as const;
/** Containers that are converted to MP4 first, on hosts with a converter. */
const CONVERTED_FORMATS = ['avi', 'asf', 'mpegts', 'mpegps', 'mpegvideo', 'flv', 'ogg'] as const;
export const VIDEO_FORMATS = [...DIRECT_FORMATS, ...CONVERTED_FORMATS] as const;
export type VideoFormat = (typeof VIDEO_FORMATS)[number];

export const isReadDirectly = (format: VideoFormat): boolean =>
  (DIRECT_FORMATS as readonly string[]).includes(format);
