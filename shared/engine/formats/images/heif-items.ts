import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/unreadable-file';
import { boxesIn, type Mp4Box } from '../mp4-boxes';
import type { CountStructures } from '../structure-limits';
import { NumberReader } from './number-reader';

/** `construction_method` of an item's location. */
const IN_FILE = 0;
const IN_ITEM_DATA = 1;

/** Where an item's extents are listed: they are read when its bytes are asked for. */
interface ItemLocation {
  readonly method: number;
  readonly base: number;
  readonly extents: number;
  /** Of the first extent in the file. */
  readonly at: number;
}

interface Locations {
  readonly items: ReadonlyMap<number, ItemLocation>;
  readonly sizes: ExtentSizes;
}

/** Bytes of the numbers of an extent. */
interface ExtentSizes {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
}

/** A HEIF file of which structures are read and counted. */
export interface HeifFile {
  readonly bytes: Uint8Array;
  /** As sentences call it. */
  readonly format: string;
  readonly count: CountStructures;
}

/** A reference from one item to others: `dimg` (made of), `auxl` (transparency, depth of), `cdsc` (describes). */
export interface ItemReference {
  readonly type: string;
  readonly from: number;
  readonly to: readonly number[];
}

/** The items of a HEIF file: images, parts of images, and what describes them. */
export interface HeifItems {
  readonly primary: number;
  /** Types by item: `hvc1`, `av01`, `grid`, `Exif`. */
  readonly types: ReadonlyMap<number, string>;
  readonly references: readonly ItemReference[];
  /** Properties of an item, in the order in which they apply. */
  readonly propertiesOf: (item: number) => readonly Mp4Box[];
  /** How many bytes an item has; 0 where it has none. @throws UnreadableFile where they are not in the file */
  readonly lengthOf: (item: number) => number;
  /** An item's bytes, or undefined where it has none. @throws UnreadableFile where they are not in the file */
  readonly dataOf: (item: number) => Uint8Array | undefined;
}

const FULL_BOX_BYTES = 4;
const TYPE_BYTES = 4;
const versionOf = (bytes: Uint8Array, { start }: Mp4Box): number => bytes[start] ?? 0;
const readerOf = (bytes: Uint8Array, { start, end }: Mp4Box): NumberReader =>
  new NumberReader(bytes, start + FULL_BOX_BYTES, end);

const readPrimary = (bytes: Uint8Array, box: Mp4Box): number =>
  readerOf(bytes, box).number(versionOf(bytes, box) === 0 ? 2 : 4);

/** The boxes in a range, each of them counted. */
export function* countedBoxes(
  bytes: Uint8Array,
  { start, end }: Pick<Mp4Box, 'start' | 'end'>,
  count: CountStructures,
): Generator<Mp4Box> {
  for (const box of boxesIn(bytes, start, end)) {
    count();
    yield box;
  }
}

const contentOf = ({ start, end }: Mp4Box, skipped = FULL_BOX_BYTES): Pick<Mp4Box, 'start' | 'end'> => ({
  start: start + skipped,
  end,
});

const readTypes = (bytes: Uint8Array, box: Mp4Box, count: CountStructures): Map<number, string> => {
  const types = new Map<number, string>();
  const content = contentOf(box, FULL_BOX_BYTES + (versionOf(bytes, box) === 0 ? 2 : 4));
  for (const entry of countedBoxes(bytes, content, count)) {
    const version = versionOf(bytes, entry);
    if (entry.type !== 'infe' || version < 2) continue;
    const reader = readerOf(bytes, entry);
    const id = reader.number(version === 2 ? 2 : 4);
    reader.skip(2);
    const at = reader.position;
    reader.skip(TYPE_BYTES);
    types.set(id, String.fromCharCode(...bytes.subarray(at, at + TYPE_BYTES)));
  }
  return types;
};

const readLocations = (bytes: Uint8Array, box: Mp4Box, count: CountStructures): Locations => {
  const version = versionOf(bytes, box);
  const reader = readerOf(bytes, box);
  const packed = reader.number(2);
  const baseSize = (packed >> 4) & 15;
  const sizes = {
    index: version === 0 ? 0 : packed & 15,
    offset: packed >> 12,
    length: (packed >> 8) & 15,
  };
  if (![...Object.values(sizes), baseSize].every((size) => [0, 4, 8].includes(size))) {
    throw new RangeError('sizes of numbers that the format does not have');
  }
  const extentBytes = sizes.index + sizes.offset + sizes.length;
  const idSize = version < 2 ? 2 : 4;
  const items = new Map<number, ItemLocation>();
  for (let left = reader.number(idSize); left > 0; left -= 1) {
    count();
    const id = reader.number(idSize);
    const method = version === 0 ? IN_FILE : reader.number(2) & 15;
    reader.skip(2);
    const base = reader.number(baseSize);
    const extents = reader.number(2);
    // Extents without numbers are all the same one: any number of them would fit into the file.
    if (extents > 1 && sizes.offset + sizes.length === 0) throw new RangeError('extents of no size');
    items.set(id, { method, base, extents, at: reader.position });
    reader.skip(extents * extentBytes);
  }
  return { items, sizes };
};

