/** Characters (Latin-1) that a file has at these offsets, all of them. */
export type Start = Readonly<Record<number, string>>;

interface FormatEntry {
  /** A bag holds messages of many topics, images among them. */
  readonly kind: 'image' | 'video' | 'bag';
  /** As sentences and lists call it. */
  readonly name: string;
  /** As a refusal names a file, where something else is wanted. */
  readonly title: string;
  readonly mediaType: string;
  /** The first one is that of stored and downloaded files. */
  readonly extensions: readonly [string, ...string[]];
  /** How a file begins: any of these. Of several formats that fit, the one with the most characters is meant. */
  readonly starts: readonly Start[];
  /** Also somewhere in its first 64 bytes. */
  readonly mentions?: string;
  /** Converted to MP4 first, on hosts with a converter. */
  readonly read: 'direct' | 'converted';
  /** Format of its result; that of an image with transparency is always PNG. */
  readonly result: 'jpeg' | 'png' | 'mp4' | 'mcap';
  /** Longest side that a file can have, in pixels, where an image of the size limits can be longer. */
  readonly maxSidePx?: number;
  /**
   * How many structures of one file are read at most: segments, chunks, blocks, boxes, fields, items. A structure of a
   * few bytes costs the reader an object or a step: without a limit, a small file keeps the thread busy or fills the
   * memory. Each limit is some times what the largest file of a camera, scanner or editor has.
   */
  readonly maxStructures?: number;
}

const EBML = '\x1a\x45\xdf\xa3';

const IMAGE = { kind: 'image', read: 'direct', result: 'jpeg' } as const;
const VIDEO = { kind: 'video', read: 'direct', result: 'mp4' } as const;
const CONVERTED = { ...VIDEO, read: 'converted' } as const;

/**
 * All formats that are read. Code of a format stands in tables with the same keys: readers of headers
 * (`engine/formats/read-header.ts`), decoders of each host, arguments of ffmpeg.
 */
