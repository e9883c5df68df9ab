/** Kinds of metadata, in the order of their importance for the privacy of persons in the image or video. */
export const METADATA_KINDS = [
  /** GPS position. */
  'place',
  /** Tracks of a video with measurements: GPS positions, motion, detected faces. */
  'telemetry',
  /** A small copy of the image, which redaction of the pixels does not change. */
  'thumbnail',
  /** Further images in the same file (MPF): previews, depth maps. Further video tracks of a video. */
  'other-pictures',
  /** Bytes after the end of the image or video: a phone's motion clip, a gain map. */
  'trailer',
  /** EXIF: camera, settings, dates, names. */
  'exif',
  /** Data in a format of the camera's maker: often a serial number or a preview. */
  'maker-notes',
  /** Camera, its settings and programs, as a video names them. */
  'device',
  'xmp',
  /** Captions, names, places: IPTC and other data of Photoshop. */
  'iptc',
  /** Subtitles, captions and other text tracks of a video. */
  'subtitles',
  /** Names and times of the chapters of a video. */
  'chapters',
  'text',
  'time',
  'colour-profile',
  /** Any other data that is not needed to show the image. */
  'other',
] as const;
export type MetadataKind = (typeof METADATA_KINDS)[number];
