import { corruptHeader, truncatedFile, UnreadableFile } from '../../../domain/failure';
import type { FileRange } from '../../../domain/image-header';
import { fourCharacters } from '../bytes';
import { FULL_BOX_BYTES, childrenOf, type Mp4Box } from '../mp4-boxes';
import type { CountStructures } from '../structure-limits';

/** Reads big-endian numbers one after another. @throws RangeError behind the end of the range */
class NumberReader {
  constructor(
    private readonly view: DataView,
    private at: number,
    private readonly end: number,
  ) {}

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

  skip(bytes: number): void {
    if (this.at + bytes > this.end) throw new RangeError('behind the end of a box');
    this.at += bytes;
  }

  get position(): number {
    return this.at;
  }
}

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
  readonly view: DataView;
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
  /** Whether an item has bytes. @throws UnreadableFile where they are not in the file */
  readonly hasData: (item: number) => boolean;
  /** Where an item's bytes are; undefined where it has none. @throws UnreadableFile where they are not in the file */
  readonly rangesOf: (item: number) => readonly FileRange[] | undefined;
}

const TYPE_BYTES = 4;
const versionOf = ({ bytes }: HeifFile, { start }: Mp4Box): number => bytes[start] ?? 0;
const readerOf = ({ view }: HeifFile, { start, end }: Mp4Box): NumberReader =>
  new NumberReader(view, start + FULL_BOX_BYTES, end);

const readPrimary = (file: HeifFile, box: Mp4Box): number =>
  readerOf(file, box).number(versionOf(file, box) === 0 ? 2 : 4);

const contentOf = ({ start, end }: Mp4Box, skipped = FULL_BOX_BYTES): Pick<Mp4Box, 'start' | 'end'> => ({
  start: start + skipped,
  end,
});

const readTypes = (file: HeifFile, box: Mp4Box): Map<number, string> => {
  const types = new Map<number, string>();
  const content = contentOf(box, FULL_BOX_BYTES + (versionOf(file, box) === 0 ? 2 : 4));
  for (const entry of childrenOf(file, content)) {
    const version = versionOf(file, entry);
    if (entry.type !== 'infe' || version < 2) continue;
    const reader = readerOf(file, entry);
    const id = reader.number(version === 2 ? 2 : 4);
    reader.skip(2);
    const at = reader.position;
    reader.skip(TYPE_BYTES);
    types.set(id, fourCharacters(file.bytes, at));
  }
  return types;
};

const readLocations = (file: HeifFile, box: Mp4Box): Locations => {
  const version = versionOf(file, box);
  const reader = readerOf(file, box);
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
    file.count();
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

const readReferences = (file: HeifFile, box: Mp4Box): ItemReference[] => {
  const idSize = versionOf(file, box) === 0 ? 2 : 4;
  const references: ItemReference[] = [];
  for (const { type, start, end } of childrenOf(file, contentOf(box))) {
    const reader = new NumberReader(file.view, start, end);
    const from = reader.number(idSize);
    const length = reader.number(2);
    file.count(length);
    const to: number[] = [];
    for (let left = length; left > 0; left -= 1) to.push(reader.number(idSize));
    references.push({ type, from, to });
  }
  return references;
};

/** Which properties each item has, by their place in the list of all, which counts from 1. */
const readAssociations = (file: HeifFile, box: Mp4Box, into: Map<number, number[]>): void => {
  const version = versionOf(file, box);
  const hasLongIndices = ((file.bytes[box.start + 3] ?? 0) & 1) === 1;
  const reader = readerOf(file, box);
  for (let left = reader.number(4); left > 0; left -= 1) {
    const id = reader.number(version === 0 ? 2 : 4);
    const length = reader.number(1);
    file.count(1 + length);
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

const readProperties = (file: HeifFile, box: Mp4Box | undefined): Properties => {
  let all: readonly Mp4Box[] | undefined;
  const associations = new Map<number, number[]>();
  for (const each of box ? childrenOf(file, box) : []) {
    if (each.type === 'ipma') readAssociations(file, each, associations);
    else if (each.type === 'ipco') all ??= [...childrenOf(file, each)];
  }
  return { all: all ?? [], associations };
};

/** Where an item's bytes can lie: in the file, or in the data box next to the items. */
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
  { bytes, view, format, count }: HeifFile,
  location: ItemLocation,
  sizes: ExtentSizes,
  itemData: Mp4Box | undefined,
): Generator<FileRange> {
  const area = areaOf(bytes, location, itemData);
  if (!area) throw corruptHeader(format);
  const reader = new NumberReader(view, location.at, bytes.length);
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
    yield [start, end];
  }
}

const parse = (file: HeifFile, meta: Mp4Box): HeifItems => {
  const { format } = file;
  const boxes = new Map<string, Mp4Box>();
  for (const box of childrenOf(file, contentOf(meta))) {
    // A second box of a kind could contradict the one that limits were applied to.
    if (boxes.has(box.type) && box.type !== 'free') throw corruptHeader(format);
    boxes.set(box.type, box);
  }
  const [pitm, iinf, iloc, iref] = ['pitm', 'iinf', 'iloc', 'iref'].map((type) => boxes.get(type));
  if (!pitm || !iinf || !iloc) throw corruptHeader(format);
  const { items, sizes } = readLocations(file, iloc);
  const { all, associations } = readProperties(file, boxes.get('iprp'));
  const placesOf = (location: ItemLocation) => extentsOf(file, location, sizes, boxes.get('idat'));
  return {
    primary: readPrimary(file, pitm),
    types: readTypes(file, iinf),
    references: iref ? readReferences(file, iref) : [],
    propertiesOf: (item) => (associations.get(item) ?? []).flatMap((index) => all[index - 1] ?? []),
    // Not a list: extents can be very many.
    hasData: (item) => {
      const location = items.get(item);
      let hasBytes = false;
      for (const [start, end] of location ? placesOf(location) : []) hasBytes ||= end > start;
      return hasBytes;
    },
    rangesOf: (item) => {
      const location = items.get(item);
      return location && [...placesOf(location)];
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
