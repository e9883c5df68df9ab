import { FORMATS } from '../../../catalogue/formats';
import type { Size } from '../../../domain/raster';
import { hasCharacters, viewOf } from '../bytes';
import { bytesAt, type HeaderFacts, requireKnownColours } from '../header-reader';
import { FULL_BOX_BYTES, type Mp4Box } from '../mp4-boxes';
import type { HeifItems } from './heif-items';

/** Items that are made of others. */
const DERIVED: readonly string[] = ['grid', 'iovl', 'iden'];
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1'];
/** Of images that are made of images. */
const MAX_DEPTH = 4;

/** How the colours of an image are described: by a profile, or by numbers of ITU-T H.273. */
export interface HeifColour {
  readonly profile?: Uint8Array;
  readonly primaries?: number;
  readonly transfer?: number;
}

/** A HEIF file's primary image. */
export interface HeifImage {
  readonly header: HeaderFacts;
  readonly colour: HeifColour;
  /** Before its edges are cut off, and as stored: what decoders need memory for. */
  readonly codedSize: Size;
}

const partsOf = ({ references }: HeifItems, item: number): readonly number[] =>
  references.filter(({ type, from }) => type === 'dimg' && from === item).flatMap(({ to }) => to);

/** The image's coding; of a derived image that of its parts. */
export const codingOf = (items: HeifItems, item: number, depth = 0): string => {
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
    const ranges = items.rangesOf(item);
    const stated = statedSize(ranges && bytesAt(bytes, ranges), offset);
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

/** A step of a HEIF image's way to its upright form, in the order in which the file lists them. */
type HeifTurn =
  /** Anticlockwise. */
  | { readonly kind: 'rotate'; readonly quarters: number }
  /** `isUpsideDown`: top and bottom change places; else left and right. */
  | { readonly kind: 'mirror'; readonly isUpsideDown: boolean };

/** Where the right and the lower side of an image point to, as rows of a matrix. */
type Axes = readonly [number, number, number, number];

const times = ([a, b, c, d]: Axes, [e, f, g, h]: Axes): Axes => [
  a * e + b * g,
  a * f + b * h,
  c * e + d * g,
  c * f + d * h,
];

const UPRIGHT: Axes = [1, 0, 0, 1];
/**
 * By quarter turns anticlockwise. x to the right, y downwards: (1, 0), the right side, points up after one of them.
 */
const ROTATIONS: readonly Axes[] = [UPRIGHT, [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0]];

const axesOf = (turn: HeifTurn): Axes => {
  if (turn.kind === 'mirror') return turn.isUpsideDown ? [1, 0, 0, -1] : [-1, 0, 0, 1];
  return ROTATIONS[turn.quarters % ROTATIONS.length] ?? UPRIGHT;
};

/** EXIF's numbers for what has to be done to the stored image, by the matrix that does it. */
const EXIF_ORIENTATIONS: Readonly<Record<string, number>> = {
  '1,0,0,1': 1,
  '-1,0,0,1': 2,
  '-1,0,0,-1': 3,
  '1,0,0,-1': 4,
  '0,1,1,0': 5,
  '0,-1,1,0': 6,
  '0,-1,-1,0': 7,
  '0,1,-1,0': 8,
};

/** The orientation 1..8, as EXIF counts them, that does the same as these steps one after another. */
const orientationOf = (turns: readonly HeifTurn[]): number => {
  const axes = turns.reduce((done, turn) => times(axesOf(turn), done), UPRIGHT);
  return EXIF_ORIENTATIONS[axes.map((each) => each + 0).join(',')] ?? 1;
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
    if (!items.hasData(item)) throw new RangeError('an image without data');
  }
};

/** Describes the primary image. @throws UnreadableFile, RangeError */
export const describeHeif = (bytes: Uint8Array, items: HeifItems, format: 'heic' | 'avif'): HeifImage => {
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
  if (!colour.profile) requireKnownColours(colour, FORMATS[format].name);
  requireData(items, [
    ...(isDerived ? parts : [primary]),
    ...alpha.filter((item) => items.types.get(item) !== 'grid'),
  ]);
  const codedSize = sizeOf(bytes, items, primary);
  return {
    header: {
      format,
      ...croppedSize(bytes, properties, codedSize),
      orientation: orientationOf(turnsOf(bytes, properties)),
      hasAlpha: alpha.length > 0,
      ...(!colour.profile &&
        colour.primaries !== undefined && {
          colour: { primaries: colour.primaries, transfer: colour.transfer ?? 0 },
        }),
    },
    colour,
    codedSize,
  };
};
