import { hasCharacters } from '../bytes';
import type { ImageSource } from '../../../domain/image-source';
import type { Size } from '../../../domain/size';
import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/unreadable-file';
import { boxesIn, viewOf, type Mp4Box } from '../mp4-boxes';
import { animation } from './animation';
import { requireStandardRange } from './dynamic-range';
import { orientationOf, type HeifTurn } from './heif-orientation';
import { countStructures } from '../structure-limits';
import { countedBoxes, readHeifItems, type HeifFile, type HeifItems } from './heif-items';

const CODED_AS: Readonly<Record<string, 'heic' | 'avif'>> = { hvc1: 'heic', hev1: 'heic', av01: 'avif' };
const NAMES = { heic: 'HEIC', avif: 'AVIF' } as const;
/** Items that are made of others. */
const DERIVED: readonly string[] = ['grid', 'iovl', 'iden'];
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];
const FULL_BOX_BYTES = 4;
/** Of images that are made of images. */
const MAX_DEPTH = 4;

/** How the colours of a picture are described: by a profile, or by numbers of ITU-T H.273. */
export interface HeifColour {
  readonly profile?: Uint8Array;
  readonly primaries?: number;
  readonly transfer?: number;
}

/** A HEIF file's primary image. */
export interface HeifImage {
  readonly source: ImageSource;
  readonly colour: HeifColour;
  /** Before its edges are cut off, and as stored: what decoders need memory for. */
  readonly codedSize: Size;
}

type Format = keyof typeof NAMES;

const partsOf = ({ references }: HeifItems, item: number): readonly number[] =>
  references.filter(({ type, from }) => type === 'dimg' && from === item).flatMap(({ to }) => to);

/** The image's coding; of a derived image that of its parts. */
const codingOf = (items: HeifItems, item: number, depth = 0): string => {
  const type = items.types.get(item) ?? '';
  const [part] = partsOf(items, item);
  return DERIVED.includes(type) && part !== undefined && depth < MAX_DEPTH
    ? codingOf(items, part, depth + 1)
    : type;
};

const sizeIn = (bytes: Uint8Array, { start, end }: Mp4Box): Size => {
  if (end - start < FULL_BOX_BYTES + 8) throw new RangeError('a size that is cut off');
  const view = viewOf(bytes);
  return { width: view.getUint32(start + 4), height: view.getUint32(start + 8) };
};

/** Where the output size is in the data of images that are made of others; decoders allocate by it. */
const SIZE_OFFSETS: Readonly<Record<string, number>> = { grid: 4, iovl: 10 };

const statedSize = (data: Uint8Array | undefined, at: number): Size => {
  const sideBytes = ((data?.[1] ?? 0) & 1) === 1 ? 4 : 2;
  if (!data || data.length < at + 2 * sideBytes) throw new RangeError('an image description that is cut off');
  const view = viewOf(data);
  return sideBytes === 4
    ? { width: view.getUint32(at), height: view.getUint32(at + 4) }
    : { width: view.getUint16(at), height: view.getUint16(at + 2) };
};

const sizeOf = (bytes: Uint8Array, items: HeifItems, item: number): Size => {
  const box = items.propertiesOf(item).find(({ type }) => type === 'ispe');
  if (!box) throw new RangeError('an image without a size');
  const size = sizeIn(bytes, box);
  const offset = SIZE_OFFSETS[items.types.get(item) ?? ''];
  if (offset !== undefined) {
    const stated = statedSize(items.dataOf(item), offset);
    if (stated.width !== size.width || stated.height !== size.height) throw new RangeError('two sizes');
  }
  return size;
};

/** The size that is left of an image when its edges are cut off (`clap`); coded images are filled up to whole blocks. */
const croppedSize = (bytes: Uint8Array, properties: readonly Mp4Box[], coded: Size): Size => {
  const box = properties.find(({ type }) => type === 'clap');
  if (!box || box.end - box.start < 32) return coded;
  const view = viewOf(bytes);
  const side = (at: number): number => Math.round(view.getUint32(at) / view.getUint32(at + 4));
  const [width, height] = [side(box.start), side(box.start + 8)];
  const isInside = width > 0 && height > 0 && width <= coded.width && height <= coded.height;
  if (!isInside) throw new RangeError('edges beyond the image');
  return { width, height };
};

