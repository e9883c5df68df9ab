import { hasCharacters, viewOf } from './bytes';
import { bigEndian, join, text, type Insert } from './insert-parts';
import { boxesIn, FULL_BOX_BYTES, type Mp4Box } from './mp4-boxes';

const BOX_HEADER_BYTES = 8;
/** Version 0 of the table of locations, with 4 bytes for offsets, lengths and bases, as our encoder writes it. */
const LOCATIONS_START = '\0\0\0\0\x44\x40';
const LOCATIONS_AT = LOCATIONS_START.length + 2;
const BASE_AT = 4;
const EXTENTS_AT = 8;
const ENTRY_BYTES = 10;
const EXTENT_BYTES = 8;

/** A block of metadata that becomes an item of the file. */
interface Item {
  readonly id: number;
  readonly type: 'Exif' | 'mime';
  readonly content: Uint8Array;
}

const box = (type: string, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = join(...parts);
  return join(bigEndian(4, BOX_HEADER_BYTES + content.length), text(type), content);
};
const NO_FLAGS = bigEndian(4, 0);
const VERSION_2 = bigEndian(4, 2 << 24);

const infoOf = ({ id, type }: Item): Uint8Array =>
  box(
    'infe',
    VERSION_2,
    bigEndian(2, id, 0),
    text(type),
    text(type === 'mime' ? '\0application/rdf+xml\0' : '\0'),
  );

const withMoreInfos = (infos: Uint8Array, items: readonly Item[]): Uint8Array => {
  const count = viewOf(infos).getUint16(FULL_BOX_BYTES) + items.length;
  return box('iinf', NO_FLAGS, bigEndian(2, count), infos.subarray(FULL_BOX_BYTES + 2), ...items.map(infoOf));
};

/** Where the entries of the table begin. */
const entriesOf = (locations: Uint8Array): number[] => {
  const view = viewOf(locations);
  const count = view.getUint16(LOCATIONS_START.length);
  const entries: number[] = [];
  for (let at = LOCATIONS_AT; entries.length < count;) {
    entries.push(at);
    at += ENTRY_BYTES + EXTENT_BYTES * view.getUint16(at + EXTENTS_AT);
  }
  return entries;
};

/** @param shift of the bytes that are there already @param dataAt where those of the new items begin */
const withMoreLocations = (
  locations: Uint8Array,
  items: readonly Item[],
  { shift, dataAt }: { readonly shift: number; readonly dataAt: number },
): Uint8Array => {
  const moved = locations.slice(LOCATIONS_AT);
  const view = viewOf(moved);
  for (const entry of entriesOf(locations)) {
    const at = entry - LOCATIONS_AT + BASE_AT;
    view.setUint32(at, view.getUint32(at) + shift);
  }
  let next = dataAt;
  const added = items.map(({ id, content }) => {
    const entry = [bigEndian(2, id, 0), bigEndian(4, 0), bigEndian(2, 1), bigEndian(4, next, content.length)];
    next += content.length;
    return join(...entry);
  });
  const count = viewOf(locations).getUint16(LOCATIONS_START.length) + items.length;
  return box('iloc', text(LOCATIONS_START), bigEndian(2, count), moved, ...added);
};

/** States which image the items describe. */
const references = (items: readonly Item[], image: number): Uint8Array =>
  box('iref', NO_FLAGS, ...items.map(({ id }) => box('cdsc', bigEndian(2, id, 1, image))));

interface Parts {
  readonly meta: Mp4Box;
  readonly children: readonly Mp4Box[];
  readonly locations: Uint8Array;
  readonly infos: Uint8Array;
  /** Id of the image. */
  readonly image: number;
}

/** @throws where the encoder writes something else than it does today */
const partsOf = (file: Uint8Array): Parts => {
  const outer = [...boxesIn(file, 0, file.length)];
  const meta = outer.find(({ type }) => type === 'meta');
  const children = meta ? [...boxesIn(file, meta.start + FULL_BOX_BYTES, meta.end)] : [];
  const [locations, infos, primary, others] = ['iloc', 'iinf', 'pitm', 'iref'].map((wanted) => {
    const found = children.find(({ type }) => type === wanted);
    return found && file.subarray(found.start, found.end);
  });
  const isKnown = locations && infos && primary && !others && hasCharacters(locations, 0, LOCATIONS_START);
  const isBefore = outer.findIndex(({ type }) => type === 'mdat') > outer.findIndex((each) => each === meta);
  if (!meta || !isKnown || !isBefore) throw new Error('An AVIF file of an unknown layout was encoded.');
  return { meta, children, locations, infos, image: viewOf(primary).getUint16(FULL_BOX_BYTES) };
};

/**
 * Writes metadata into an AVIF file of our encoder, whose data follows its index: as items behind the image's data.
 *
 * @see ISO/IEC 23008-12, annex A
 */
export const insertIntoAvif: Insert = (file, { exif, xmp }) => {
  const { meta, children, locations, infos, image } = partsOf(file);
  const view = viewOf(locations);
  const first = 1 + Math.max(...entriesOf(locations).map((entry) => view.getUint16(entry)));
  // Before EXIF stands the distance of its structure.
  const contents = [
    ...(exif ? [{ type: 'Exif', content: join(bigEndian(4, 0), exif) } as const] : []),
    ...(xmp ? [{ type: 'mime', content: xmp } as const] : []),
  ];
  const items: Item[] = contents.map((each, index) => ({ id: first + index, ...each }));
  const index = (places: Parameters<typeof withMoreLocations>[2]): Uint8Array => {
    const changed: Readonly<Record<string, Uint8Array>> = {
      iloc: withMoreLocations(locations, items, places),
      iinf: withMoreInfos(infos, items),
    };
    const written = children.map(
      ({ type, start, end }) => changed[type] ?? file.subarray(start - BOX_HEADER_BYTES, end),
    );
    return box('meta', NO_FLAGS, ...written, references(items, image));
  };
  const metaAt = meta.start - BOX_HEADER_BYTES;
  const shift = index({ shift: 0, dataAt: 0 }).length - (meta.end - metaAt);
  return join(
    file.subarray(0, metaAt),
    index({ shift, dataAt: file.length + shift + BOX_HEADER_BYTES }),
    file.subarray(meta.end),
    box('mdat', ...items.map(({ content }) => content)),
  );
};