export const FORMATS = {
  jpeg: {
    ...{ ...IMAGE, name: 'JPEG', title: 'a JPEG image' },
    ...{ mediaType: 'image/jpeg', extensions: ['jpg', 'jpeg', 'jpe', 'jfif'] },
    starts: [{ 0: '\xff\xd8\xff' }],
    // Segments, and markers without content. 256 MB of segments of 64 kB are 4,096.
    maxStructures: 16_384,
  },
  png: {
    ...{ ...IMAGE, name: 'PNG', title: 'a PNG image', mediaType: 'image/png', extensions: ['png'] },
    starts: [{ 0: '\x89PNG\r\n\x1a\n' }],
    result: 'png',
    // Chunks. Writers cut pixels into chunks of 8 kB and more: 32,768 in 256 MB.
    maxStructures: 65_536,
  },
  webp: {
    ...{ ...IMAGE, name: 'WebP', title: 'a WebP image' },
    ...{ mediaType: 'image/webp', extensions: ['webp'] },
    starts: [{ 0: 'RIFF', 8: 'WEBP' }],
    maxSidePx: 16_383,
    // Chunks; an animation, whose frames the refusal counts, has one for each frame.
    maxStructures: 16_384,
  },
  avif: {
    ...{ ...IMAGE, name: 'AVIF', title: 'an AVIF image' },
    ...{ mediaType: 'image/avif', extensions: ['avif'] },
    starts: [{ 4: 'ftypavif' }, { 4: 'ftypavis' }],
    // Of the encoder.
    maxSidePx: 16_384,
    // As HEIC: the same boxes.
    maxStructures: 32_768,
  },
  heic: {
    ...{ ...IMAGE, name: 'HEIC', title: 'a HEIC image' },
    ...{ mediaType: 'image/heic', extensions: ['heic', 'heif', 'hif'] },
    // The last three are files of all codings; the reader finds which one it is.
    starts: [{ 4: 'ftyphei' }, { 4: 'ftyphev' }, { 4: 'ftypmif' }, { 4: 'ftypmsf' }, { 4: 'ftypmiaf' }],
    // Boxes, items, extents, references and properties of items. libheif reads 1,000 items, which have about 12,000 in
    // the grid of a phone.
    maxStructures: 32_768,
  },
  tiff: {
    ...{ ...IMAGE, name: 'TIFF', title: 'a TIFF image' },
    ...{ mediaType: 'image/tiff', extensions: ['tif', 'tiff'] },
    starts: [{ 0: 'II*\0' }, { 0: 'MM\0*' }],
    // Fields of all directories; each has about 20.
    maxStructures: 65_536,
  },
  bmp: {
    ...{ ...IMAGE, name: 'BMP', title: 'a BMP image', mediaType: 'image/bmp', extensions: ['bmp'] },
    // The reserved field is zero: text that begins with "BM" does not match.
    starts: [{ 0: 'BM', 6: '\0\0\0\0' }],
  },
  gif: {
    ...{ ...IMAGE, name: 'GIF', title: 'a GIF image', mediaType: 'image/gif', extensions: ['gif'] },
    starts: [{ 0: 'GIF87a' }, { 0: 'GIF89a' }],
    // Images and extensions; an animation, whose frames the refusal counts, has two or three for each frame.
    maxStructures: 65_536,
  },
  mp4: {
    ...{ ...VIDEO, name: 'MP4', title: 'an MP4 video' },
    ...{ mediaType: 'video/mp4', extensions: ['mp4', 'm4v'] },
    starts: [{ 4: 'ftyp' }],
    // Boxes in the index: a track has about 25, and metadata some hundred.
    maxStructures: 20_000,
  },
  mov: {
    ...{ ...VIDEO, name: 'QuickTime', title: 'a QuickTime video' },
    ...{ mediaType: 'video/quicktime', extensions: ['mov', 'qt'] },
    starts: [{ 4: 'ftypqt  ' }, { 4: 'moov' }, { 4: 'mdat' }, { 4: 'wide' }],
    maxStructures: 20_000,
  },
  webm: {
    ...{ ...VIDEO, name: 'WebM', title: 'a WebM or Matroska video' },
    ...{ mediaType: 'video/webm', extensions: ['webm'] },
    starts: [{ 0: EBML }],
    mentions: 'webm',
    maxStructures: 20_000,
  },
  matroska: {
    ...{ ...VIDEO, name: 'Matroska', title: 'a WebM or Matroska video' },
    ...{ mediaType: 'video/x-matroska', extensions: ['mkv'] },
    starts: [{ 0: EBML }],
    // Elements in info, tracks and tags: a track has about 20, and programs add some tags for each.
    maxStructures: 20_000,
  },
  avi: {
    ...{ ...CONVERTED, name: 'AVI', title: 'an AVI video' },
    ...{ mediaType: 'video/x-msvideo', extensions: ['avi'] },
    starts: [{ 0: 'RIFF', 8: 'AVI ' }],
  },
  asf: {
    ...{ ...CONVERTED, name: 'WMV', title: 'a Windows Media video' },
    ...{ mediaType: 'video/x-ms-wmv', extensions: ['wmv', 'asf'] },
    starts: [{ 0: '\x30\x26\xb2\x75\x8e\x66\xcf\x11' }],
  },
  mpegps: {
    ...{ ...CONVERTED, name: 'MPEG', title: 'an MPEG video' },
    ...{ mediaType: 'video/mpeg', extensions: ['mpg', 'mpeg'] },
    starts: [{ 0: '\0\0\x01\xba' }],
  },
  mpegvideo: {
    ...{ ...CONVERTED, name: 'MPEG', title: 'an MPEG video', mediaType: 'video/mpv', extensions: ['mpv'] },
    starts: [{ 0: '\0\0\x01\xb3' }],
  },
  flv: {
    ...{ ...CONVERTED, name: 'Flash', title: 'a Flash video' },
    ...{ mediaType: 'video/x-flv', extensions: ['flv'] },
    starts: [{ 0: 'FLV\x01' }],
  },
  ogg: {
    ...{ ...CONVERTED, name: 'Ogg', title: 'an Ogg file', mediaType: 'video/ogg', extensions: ['ogv'] },
    starts: [{ 0: 'OggS\0' }],
  },
  mpegts: {
    ...{ ...CONVERTED, name: 'MPEG transport stream', title: 'an MPEG transport stream' },
    ...{ mediaType: 'video/mp2t', extensions: ['ts', 'm2ts', 'mts'] },
    starts: [
      // The sync byte repeats every 188 bytes.
      { 0: 'G', 188: 'G', 376: 'G' },
      // Cameras write a timestamp of 4 bytes before each packet.
      { 4: 'G', 196: 'G', 388: 'G' },
    ],
  },
  mcap: {
    ...{ kind: 'bag', read: 'direct', result: 'mcap', name: 'MCAP', title: 'an MCAP bag' },
    ...{ mediaType: 'application/vnd.mcap', extensions: ['mcap'] },
    starts: [{ 0: '\x89MCAP0\r\n' }],
  },
} as const satisfies Record<string, FormatEntry>;

