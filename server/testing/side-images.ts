import { boxesIn, type Mp4Box } from '#shared/engine/formats/mp4-boxes';
import { readHeifItems } from '#shared/engine/formats/images/heif-items';
import {
  big,
  heifAssociation,
  heifBox,
  heifFile,
  heifFullBox,
  heifItem,
  heifLocation,
  heifLocations,
  heifReference,
} from '#shared/testing/heif-files';
import { concatBytes, joinBytes, jpegSegment } from '#shared/testing/image-bytes';

/** In all texts and data next to the pixels of the side images. */
export const MARK = 'LEAKNAME';
const text = (characters: string): Uint8Array => new TextEncoder().encode(characters);

/** XMP of a gain map (ISO 21496-1, and as Adobe and Google write it). */
const GAIN_MAP_XMP = jpegSegment(
  0xe1,
  text(
    `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="${MARK}"/></rdf:RDF></x:xmpmeta>`,
  ),
);

/** The segment that says where the second image is. @param at from its byte order on */
const multiImage = (sizes: readonly [first: number, second: number], at: number): Uint8Array => {
  const field = (tag: number, type: number, count: number, value: readonly number[]): number[] => [
    ...[...big(tag, 2), ...big(type, 2), ...big(count, 4)],
    ...value,
  ];
  const image = (kind: number, size: number, offset: number): number[] => [
    ...[...big(kind, 4), ...big(size, 4), ...big(offset, 4), 0, 0, 0, 0],
  ];
  const [FIRST_AT, LIST_AT] = [8, 50];
  return jpegSegment(
    0xe2,
    concatBytes(
      ...[text('MPF\0MM\0*'), big(FIRST_AT, 4), big(3, 2)],
      field(0xb000, 7, 4, [...text('0100')]),
      field(0xb001, 4, 1, big(2, 4)),
      field(0xb002, 7, 32, big(LIST_AT, 4)),
      ...[[0, 0, 0, 0], image(0x030000, sizes[0], 0), image(0, sizes[1], at)],
    ),
  );
};

const START_BYTES = 2;
const MPF_BYTES = multiImage([0, 0], 0).length;
/** Of the segment: marker, length and `MPF\0`, before its byte order. */
const MPF_HEAD_BYTES = 8;

/** A JPEG with a gain map behind it, as phones write them. */
export const jpegWithGainMap = (image: Uint8Array, gainMap: Uint8Array): Uint8Array => {
  const [start, rest] = [image.subarray(0, START_BYTES), image.subarray(START_BYTES)];
  const second = concatBytes(
    ...[gainMap.subarray(0, START_BYTES), GAIN_MAP_XMP, jpegSegment(0xfe, text(MARK))],
    gainMap.subarray(START_BYTES),
  );
  const firstBytes = image.length + GAIN_MAP_XMP.length + MPF_BYTES;
  const orderAt = START_BYTES + GAIN_MAP_XMP.length + MPF_HEAD_BYTES;
  const mpf = multiImage([firstBytes, second.length], firstBytes - orderAt);
  return concatBytes(start, GAIN_MAP_XMP, mpf, rest, second);
};

/** The only image of a HEIC or AVIF file. */
interface CodedImage {
  readonly type: string;
  readonly properties: readonly Uint8Array[];
  readonly data: Uint8Array;
}

const codedImage = (bytes: Uint8Array): CodedImage => {
  const meta = [...boxesIn(bytes, 0, bytes.length)].find(({ type }) => type === 'meta') as Mp4Box;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const items = readHeifItems({ bytes, view, format: 'HEIF', count: () => undefined }, meta);
  const { primary } = items;
  return {
    type: items.types.get(primary) ?? '',
    properties: items.propertiesOf(primary).map(({ start, end }) => bytes.subarray(start - 8, end)),
    data: joinBytes((items.rangesOf(primary) ?? []).map(([start, end]) => bytes.subarray(start, end))),
  };
};

/** What side images are, by the name of their kind. */
export const SIDES = {
  'gain map': 'urn:com:apple:photo:2020:aux:hdrgainmap',
  depth: 'urn:mpeg:hevc:2015:auxid:2',
  'portrait matte': 'urn:com:apple:photo:2018:aux:portraiteffectsmatte',
  'skin matte': 'urn:com:apple:photo:2019:aux:semanticskinmatte',
} as const;
type Side = keyof typeof SIDES;

interface Item {
  readonly type: string;
  readonly properties: readonly Uint8Array[];
  readonly data: Uint8Array;
  readonly references: readonly (readonly [type: string, to: readonly number[]])[];
}

const PRIMARY = 1;
const FIRST_SIDE = 2;

const sideItem = ({ type, properties, data }: CodedImage, side: Side): Item => ({
  ...{ type, data, references: [['auxl', [PRIMARY]]] },
  properties: [...properties, heifFullBox('auxC', 0, text(`${SIDES[side]}\0`))],
});

const build = (brand: 'heic' | 'avif', items: readonly Item[], dataAt: number): Uint8Array => {
  let [at, property] = [dataAt, 1];
  const ids = items.map((_, i) => i + PRIMARY);
  const locations = items.map(({ data }, i) => {
    const location = heifLocation(ids[i]!, [[at, data.length]]);
    at += data.length;
    return location;
  });
  return heifFile({
    brand,
    items: items.map(({ type }, i) => heifItem(ids[i]!, type)),
    locations: heifLocations(locations),
    references: items.flatMap(({ references }, i) =>
      references.map(([type, to]) => heifReference(type, ids[i]!, to)),
    ),
    properties: items.flatMap(({ properties }) => [...properties]),
    associations: items.map(({ properties }, i) =>
      heifAssociation(
        ids[i]!,
        properties.map(() => property++),
      ),
    ),
    inside: [heifFullBox('hdlr', 0, big(0, 4), text('pict'), new Uint8Array(13))],
    behind: [heifBox('mdat', ...items.map(({ data }) => data))],
  });
};

/**
 * The image of a HEIC or AVIF file with side images in items of their own, and data of each.
 *
 * @param side file of which the image is taken for each of them
 * @param isToneMap whether the first one is the gain map of a `tmap` item
 */
export const heifWithSides = (
  brand: 'heic' | 'avif',
  [image, side]: readonly [Uint8Array, Uint8Array],
  sides: readonly Side[],
  isToneMap = false,
): Uint8Array => {
  const sideImage = codedImage(side);
  const images: Item[] = [
    { ...codedImage(image), references: [] },
    ...sides.map((name) => sideItem(sideImage, name)),
  ];
  const about = (of: number): Item => ({
    ...{ type: 'Exif', properties: [], data: text(`\0\0\0\0${MARK}`), references: [['cdsc', [of]]] },
  });
  const toneMap: Item = {
    ...{ type: 'tmap', properties: [], data: text(MARK), references: [['dimg', [PRIMARY, FIRST_SIDE]]] },
  };
  const items = [...images, ...(isToneMap ? [toneMap] : []), ...sides.map((_, i) => about(FIRST_SIDE + i))];
  const dataBytes = items.reduce((sum, { data }) => sum + data.length, 0);
  return build(brand, items, build(brand, items, 0).length - dataBytes);
};
