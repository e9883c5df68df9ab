import { FORMATS } from '../../../catalogue/formats';
import type { FileRange } from '../../../domain/image-header';
import { animatedFile, corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/failure';
import { hasCharacters, viewOf } from '../bytes';
import { bytesAt, NO_NOTES, type HeaderFacts, type HeaderNotes, type HeaderReader } from '../header-reader';
import { boxesIn, childrenOf, type Mp4Box } from '../mp4-boxes';
import { countStructures } from '../structure-limits';
import { codingOf, describeHeif, type HeifImage } from './heif-image';
import { readHeifItems, type HeifFile, type HeifItems } from './heif-items';

/** Frames of the first track: a sequence has samples as videos have. */
const countFrames = (file: HeifFile, moov: Mp4Box): number => {
  let box: Mp4Box | undefined = moov;
  for (const wanted of ['trak', 'mdia', 'minf', 'stbl', 'stsz']) {
    let first: Mp4Box | undefined;
    for (const inside of box ? childrenOf(file, box) : []) {
      if (inside.type === wanted) first ??= inside;
    }
    box = first;
  }
  return box && box.end - box.start >= 12 ? file.view.getUint32(box.start + 8) : 0;
};

/** Opens a HEIF file for one pass over its structures. */
const openHeif = (bytes: Uint8Array): HeifFile => {
  const format = hasCharacters(bytes, 8, 'avi') ? 'avif' : 'heic';
  return { bytes, view: viewOf(bytes), format: FORMATS[format].name, count: countStructures(format) };
};

/**
 * The boxes of a file up to what is no whole box: phones append clips of their own formats. Whether the image's own data
 * is whole is checked item by item.
 *
 * @param onDamage called where something is left behind the last whole box
 */
function* wholeBoxes({ bytes, count }: HeifFile, onDamage: () => void): Generator<Mp4Box> {
  const boxes = boxesIn(bytes, 0, bytes.length);
  for (;;) {
    let next: IteratorResult<Mp4Box, unknown>;
    try {
      next = boxes.next();
    } catch {
      onDamage();
      return;
    }
    if (next.done) return;
    count();
    yield next.value;
  }
}

/** Boxes that hold the images themselves. */
const DISPLAY = new Set(['ftyp', 'meta', 'mdat', 'free', 'skip']);

const topLevel = (file: HeifFile, { note }: HeaderNotes) => {
  let [meta, moov]: (Mp4Box | undefined)[] = [];
  for (const box of wholeBoxes(file, () => note('trailer'))) {
    // Phones append a motion clip as a box of a kind of its own.
    if (!DISPLAY.has(box.type)) note('trailer');
    if (box.type === 'meta') meta ??= box;
    else if (box.type === 'moov') moov ??= box;
  }
  return { meta, moov };
};

const EXIF_HEADER_BYTES = 4;

/** The ranges behind their first bytes. */
const behind = (ranges: readonly FileRange[], skipped: number): readonly FileRange[] => {
  let left = skipped;
  return ranges.flatMap(([start, end]): FileRange[] => {
    const from = Math.min(end, start + left);
    left -= from - start;
    return from < end ? [[from, end]] : [];
  });
};

/** Where the first item of a type that describes the primary image has its bytes. @throws UnreadableFile */
const findDescription = (items: HeifItems, wanted: string): readonly FileRange[] | undefined => {
  const describing = items.references.filter(({ type, to }) => type === 'cdsc' && to.includes(items.primary));
  const found = describing.find(({ from }) => items.types.get(from) === wanted);
  return found && items.rangesOf(found.from);
};

/** Where the EXIF of the primary image has its TIFF structure. */
const findExif = (bytes: Uint8Array, items: HeifItems): readonly FileRange[] | undefined => {
  const ranges = findDescription(items, 'Exif');
  const data = ranges && bytesAt(bytes, ranges);
  // The item begins with the distance of the TIFF structure from the end of that number.
  return data && data.length >= EXIF_HEADER_BYTES
    ? behind(ranges, EXIF_HEADER_BYTES + viewOf(data).getUint32(0))
    : undefined;
};

const IMAGE_TYPES = new Set(['hvc1', 'av01', 'grid', 'iovl', 'iden', 'jpeg', 'tmap']);

const noteItems = (bytes: Uint8Array, items: HeifItems, { note }: HeaderNotes): void => {
  // It is shown instead of the image on some screens, and is made of it and a gain map.
  const isToneMap = (item: number): boolean => item !== items.primary && items.types.get(item) === 'tmap';
  const linked = (wanted: string): Set<number> =>
    new Set(
      items.references.flatMap(({ type, from, to }) =>
        type === wanted && !isToneMap(from) ? [from, ...to] : [],
      ),
    );
  const [thumbnails, parts] = [linked('thmb'), linked('dimg')];
  thumbnails.delete(items.primary);
  if (thumbnails.size > 0) note('thumbnail');
  for (const [item, type] of items.types) {
    const isShown = item === items.primary || parts.has(item) || thumbnails.has(item);
    if (IMAGE_TYPES.has(type) && !isShown) note('other-pictures');
    if (type === 'mime') note('xmp');
  }
  const isProfile = ({ type, start }: Mp4Box): boolean =>
    type === 'colr' && !hasCharacters(bytes, start, 'nclx');
  if (items.propertiesOf(items.primary).some(isProfile)) note('colour-profile');
};

/** @returns undefined where it is cut off: it may lie behind the image */
const ifWhole = (find: () => readonly FileRange[] | undefined): readonly FileRange[] | undefined => {
  try {
    return find();
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
};

/** Notes what describes an image. @returns where its EXIF and XMP are */
const noteDescriptions = (
  bytes: Uint8Array,
  items: HeifItems,
  notes: HeaderNotes,
): Pick<HeaderFacts, 'exif' | 'xmp'> => {
  const exif = ifWhole(() => findExif(bytes, items));
  const xmp = ifWhole(() => findDescription(items, 'mime'));
  if (exif) notes.noteExif(bytesAt(bytes, exif));
  if (xmp) notes.noteXmp(bytesAt(bytes, xmp));
  noteItems(bytes, items, notes);
  return { ...(exif && { exif }), ...(xmp && { xmp }) };
};

const CODED_AS: Readonly<Record<string, 'heic' | 'avif'>> = { hvc1: 'heic', hev1: 'heic', av01: 'avif' };

const describe = (bytes: Uint8Array, items: HeifItems): HeifImage => {
  const format = CODED_AS[codingOf(items, items.primary)];
  if (!format) {
    throw new UnreadableFile(
      'This HEIF file is coded in a way that is not supported; HEVC (HEIC) and AV1 (AVIF) are supported.',
    );
  }
  try {
    return describeHeif(bytes, items, format);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : corruptHeader(FORMATS[format].name);
  }
};

/** The image that a HEIF file presents as its own, among others. @throws UnreadableFile */
export const readHeif = (bytes: Uint8Array, notes = NO_NOTES): HeifImage => {
  const file = openHeif(bytes);
  const { meta, moov } = topLevel(file, notes);
  const frames = moov ? countFrames(file, moov) : 0;
  if (frames > 1) throw animatedFile(`an animated ${file.format}`, frames);
  if (!meta) throw moov ? corruptHeader(file.format) : truncatedFile(file.format);
  const items = readHeifItems(file, meta);
  const image = describe(bytes, items);
  return { ...image, header: { ...image.header, ...noteDescriptions(bytes, items, notes) } };
};

/** Reads size, orientation and transparency of a HEIF file's primary image. EXIF does not turn it, by the standard. */
export const readHeifHeader: HeaderReader = (bytes, notes, checkSize) => {
  const { header, codedSize } = readHeif(bytes, notes);
  checkSize(codedSize);
  return header;
};