const readReferences = (bytes: Uint8Array, box: Mp4Box, count: CountStructures): ItemReference[] => {
  const idSize = versionOf(bytes, box) === 0 ? 2 : 4;
  const references: ItemReference[] = [];
  for (const { type, start, end } of countedBoxes(bytes, contentOf(box), count)) {
    const reader = new NumberReader(bytes, start, end);
    const from = reader.number(idSize);
    const length = reader.number(2);
    count(length);
    references.push({ type, from, to: Array.from({ length }, () => reader.number(idSize)) });
  }
  return references;
};

/** Which properties each item has, by their place in the list of all, which counts from 1. */
const readAssociations = (
  bytes: Uint8Array,
  box: Mp4Box,
  into: Map<number, number[]>,
  count: CountStructures,
): void => {
  const version = versionOf(bytes, box);
  const hasLongIndices = ((bytes[box.start + 3] ?? 0) & 1) === 1;
  const reader = readerOf(bytes, box);
  for (let left = reader.number(4); left > 0; left -= 1) {
    const id = reader.number(version === 0 ? 2 : 4);
    const length = reader.number(1);
    count(1 + length);
    const indices = into.get(id) ?? [];
    for (let each = 0; each < length; each += 1) {
      indices.push(hasLongIndices ? reader.number(2) & 0x7fff : reader.number(1) & 0x7f);
    }
    into.set(id, indices);
  }
};

interface Properties {
  readonly all: readonly Mp4Box[];
  readonly associations: ReadonlyMap<number, readonly number[]>;
}

const readProperties = (bytes: Uint8Array, box: Mp4Box | undefined, count: CountStructures): Properties => {
  let all: readonly Mp4Box[] | undefined;
  const associations = new Map<number, number[]>();
  for (const each of box ? countedBoxes(bytes, box, count) : []) {
    if (each.type === 'ipma') readAssociations(bytes, each, associations, count);
    else if (each.type === 'ipco') all ??= [...countedBoxes(bytes, each, count)];
  }
  return { all: all ?? [], associations };
};

/** Where an item's bytes can lie: in the file, or in the data box beside the items. */
const areaOf = (
  bytes: Uint8Array,
  { method }: ItemLocation,
  itemData: Mp4Box | undefined,
): Pick<Mp4Box, 'start' | 'end'> | undefined => {
  if (method === IN_FILE) return { start: 0, end: bytes.length };
  return method === IN_ITEM_DATA ? itemData : undefined;
};

/** The extents of an item, as places in the file. */
function* extentsOf(
  { bytes, format, count }: HeifFile,
  location: ItemLocation,
  sizes: ExtentSizes,
  itemData: Mp4Box | undefined,
): Generator<Pick<Mp4Box, 'start' | 'end'>> {
  const area = areaOf(bytes, location, itemData);
  if (!area) throw corruptHeader(format);
  const reader = new NumberReader(bytes, location.at, bytes.length);
  let total = 0;
  for (let left = location.extents; left > 0; left -= 1) {
    count();
    reader.skip(sizes.index);
    const start = area.start + location.base + reader.number(sizes.offset);
    const length = reader.number(sizes.length);
    // Length 0: as far as there is something.
    const end = length === 0 ? area.end : start + length;
    if (end > area.end || start > end) throw truncatedFile(format);
    total += end - start;
    // Extents of one place over and over would make much out of a small file.
    if (total > bytes.length) throw corruptHeader(format);
    yield { start, end };
  }
}

const join = (bytes: Uint8Array, extents: readonly Pick<Mp4Box, 'start' | 'end'>[]): Uint8Array => {
  const [only] = extents;
  if (only && extents.length === 1) return bytes.subarray(only.start, only.end);
  const joined = new Uint8Array(extents.reduce((sum, { start, end }) => sum + end - start, 0));
  let at = 0;
  for (const { start, end } of extents) {
    joined.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return joined;
};

const parse = (file: HeifFile, meta: Mp4Box): HeifItems => {
  const { bytes, format, count } = file;
  const boxes = new Map<string, Mp4Box>();
  for (const box of countedBoxes(bytes, contentOf(meta), count)) {
    // A second box of a kind could contradict the one that limits were applied to.
    if (boxes.has(box.type) && box.type !== 'free') throw corruptHeader(format);
    boxes.set(box.type, box);
  }
  const [pitm, iinf, iloc, iref] = ['pitm', 'iinf', 'iloc', 'iref'].map((type) => boxes.get(type));
  if (!pitm || !iinf || !iloc) throw corruptHeader(format);
  const { items, sizes } = readLocations(bytes, iloc, count);
  const { all, associations } = readProperties(bytes, boxes.get('iprp'), count);
  const placesOf = (location: ItemLocation) => extentsOf(file, location, sizes, boxes.get('idat'));
  return {
    primary: readPrimary(bytes, pitm),
    types: readTypes(bytes, iinf, count),
    references: iref ? readReferences(bytes, iref, count) : [],
    propertiesOf: (item) => (associations.get(item) ?? []).flatMap((index) => all[index - 1] ?? []),
    lengthOf: (item) => {
      const location = items.get(item);
      let length = 0;
      for (const { start, end } of location ? placesOf(location) : []) length += end - start;
      return length;
    },
    dataOf: (item) => {
      const location = items.get(item);
      return location && join(bytes, [...placesOf(location)]);
    },
  };
};

/**
 * Reads the items of a HEIF file from its `meta` box.
 *
 * @throws UnreadableFile where the box is broken
 * @see ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12
 */
export const readHeifItems = (file: HeifFile, meta: Mp4Box): HeifItems => {
  try {
    return parse(file, meta);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : corruptHeader(file.format);
  }
};
