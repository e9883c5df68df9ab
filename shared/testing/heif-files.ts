import { concatBytes, joinBytes } from './image-bytes';

/** Builds HEIF files whose boxes say whatever a test wants, without coded pixels. */

const text = (characters: string): Uint8Array => Uint8Array.from(characters, (c) => c.charCodeAt(0));

export const big = (value: number, bytes: 1 | 2 | 4): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256);

export const heifBox = (type: string, ...content: readonly Iterable<number>[]): Uint8Array => {
  const inside = concatBytes(...content);
  return concatBytes(big(8 + inside.length, 4), text(type), inside);
};

export const heifFullBox = (
  type: string,
  version: number,
  ...content: readonly Iterable<number>[]
): Uint8Array => heifBox(type, [version, 0, 0, 0], ...content);

export const heifItem = (id: number, type: string): Uint8Array =>
  heifFullBox('infe', 2, big(id, 2), [0, 0], text(type), [0]);

/** @param type `dimg`, `auxl`, `cdsc` */
export const heifReference = (type: string, from: number, to: readonly number[]): Uint8Array =>
  heifBox(
    type,
    big(from, 2),
    big(to.length, 2),
    to.flatMap((id) => big(id, 2)),
  );

/** An entry of `ipma`. */
export const heifAssociation = (id: number, indices: readonly number[]): number[] => [
  ...big(id, 2),
  indices.length,
  ...indices,
];

/** An entry of `iloc` with offsets and lengths of four bytes. */
export const heifLocation = (
  id: number,
  extents: readonly (readonly [start: number, length: number])[],
): number[] => [
  ...[...big(id, 2), 0, 0, ...big(extents.length, 2)],
  ...extents.flatMap(([start, length]) => [...big(start, 4), ...big(length, 4)]),
];

export const heifLocations = (entries: readonly (readonly number[])[], sizes = 0x4400): Uint8Array =>
  heifFullBox('iloc', 0, big(sizes, 2), big(entries.length, 2), joinBytes(entries));

/** The size of an image. */
export const heifSize = (width: number, height: number): Uint8Array =>
  heifFullBox('ispe', 0, big(width, 4), big(height, 4));

interface HeifParts {
  readonly brand?: 'heic' | 'avif';
  /** Before the box of the items. */
  readonly before?: readonly Uint8Array[];
  readonly items?: readonly Uint8Array[];
  readonly locations?: Uint8Array;
  readonly references?: readonly Uint8Array[];
  readonly properties?: readonly Uint8Array[];
  /** Entries of `ipma`. */
  readonly associations?: readonly (readonly number[])[];
  /** In the box of the items. */
  readonly inside?: readonly Uint8Array[];
  /** Behind it. */
  readonly behind?: readonly Uint8Array[];
}

/** A HEIC of 64 × 48 pixels whose only item is the file's first 100 bytes, as far as the parts say nothing else. */
export const heifFile = ({
  brand = 'heic',
  before = [],
  items = [heifItem(1, 'hvc1')],
  locations = heifLocations([heifLocation(1, [[0, 100]])]),
  references = [],
  properties = [heifSize(64, 48)],
  associations = [heifAssociation(1, [1])],
  inside = [],
  behind = [],
}: HeifParts = {}): Uint8Array =>
  concatBytes(
    heifBox('ftyp', text(brand), [0, 0, 0, 0], text(`mif1${brand}`)),
    joinBytes(before),
    heifFullBox(
      'meta',
      0,
      heifFullBox('pitm', 0, [0, 1]),
      heifFullBox('iinf', 0, big(Math.min(items.length, 65_535), 2), joinBytes(items)),
      locations,
      ...(references.length > 0 ? [heifFullBox('iref', 0, joinBytes(references))] : []),
      heifBox(
        'iprp',
        heifBox('ipco', joinBytes(properties)),
        heifFullBox('ipma', 0, big(associations.length, 4), joinBytes(associations)),
      ),
      joinBytes(inside),
    ),
    joinBytes(behind),
  );
