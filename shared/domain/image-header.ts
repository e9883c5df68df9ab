import { FORMATS, type ImageSourceFormat } from '../catalogue/formats';
import type { CommonOptions } from '../catalogue/derive-parameters';
import { hdrTransferOf, type HdrTransfer } from './hdr';
import type { Projection } from './projection';
import type { Size } from './raster';

/** What identifies a file by its bytes. */
export interface FileFacts {
  /** Of all bytes, as 64 hexadecimal digits. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A model that took part in processing. */
export interface UsedModel {
  /** In the manifest. */
  readonly id: string;
  readonly sha256: string;
}

/** Numbers of the tracks of a video. */
export interface TrackCounts {
  readonly video: number;
  readonly audio: number;
  /** Subtitles, captions and other text. */
  readonly subtitles: number;
  /** All others: measurements, timecodes, chapters. */
  readonly data: number;
}

/** How a file was processed, recorded at that time for reports. */
export interface Provenance {
  /** Version of Veil. */
  readonly version: string;
  readonly source: FileFacts;
  readonly models: readonly UsedModel[];
  /** Kinds of metadata in the source; absent where they were not searched. */
  readonly sourceMetadata?: readonly MetadataKind[];
  /** Tracks of the source; absent for images, and where they were not counted. */
  readonly sourceTracks?: TrackCounts;
  /** What a video says of its projection; absent for images. */
  readonly projection?: Projection;
}

/** Metadata and tracks of a video; nothing where they are not known: an incomplete list would claim too little. */
export type FoundInVideo = Pick<Provenance, 'sourceMetadata' | 'sourceTracks' | 'projection'>;

/** Each model of several runs once. */
export const unitedModels = (runs: readonly (readonly UsedModel[])[]): readonly UsedModel[] => [
  ...new Map(runs.flat().map((model) => [`${model.id} ${model.sha256}`, model])).values(),
];

/** One time that edits replaced a result. */
export interface AppliedEdits {
  readonly atMs: number;
  /** Version of Veil that rendered the result. */
  readonly version: string;
  /** The person who decided them, if the edits named one. */
  readonly reviewer?: string;
  /** How many objects and areas they named; absent for none. */
  readonly decided?: number;
}

/** Latest replacements that are recorded of a result: a page may send edits with each move of a slider. */
const MAX_APPLIED_EDITS = 1_000;

/** The record with one more replacement; the oldest ones are dropped beyond the limit. */
export const withAppliedEdits = (
  before: readonly AppliedEdits[] | undefined,
  added: AppliedEdits,
): readonly AppliedEdits[] => [...(before ?? []), added].slice(-MAX_APPLIED_EDITS);

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
  /** When an image or video was taken, as EXIF, XMP or the headers of a video say. */
  'capture-time',
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
  /** How a panorama is projected, as XMP says (`GPano`). */
  'panorama',
  'colour-profile',
  /** Any other data that is not needed to show the image. */
  'other',
] as const;
export type MetadataKind = (typeof METADATA_KINDS)[number];

/** Kinds that are kept if metadata is: only the fields of a list, and never the block that they are in. */
const KEPT_KINDS: ReadonlySet<MetadataKind> = new Set(['place', 'capture-time', 'exif', 'panorama']);

/**
 * Whether a kind of the source is in the result, at least in part.
 *
 * @param keepMetadata whether fields of the source are kept
 */
export const isKeptKind = (
  kind: MetadataKind,
  {
    keepMetadata,
    projection,
  }: { readonly keepMetadata: boolean; readonly projection?: Projection | undefined },
): boolean => (keepMetadata && KEPT_KINDS.has(kind)) || (kind === 'panorama' && projection === 'sphere');

/** Where bytes lie in a file; `end` is exclusive. */
export type FileRange = readonly [start: number, end: number];

/** Colours of a file that has no ICC profile and is not sRGB. */
export type ColourDescription =
  /** Numbers of ITU-T H.273. */
  | { readonly primaries: number; readonly transfer: number }
  /** As PNG states them, in units of 1/100,000: x and y of white, red, green and blue; absent: those of sRGB. */
  | { readonly gamma: number; readonly chromaticities?: readonly number[] };

/** The range of an image that is not in standard range, by its transfer and the number of its primaries. */
export const hdrOf = ({
  colour,
}: Pick<ImageHeader, 'colour'>):
  | { readonly transfer: HdrTransfer; readonly primaries: number }
  | undefined => {
  if (!colour || !('primaries' in colour)) return undefined;
  const transfer = hdrTransferOf(colour.transfer);
  return transfer && { transfer, primaries: colour.primaries };
};

/**
 * What the header of an image file says. It is read once, when the file is accepted, and stored with the task.
 *
 * It says where EXIF and XMP are, never what they contain: a record can outlive its file.
 */
export interface ImageHeader extends Size {
  readonly format: ImageSourceFormat;
  /** As stored: `orientation` 5..8 swaps the sides. */
  readonly width: number;
  readonly height: number;
  /** 1..8 as in EXIF; 1 where absent or invalid. HEIF files state it by properties of their own, not by EXIF. */
  readonly orientation: number;
  /** Whether pixels may be transparent, by the file's own statement. */
  readonly hasAlpha: boolean;
  readonly colour?: ColourDescription;
  /** The TIFF structure of its EXIF, in parts. */
  readonly exif?: readonly FileRange[];
  /** The first packet of its XMP, in parts. */
  readonly xmp?: readonly FileRange[];
  /** What XMP says of its projection. */
  readonly projection?: Projection;
  /** None of it is in a result, which is made from pixels alone. */
  readonly metadata: readonly MetadataKind[];
}

/** The size of the upright image. */
export const uprightSize = ({ width, height, orientation }: Size & Pick<ImageHeader, 'orientation'>): Size =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

/**
 * The format in which an image's result is written; that of the source may be one that nobody writes.
 *
 * JPEG for photographs. PNG where the source is PNG, or has transparency: that is drawn material, whose edges JPEG
 * would blur.
 *
 * @param wanted by the client; absent: the usual one
 */
export const resultFormatOf = (
  { format, hasAlpha }: Pick<ImageHeader, 'format' | 'hasAlpha'>,
  wanted?: CommonOptions['resultFormat'],
): ImageSourceFormat => {
  if (wanted === undefined) return hasAlpha ? 'png' : FORMATS[format].result;
  return wanted === 'same' ? format : wanted;
};
