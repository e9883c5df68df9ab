import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/unreadable-file';
import { boxesIn, viewOf, type Mp4Box } from '../mp4-boxes';

const MAX_ITEMS = 65_536;
/** `construction_method` of an item's location. */
const IN_FILE = 0;
const IN_ITEM_DATA = 1;

interface Extent {
  readonly start: number;
  readonly length: number;
}

interface ItemLocation {
  readonly method: number;
  readonly extents: readonly Extent[];
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
  /** An item's bytes, or undefined where it has none. @throws UnreadableFile where they are not in the file */
  readonly dataOf: (item: number) => Uint8Array | undefined;
}

/** Reads big-endian numbers one after another. */
class Reader {
  private readonly view: DataView;

  constructor(
    bytes: Uint8Array,
    private at: number,
    private readonly end: number,
  ) {
    this.view = viewOf(bytes);
  }

  /** @param size in bytes: 0, 1, 2, 4 or 8 */
  number(size: number): number {
    const at = this.at;
    if (at + size > this.end) throw new RangeError('behind the end of a box');
    this.at += size;
    if (size === 0) return 0;
    if (size === 1) return this.view.getUint8(at);
    if (size === 2) return this.view.getUint16(at);
    return size === 4 ? this.view.getUint32(at) : Number(this.view.getBigUint64(at));
  }

  text(length: number): string {
    return String.fromCharCode(...Array.from({ length }, () => this.number(1)));
  }

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }
}

const FULL_BOX_BYTES = 4;
const versionOf = (bytes: Uint8Array, { start }: Mp4Box): number => bytes[start] ?? 0;
const readerOf = (bytes: Uint8Array, { start, end }: Mp4Box): Reader =>
  new Reader(bytes, start + FULL_BOX_BYTES, end);

const readPrimary = (bytes: Uint8Array, box: Mp4Box): number =>
  readerOf(bytes, box).number(versionOf(bytes, box) === 0 ? 2 : 4);

const readTypes = (bytes: Uint8Array, box: Mp4Box): Map<number, string> => {
  const types = new Map<number, string>();
  const first = box.start + FULL_BOX_BYTES + (versionOf(bytes, box) === 0 ? 2 : 4);
  for (const entry of boxesIn(bytes, first, box.end)) {
    const version = versionOf(bytes, entry);
    if (entry.type !== 'infe' || version < 2) continue;
    const reader = readerOf(bytes, entry);
    const id = reader.number(version === 2 ? 2 : 4);
    reader.number(2);
    types.set(id, reader.text(4));
    if (types.size > MAX_ITEMS) throw new RangeError('too many items');
  }
  return types;
};