const turnsOf = (bytes: Uint8Array, properties: readonly Mp4Box[]): HeifTurn[] =>
  properties.flatMap(({ type, start }): HeifTurn[] => {
    const value = bytes[start] ?? 0;
    if (type === 'irot') return [{ kind: 'rotate', quarters: value & 3 }];
    return type === 'imir' ? [{ kind: 'mirror', isUpsideDown: (value & 1) === 0 }] : [];
  });

/** Whether an auxiliary image's kind, a text that ends with a zero or its box, is transparency. */
const isAlpha = (bytes: Uint8Array, { type, start, end }: Mp4Box): boolean =>
  type === 'auxC' &&
  ALPHA_TYPES.some((kind) => {
    const textEnd = start + FULL_BOX_BYTES + kind.length;
    const isKind = textEnd <= end && hasCharacters(bytes, start + FULL_BOX_BYTES, kind);
    return isKind && (textEnd === end || bytes[textEnd] === 0);
  });

const alphaItems = (bytes: Uint8Array, items: HeifItems, item: number): number[] => {
  const auxiliary = items.references
    .filter(({ type, to }) => type === 'auxl' && to.includes(item))
    .map(({ from }) => from);
  // Each once, however often it is named: it may have many properties.
  return [...new Set(auxiliary)].filter((from) =>
    items.propertiesOf(from).some((box) => isAlpha(bytes, box)),
  );
};

const colourOf = (bytes: Uint8Array, properties: readonly Mp4Box[]): HeifColour => {
  const colour: { profile?: Uint8Array; primaries?: number; transfer?: number } = {};
  for (const { type, start, end } of properties) {
    if (type !== 'colr') continue;
    if (hasCharacters(bytes, start, 'nclx') && end - start >= 10) {
      const view = viewOf(bytes);
      colour.primaries ??= view.getUint16(start + 4);
      colour.transfer ??= view.getUint16(start + 6);
    } else if (hasCharacters(bytes, start, 'prof') || hasCharacters(bytes, start, 'rICC')) {
      colour.profile ??= bytes.subarray(start + 4, end);
    }
  }
  return colour;
};

/** Refuses a file in which coded data of the image that is shown lies behind the end. */
const requireData = (items: HeifItems, shown: readonly number[]): void => {
  for (const item of new Set(shown)) {
    if (items.lengthOf(item) === 0) throw new RangeError('an image without data');
  }
};

const describe = (bytes: Uint8Array, items: HeifItems, format: Format): HeifImage => {
  const { primary } = items;
  const properties = items.propertiesOf(primary);
  const parts = partsOf(items, primary);
  const alpha = alphaItems(bytes, items, primary);
  const isDerived = DERIVED.includes(items.types.get(primary) ?? '');
  // Phones describe the colours of a grid at its parts.
  const own = colourOf(bytes, properties);
  const colour =
    own.profile || own.primaries !== undefined
      ? own
      : colourOf(bytes, parts.slice(0, 1).flatMap(items.propertiesOf));
  if (!colour.profile) requireStandardRange(colour.transfer, NAMES[format]);
  requireData(items, [
    ...(isDerived ? parts : [primary]),
    ...alpha.filter((item) => items.types.get(item) !== 'grid'),
  ]);
  const codedSize = sizeOf(bytes, items, primary);
  return {
    source: {
      format,
      ...croppedSize(bytes, properties, codedSize),
      orientation: orientationOf(turnsOf(bytes, properties)),
      hasAlpha: alpha.length > 0,
    },
    colour,
    codedSize,
  };
};