export type Format = keyof typeof FORMATS;
type OfKind<Kind> = { [Name in Format]: (typeof FORMATS)[Name]['kind'] extends Kind ? Name : never }[Format];
export type ImageSourceFormat = OfKind<'image'>;
export type VideoFormat = OfKind<'video'>;
export type BagFormat = OfKind<'bag'>;
/** Formats in which results of images are written; a host may lack some of them. */
export const IMAGE_RESULT_FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const satisfies ImageSourceFormat[];
export type ImageFormat = (typeof IMAGE_RESULT_FORMATS)[number];
/** Formats in which results are written. */
export type ResultFormat = ImageFormat | 'mp4' | BagFormat;

const NAMES = Object.keys(FORMATS) as Format[];
export const isVideoFormat = (format: Format): format is VideoFormat => FORMATS[format].kind === 'video';
const isImageFormat = (format: Format): format is ImageSourceFormat => FORMATS[format].kind === 'image';
export const isBagFormat = (format: Format): format is BagFormat => FORMATS[format].kind === 'bag';
export const IMAGE_SOURCE_FORMATS: readonly ImageSourceFormat[] = NAMES.filter(isImageFormat);
export const VIDEO_FORMATS: readonly VideoFormat[] = NAMES.filter(isVideoFormat);
/** Formats of bags, which the command and the page read. */
export const BAG_FORMATS: readonly BagFormat[] = NAMES.filter(isBagFormat);
export const isReadDirectly = (format: Format): boolean => FORMATS[format].read === 'direct';

/** The format of a recorded media type. */
export const formatOfType = (mediaType: string): Format =>
  NAMES.find((format) => FORMATS[format].mediaType === mediaType) ?? 'jpeg';

/** Most files with this extension are programs. */
const AMBIGUOUS = 'ts';

/** Extensions by which files of a format are recognised before they are read. */
const tellingExtensions = (format: Format): readonly string[] =>
  FORMATS[format].extensions.filter((extension) => extension !== AMBIGUOUS);

/** Whether a file is named like one of these formats. */
export const hasExtensionOf = (formats: readonly Format[], name: string): boolean => {
  const extension = /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && formats.some((format) => tellingExtensions(format).includes(extension));
};

/** Media types and extensions of formats, as file inputs take them: some systems know no type for some of them. */
export const acceptedFiles = (formats: readonly Format[]): string =>
  formats
    .flatMap((format) => [FORMATS[format].mediaType, ...tellingExtensions(format).map((each) => `.${each}`)])
    .join(',');