const readLocations = (bytes: Uint8Array, box: Mp4Box): Map<number, ItemLocation> => {
  const version = versionOf(bytes, box);
  const reader = readerOf(bytes, box);
  const sizes = reader.number(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  if (![offsetSize, lengthSize, baseSize, indexSize].every((size) => [0, 4, 8].includes(size))) {
    throw new RangeError('sizes of numbers that the format does not have');
  }
  const idSize = version < 2 ? 2 : 4;
  const locations = new Map<number, ItemLocation>();
  for (let left = reader.number(idSize); left > 0; left -= 1) {
    const id = reader.number(idSize);
    const method = version === 0 ? IN_FILE : reader.number(2) & 15;
    reader.number(2);
    const base = reader.number(baseSize);
    const extents = Array.from({ length: reader.number(2) }, () => {
      reader.number(indexSize);
      return { start: base + reader.number(offsetSize), length: reader.number(lengthSize) };
    });
    locations.set(id, { method, extents });
  }
  return locations;
};

const readReferences = (bytes: Uint8Array, box: Mp4Box): ItemReference[] => {
  const idSize = versionOf(bytes, box) === 0 ? 2 : 4;
  return [...boxesIn(bytes, box.start + FULL_BOX_BYTES, box.end)].map(({ type, start, end }) => {
    const reader = new Reader(bytes, start, end);
    const from = reader.number(idSize);
    const to = Array.from({ length: reader.number(2) }, () => reader.number(idSize));
    return { type, from, to };
  });
};

/** Which properties each item has, by their place in the list of all, which counts from 1. */
const readAssociations = (bytes: Uint8Array, box: Mp4Box, into: Map<number, number[]>): void => {
  const version = versionOf(bytes, box);
  const hasLongIndices = ((bytes[box.start + 3] ?? 0) & 1) === 1;
  const reader = readerOf(bytes, box);
  for (let left = reader.number(4); left > 0; left -= 1) {
    const id = reader.number(version === 0 ? 2 : 4);
    const indices = Array.from({ length: reader.number(1) }, () =>
      hasLongIndices ? reader.number(2) & 0x7fff : reader.number(1) & 0x7f,
    );
    into.set(id, [...(into.get(id) ?? []), ...indices]);
  }
};

interface Properties {
  readonly all: readonly Mp4Box[];
  readonly associations: ReadonlyMap<number, readonly number[]>;
}

const readProperties = (bytes: Uint8Array, box: Mp4Box | undefined): Properties => {
  const inside = box ? [...boxesIn(bytes, box.start, box.end)] : [];
  const container = inside.find(({ type }) => type === 'ipco');
  const associations = new Map<number, number[]>();
  for (const each of inside) if (each.type === 'ipma') readAssociations(bytes, each, associations);
  return { all: container ? [...boxesIn(bytes, container.start, container.end)] : [], associations };
};

const join = (parts: readonly Uint8Array[]): Uint8Array => {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};

/** An item's bytes where its location leads: to the file, or to the data box beside the items. */
const dataAt = (
  bytes: Uint8Array,
  { method, extents }: ItemLocation,
  itemData: Mp4Box | undefined,
  format: string,
): Uint8Array => {
  const from = method === IN_ITEM_DATA ? itemData?.start : method === IN_FILE ? 0 : undefined;
  if (from === undefined) throw corruptHeader(format);
  const end = method === IN_ITEM_DATA ? (itemData?.end ?? 0) : bytes.length;
  let total = 0;
  const parts = extents.map(({ start, length }) => {
    // Length 0: as far as there is something.
    const partEnd = length === 0 ? end : from + start + length;
    total += partEnd - from - start;
    if (partEnd > end || from + start > partEnd) throw truncatedFile(format);
    // Extents of one place over and over would make much out of a small file.
    if (total > bytes.length) throw corruptHeader(format);
    return bytes.subarray(from + start, partEnd);
  });
  return join(parts);
};

const parse = (bytes: Uint8Array, meta: Mp4Box, format: string): HeifItems => {
  const boxes = new Map<string, Mp4Box>();
  for (const box of boxesIn(bytes, meta.start + FULL_BOX_BYTES, meta.end)) {
    // A second box of a kind could contradict the one that limits were applied to.
    if (boxes.has(box.type) && box.type !== 'free') throw corruptHeader(format);
    boxes.set(box.type, box);
  }
  const [pitm, iinf, iloc, iref] = ['pitm', 'iinf', 'iloc', 'iref'].map((type) => boxes.get(type));
  if (!pitm || !iinf || !iloc) throw corruptHeader(format);
  const locations = readLocations(bytes, iloc);
  const { all, associations } = readProperties(bytes, boxes.get('iprp'));
  return {
    primary: readPrimary(bytes, pitm),
    types: readTypes(bytes, iinf),
    references: iref ? readReferences(bytes, iref) : [],
    propertiesOf: (item) => (associations.get(item) ?? []).flatMap((index) => all[index - 1] ?? []),
    dataOf: (item) => {
      const location = locations.get(item);
      return location && dataAt(bytes, location, boxes.get('idat'), format);
    },
  };
};

/**
 * Reads the items of a HEIF file from its `meta` box.
 *
 * @param format as sentences call it
 * @throws UnreadableFile where the box is broken
 * @see ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12
 */
export const readHeifItems = (bytes: Uint8Array, meta: Mp4Box, format: string): HeifItems => {
  try {
    return parse(bytes, meta, format);
  } catch (error) {
    throw error instanceof UnreadableFile ? error : corruptHeader(format);
  }
};