/** Frames of the first track: a sequence has samples as videos have. */
const countFrames = (file: HeifFile, moov: Mp4Box): number => {
  let box: Mp4Box | undefined = moov;
  for (const wanted of ['trak', 'mdia', 'minf', 'stbl', 'stsz']) {
    let first: Mp4Box | undefined;
    for (const inside of box ? countedBoxes(file, box) : []) {
      if (inside.type === wanted) first ??= inside;
    }
    box = first;
  }
  return box && box.end - box.start >= 12 ? file.view.getUint32(box.start + 8) : 0;
};

/** Opens a HEIF file for one pass over its structures. */
export const openHeif = (bytes: Uint8Array): HeifFile => {
  const format = hasCharacters(bytes, 8, 'avi') ? 'avif' : 'heic';
  return { bytes, view: viewOf(bytes), format: NAMES[format], count: countStructures(format) };
};

/**
 * The boxes of a file up to what is no whole box: phones append clips of their own formats. Whether the image's own data
 * is whole is checked item by item.
 *
 * @param onDamage called where something is left behind the last whole box
 */
export function* wholeBoxes({ bytes, count }: HeifFile, onDamage?: () => void): Generator<Mp4Box> {
  const boxes = boxesIn(bytes, 0, bytes.length);
  for (;;) {
    let next: IteratorResult<Mp4Box, unknown>;
    try {
      next = boxes.next();
    } catch {
      onDamage?.();
      return;
    }
    if (next.done) return;
    count();
    yield next.value;
  }
}

interface TopLevel {
  readonly meta: Mp4Box | undefined;
  readonly moov: Mp4Box | undefined;
}

const topLevel = (file: HeifFile): TopLevel => {
  let [meta, moov]: (Mp4Box | undefined)[] = [];
  for (const box of wholeBoxes(file)) {
    if (box.type === 'meta') meta ??= box;
    else if (box.type === 'moov') moov ??= box;
  }
  return { meta, moov };
};

/** The image that a HEIF file presents as its own, among others. */
export const readHeif = (bytes: Uint8Array): HeifImage => {
  const file = openHeif(bytes);
  const { meta, moov } = topLevel(file);
  const frames = moov ? countFrames(file, moov) : 0;
  if (frames > 1) throw animation(`an animated ${file.format}`, frames);
  if (!meta) throw moov ? corruptHeader(file.format) : truncatedFile(file.format);
  const items = readHeifItems(file, meta);
  const format = CODED_AS[codingOf(items, items.primary)];
  if (!format) {
    throw new UnreadableFile(
      'This HEIF file is coded in a way that is not supported; HEVC (HEIC) and AV1 (AVIF) are supported.',
    );
  }
  try {
    return describe(bytes, items, format);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : corruptHeader(NAMES[format]);
  }
};

const EXIF_HEADER_BYTES = 4;

/**
 * The TIFF structure of the first EXIF item that describes the primary image.
 *
 * @returns undefined where there is none, or it is cut off: it may lie behind the image
 */
export const exifIn = (items: HeifItems): Uint8Array | undefined => {
  const describing = items.references.filter(({ type, to }) => type === 'cdsc' && to.includes(items.primary));
  const exif = describing.find(({ from }) => items.types.get(from) === 'Exif');
  try {
    const data = exif && items.dataOf(exif.from);
    // The item begins with the distance of the TIFF structure from the end of that number.
    return data && data.length >= EXIF_HEADER_BYTES
      ? data.subarray(EXIF_HEADER_BYTES + viewOf(data).getUint32(0))
      : undefined;
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
};

/** The TIFF structure of a sniffed file's EXIF item. */
export const findHeifExif = (bytes: Uint8Array): Uint8Array | undefined => {
  const file = openHeif(bytes);
  const { meta } = topLevel(file);
  return meta && exifIn(readHeifItems(file, meta));
};

/** Reads size, orientation and transparency of a HEIF file's primary image. EXIF does not turn it, by the standard. */
export const sniffHeif = (bytes: Uint8Array, checkSize: (source: ImageSource) => void): ImageSource => {
  const { source, codedSize } = readHeif(bytes);
  checkSize({ ...source, ...codedSize });
  return source;
};
