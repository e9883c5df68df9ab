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
  heifSize,
} from '#shared/testing/heif-files';
import { concatBytes } from '#shared/testing/image-bytes';
import { ascii, countOf, limitOf, pickOf, repeated, times, type HostileFiles } from './structure-values';

const MAX_IDS = 65_535;

/** Boxes that say how large they are in any way: up to their end, in eight bytes, too much. */
const oddBox = (next: () => number): Uint8Array => {
  const type = pickOf(['free', 'meta', 'moov', 'trak', 'iloc', 'iref', 'mdat', '\0\0\0\0'], next);
  const size = pickOf([0, 1, 7, 8, 9, 16, 2 ** 31, 2 ** 32 - 1], next);
  return concatBytes(big(size, 4), ascii(type), size === 1 ? [...big(0, 4), ...big(limitOf(next), 4)] : []);
};

const nested = (types: readonly string[], depth: number): Uint8Array => {
  let inside = new Uint8Array(0);
  for (let level = depth; level > 0; level -= 1) {
    inside = heifBox(types[level % types.length] ?? 'free', inside) as Uint8Array<ArrayBuffer>;
  }
  return inside;
};

const gridOf = (parts: readonly number[], extents: readonly (readonly [number, number])[]): Uint8Array =>
  heifFile({
    items: [heifItem(1, 'grid'), ...[...new Set(parts)].map((id) => heifItem(id, 'hvc1'))],
    references: [heifReference('dimg', 1, parts)],
    locations: heifLocations([1, ...new Set(parts)].map((id) => heifLocation(id, extents))),
  });

/** `iloc`, `ipma`, `iref`, boxes and nesting of HEIC files. */
export const HOSTILE_HEIF: HostileFiles = {
  'extents of any size': (next) => {
    const sizes = pickOf([0, 0x4400, 0x0400, 0x4000, 0x8800, 0x4440, 0xffff], next);
    const entry = [...big(1, 2), 0, 0, ...big(limitOf(next, 2), 2), ...big(limitOf(next), 4)];
    const count = countOf(next, entry.length, MAX_IDS);
    return heifFile({ locations: heifLocations([[...repeated(count, entry)]], sizes) });
  },
  'extents of the whole file': (next) => {
    const extent = [limitOf(next), limitOf(next)] as const;
    return heifFile({
      locations: heifLocations([
        heifLocation(
          1,
          times(countOf(next, 8, MAX_IDS), () => extent),
        ),
      ]),
    });
  },
  'parts of parts': (next) => {
    const ids = countOf(next, 60, 12_000);
    return gridOf(
      times(ids, (index) => (next() < 0.5 ? 2 : 2 + index)),
      times(countOf(next, 8 * ids, 100), () => [0, limitOf(next, 2)]),
    );
  },
  'the same part again and again': (next) =>
    gridOf(
      times(countOf(next, 2, MAX_IDS), () => 2),
      times(countOf(next, 8, MAX_IDS) / 2, () => [0, 100]),
    ),
  'parts in a circle': (next) => {
    const ids = times(countOf(next, 40, 10_000), (index) => index + 1);
    return heifFile({
      items: ids.map((id) => heifItem(id, pickOf(['grid', 'iden', 'iovl'], next))),
      references: ids.map((id) => heifReference('dimg', id, [(id % ids.length) + 1])),
    });
  },
  'properties of one item': (next) =>
    heifFile({
      associations: times(countOf(next, 258, 4_000), () =>
        heifAssociation(
          1,
          times(255, () => Math.floor(next() * 4)),
        ),
      ),
      properties: [heifSize(64, 48), heifBox('irot', [1]), heifBox('imir', [1])],
    }),
  'properties of many items': (next) => {
    const ids = countOf(next, 3, MAX_IDS);
    return heifFile({
      associations: times(ids, (id) =>
        heifAssociation(
          id,
          times(next() < 0.5 ? 0 : 8, () => 1),
        ),
      ),
    });
  },
  'transparency that many items describe': (next) =>
    heifFile({
      references: times(countOf(next, 14, 20_000), (index) => heifReference('auxl', 2 + (index % 3), [1])),
      associations: [
        heifAssociation(1, [1]),
        ...times(countOf(next, 258, 2_000), () =>
          heifAssociation(
            2,
            times(255, () => 2),
          ),
        ),
      ],
      properties: [heifSize(64, 48), heifFullBox('auxC', 0, ascii(`urn:${'x'.repeat(200)}`))],
    }),
  'references of any length': (next) =>
    heifFile({
      references: times(countOf(next, 600, 1_000), (index) =>
        concatBytes(
          heifReference(
            pickOf(['dimg', 'auxl', 'cdsc', 'thmb'], next),
            1 + (index % 2),
            times(250, () => 1),
          ),
        ),
      ),
    }),
  'boxes next to each other': (next) =>
    heifFile({
      [pickOf(['before', 'behind', 'inside'] as const, next)]: [repeated(countOf(next, 8), heifBox('free'))],
    }),
  'boxes of odd sizes': (next) =>
    heifFile({ before: next() < 0.5 ? [oddBox(next)] : [], inside: [oddBox(next)], behind: [oddBox(next)] }),
  'boxes in boxes': (next) =>
    heifFile({
      behind: [
        nested(
          pickOf([['moov', 'trak', 'mdia', 'minf', 'stbl'], ['meta'], ['trak']], next),
          countOf(next, 400, 2_000),
        ),
      ],
    }),
  'tracks next to each other': (next) =>
    heifFile({
      behind: [
        heifBox('moov', repeated(countOf(next, 8), heifBox('trak')), heifBox('trak', heifBox('mdia'))),
      ],
    }),
  'items of any number': (next) => {
    const count = countOf(next, 21, MAX_IDS);
    return heifFile({
      items: times(count, (index) =>
        heifItem(next() < 0.5 ? 1 : index, pickOf(['hvc1', 'Exif', 'mime'], next)),
      ),
    });
  },
  'a large EXIF item': (next) => {
    const fields = limitOf(next, 2);
    const exif = concatBytes(
      big(0, 4),
      ascii('MM\0*'),
      big(8, 4),
      big(fields, 2),
      new Uint8Array(12 * countOf(next, 12, fields)),
    );
    return heifFile({
      items: [heifItem(1, 'hvc1'), heifItem(2, 'Exif')],
      references: [heifReference('cdsc', 2, [1])],
      before: [heifBox('free', exif)],
      locations: heifLocations([heifLocation(1, [[0, 100]]), heifLocation(2, [[32, exif.length]])]),
    });
  },
};
