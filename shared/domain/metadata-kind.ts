/** Kinds of metadata, in the order of their importance for the privacy of persons in the image. */
export const METADATA_KINDS = [
  /** GPS position. */
  'place',
  /** A small copy of the image, which redaction of the pixels does not change. */
  'thumbnail',
  /** Further images in the same file (MPF): previews, depth maps. */
  'other-pictures',
  /** Bytes after the end of the image: a phone's motion clip, a gain map. */
  'trailer',
  /** EXIF: camera, settings, dates, names. */
  'exif',
  /** Data in a format of the camera's maker: often a serial number or a preview. */
  'maker-notes',
  'xmp',
  /** Captions, names, places: IPTC and other data of Photoshop. */
  'iptc',
  'text',
  'time',
  'colour-profile',
  /** Any other data that is not needed to show the image. */
  'other',
] as const;
export type MetadataKind = (typeof METADATA_KINDS)[number];
