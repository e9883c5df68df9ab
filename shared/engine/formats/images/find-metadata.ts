import type { ImageSourceFormat } from '../../../catalogue/formats';
import { hasCharacters } from '../bytes';
import { viewOf, type Mp4Box } from '../mp4-boxes';
import { countStructures } from '../structure-limits';
import { readBmpHeader } from './bmp-header';
import type { MetadataKind } from '../../../domain/metadata-kind';
import { readHeifItems, type HeifFile } from './heif-items';
import { exifIn, openHeif, wholeBoxes } from './sniff-heif';
import { openTiff, readDirectories, type TiffDirectory } from './tiff-fields';
import { webpChunks } from './sniff-webp';

/** Takes what is found. */
export interface MetadataNotes {
  note(kind: MetadataKind): void;
  /** Looks into EXIF. */
  noteExif(exif: Uint8Array): void;
}

const WEBP_DISPLAY = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);

const noteWebp = (bytes: Uint8Array, { note, noteExif }: MetadataNotes): void => {
  for (const { type, start, end } of webpChunks(bytes)) {
    if (type === 'EXIF') {
      const content = bytes.subarray(start, end);
      noteExif(hasCharacters(content, 0, 'Exif\0\0') ? content.subarray(6) : content);
    } else if (type === 'XMP ') note('xmp');
    else if (type === 'ICCP') note('colour-profile');
    else if (!WEBP_DISPLAY.has(type)) note('other');
  }
  if (8 + viewOf(bytes).getUint32(4, true) < bytes.length) note('trailer');
};

/** Boxes that hold the images themselves. */
const HEIF_DISPLAY = new Set(['ftyp', 'meta', 'mdat', 'free', 'skip']);
const IMAGE_TYPES = new Set(['hvc1', 'av01', 'grid', 'iovl', 'iden', 'jpeg', 'tmap']);

/** The box of the items, if there is one. */
const findMeta = (file: HeifFile, { note }: MetadataNotes): Mp4Box | undefined => {
  let meta: Mp4Box | undefined;
  for (const box of wholeBoxes(file, () => note('trailer'))) {
    // Phones append a motion clip as a box of a kind of its own.
    if (!HEIF_DISPLAY.has(box.type)) note('trailer');
    if (box.type === 'meta') meta ??= box;
  }
  return meta;
};

const noteHeif = (bytes: Uint8Array, notes: MetadataNotes): void => {
  const { note, noteExif } = notes;
  const file = openHeif(bytes);
  const meta = findMeta(file, notes);
  if (!meta) return;
  const items = readHeifItems(file, meta);
  const exif = exifIn(items);
  if (exif) noteExif(exif);
  const linked = (wanted: string): Set<number> =>
    new Set(items.references.flatMap(({ type, from, to }) => (type === wanted ? [from, ...to] : [])));
  const [thumbnails, parts] = [linked('thmb'), linked('dimg')];
  thumbnails.delete(items.primary);
  if (thumbnails.size > 0) note('thumbnail');
  for (const [item, type] of items.types) {
    const isShown = item === items.primary || parts.has(item) || thumbnails.has(item);
    if (IMAGE_TYPES.has(type) && !isShown) note('other-pictures');
    if (type === 'mime') note('xmp');
  }
  const shown = items.propertiesOf(items.primary);
  const isProfile = ({ type, start }: Mp4Box): boolean =>
    type === 'colr' && !hasCharacters(bytes, start, 'nclx');
  if (shown.some(isProfile)) note('colour-profile');
};

/** Fields that say something beside the picture. */
const TIFF_FIELDS: readonly (readonly [tag: number, kind: MetadataKind])[] = [
  [270, 'text'],
  [271, 'exif'],
  [272, 'exif'],
  [305, 'exif'],
  [306, 'time'],
  [315, 'text'],
  [330, 'other-pictures'],
  [33_432, 'text'],
  [33_723, 'iptc'],
  [34_377, 'iptc'],
  [34_665, 'exif'],
  [34_675, 'colour-profile'],
  [34_853, 'place'],
  [700, 'xmp'],
];

const noteTiff = (bytes: Uint8Array, { note }: MetadataNotes): void => {
  let first: TiffDirectory | undefined;
  let hasOthers = false;
  for (const directory of readDirectories(openTiff(bytes), [])) {
    hasOthers = first !== undefined;
    first ??= directory;
  }
  for (const [tag, kind] of TIFF_FIELDS) if (first?.has(tag)) note(kind);
  if (hasOthers) note('thumbnail');
};

const GIF_HEADER_BYTES = 13;
const EXTENSION = 0x21;
const COMMENT = 0xfe;
const APPLICATION = 0xff;

const endOfBlocks = (bytes: Uint8Array, from: number): number => {
  let at = from;
  while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
};
const paletteBytes = (flags = 0): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

const noteGif = (bytes: Uint8Array, { note }: MetadataNotes): void => {
  const count = countStructures('gif');
  let at = GIF_HEADER_BYTES + paletteBytes(bytes[10]);
  while (at < bytes.length) {
    count();
    if (bytes[at] === EXTENSION) {
      if (bytes[at + 1] === COMMENT) note('text');
      if (bytes[at + 1] === APPLICATION) note(hasCharacters(bytes, at + 3, 'XMP Data') ? 'xmp' : 'other');
      at = endOfBlocks(bytes, at + 2);
    } else if (bytes[at] === 0x2c) at = endOfBlocks(bytes, at + 11 + paletteBytes(bytes[at + 9]));
    else break;
  }
  if (at + 1 < bytes.length) note('trailer');
};

const noteBmp = (bytes: Uint8Array, { note }: MetadataNotes): void => {
  if (readBmpHeader(bytes).profile) note('colour-profile');
};

const NOTE = {
  webp: noteWebp,
  avif: noteHeif,
  heic: noteHeif,
  tiff: noteTiff,
  gif: noteGif,
  bmp: noteBmp,
} as const satisfies Record<
  Exclude<ImageSourceFormat, 'jpeg' | 'png'>,
  (bytes: Uint8Array, notes: MetadataNotes) => void
>;

/** Notes what a file of a format other than JPEG and PNG contains beside its pixels. @throws where it is damaged */
export const noteOtherFormat = (bytes: Uint8Array, format: keyof typeof NOTE, notes: MetadataNotes): void =>
  NOTE[format](bytes, notes);
