import { sniff } from '../../testing/sniffed-files';
import { imageFile } from '../../testing/image-files';
import { describe, expect, it } from 'vitest';
import { concatBytes, JPEG_START, jpegFile, jpegSegment, pngChunk, pngFile } from '../../testing/image-bytes';
import { xmpPacket } from '../../testing/xmp-packets';
import { readXmp } from './xmp';
import { bytesAt, NO_NOTES } from './header-reader';
import { readExif } from './exif';
import { writeMetadata } from './keep-metadata';
import { INSERT } from './insert-metadata';
import { keptExif } from './kept-exif';

type Field = readonly [tag: number, type: number, count: number, value: readonly number[]];
interface Ifd {
  readonly fields: readonly Field[];
  /** Offset of the next IFD. */
  readonly next?: number;
}

const ascii = (characters: string): number[] => [...`${characters}\0`].map((each) => each.charCodeAt(0));
const text = (tag: number, characters: string): Field => [tag, 2, characters.length + 1, ascii(characters)];
const bytesOf = (value: number, bytes: number, isLittle: boolean): number[] => {
  const big = Array.from({ length: bytes }, (_, at) => (value / 256 ** (bytes - 1 - at)) & 0xff);
  return isLittle ? big.reverse() : big;
};
const rationals = (isLittle: boolean, ...values: readonly number[]): number[] =>
  values.flatMap((value) => [...bytesOf(value, 4, isLittle), ...bytesOf(1, 4, isLittle)]);

const IFD_BYTES = 400;
const FIRST_AT = 8;
const placeOf = (index: number): number => FIRST_AT + index * IFD_BYTES;

/** A TIFF structure with an IFD each 400 bytes, as a camera would write it. */
const tiffOf = (isLittle: boolean, ifds: readonly Ifd[]): Uint8Array => {
  const bytes = new Uint8Array(placeOf(ifds.length));
  bytes.set([
    ...(isLittle ? [0x49, 0x49] : [0x4d, 0x4d]),
    ...bytesOf(42, 2, isLittle),
    ...bytesOf(8, 4, isLittle),
  ]);
  for (const [index, { fields, next = 0 }] of ifds.entries()) {
    const at = placeOf(index);
    let outside = at + 2 + 12 * fields.length + 4;
    bytes.set(bytesOf(fields.length, 2, isLittle), at);
    for (const [each, [tag, type, count, value]] of fields.entries()) {
      const inline = value.length <= 4 ? value : bytesOf(outside, 4, isLittle);
      bytes.set(
        [
          ...bytesOf(tag, 2, isLittle),
          ...bytesOf(type, 2, isLittle),
          ...bytesOf(count, 4, isLittle),
          ...inline,
        ],
        at + 2 + 12 * each,
      );
      if (value.length > 4) {
        bytes.set(value, outside);
        outside += value.length;
      }
    }
    bytes.set(bytesOf(next, 4, isLittle), at + 2 + 12 * fields.length);
  }
  return bytes;
};

/** Reads a TIFF structure independently: the value bytes of each tag of its linked IFDs. */
const readBack = (tiff: Uint8Array): Record<string, number[]> => {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = view.getUint16(0) === 0x4949;
  const found: Record<string, number[]> = {};
  const read = (name: string, at: number): void => {
    const count = view.getUint16(at, isLittle);
    expect(view.getUint32(at + 2 + 12 * count, isLittle)).toBe(0);
    let lastTag = -1;
    for (let i = 0; i < count; i++) {
      const entry = at + 2 + 12 * i;
      const tag = view.getUint16(entry, isLittle);
      expect(tag).toBeGreaterThan(lastTag);
      lastTag = tag;
      const unit = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8][view.getUint16(entry + 2, isLittle)]!;
      const bytes = unit * view.getUint32(entry + 4, isLittle);
      const start = bytes <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
      if (tag === 0x8769) read('exif', view.getUint32(entry + 8, isLittle));
      else if (tag === 0x8825) read('gps', view.getUint32(entry + 8, isLittle));
      else found[`${name} ${tag.toString(16)}`] = [...tiff.subarray(start, start + bytes)];
    }
  };
  read('ifd0', view.getUint32(4, isLittle));
  return found;
};

const camera = (isLittle: boolean): Uint8Array =>
  tiffOf(isLittle, [
    {
      fields: [
        text(0x010e, 'secret description'),
        text(0x010f, 'ACME'),
        text(0x0110, 'Camera 1'),
        [0x0112, 3, 1, bytesOf(6, 2, isLittle)],
        text(0x013b, 'secret artist'),
        [0x8769, 4, 1, bytesOf(placeOf(1), 4, isLittle)],
        [0x8825, 4, 1, bytesOf(placeOf(2), 4, isLittle)],
      ],
      next: placeOf(3),
    },
    {
      fields: [
        [0x829d, 5, 1, rationals(isLittle, 4)],
        [0x8827, 3, 1, bytesOf(200, 2, isLittle)],
        [0x927c, 7, 18, ascii('secret maker note')],
        [0x9286, 7, 15, ascii('secret comment')],
        [0x9214, 3, 2, [1, 2, 3, 4]],
        text(0xa431, 'secret serial'),
      ],
    },
    {
      fields: [
        text(0x01, 'N'),
        [0x02, 5, 3, rationals(isLittle, 52, 31, 0)],
        [0x1b, 7, 11, ascii('secret gps')],
      ],
    },
    { fields: [text(0x0201, 'secret thumbnail')] },
  ]);

describe.each([
  ['little', true],
  ['big', false],
])('metadata in %s-endian order', (_name, isLittle) => {
  const kept = keptExif(camera(isLittle))!;

  it('keeps camera, exposure and place', () => {
    expect(readBack(kept)).toEqual({
      'ifd0 10f': ascii('ACME'),
      'ifd0 110': ascii('Camera 1'),
      'exif 829d': rationals(isLittle, 4),
      'exif 8827': bytesOf(200, 2, isLittle),
      'exif 9000': [0x30, 0x32, 0x33, 0x32],
      'gps 1': ascii('N'),
      'gps 2': rationals(isLittle, 52, 31, 0),
    });
  });

  it('keeps no thumbnail, note, comment, serial number nor name', () => {
    expect(new TextDecoder().decode(kept)).not.toContain('secret');
  });

  it('keeps no orientation, because the pixels are upright', () => {
    expect(readExif(kept, NO_NOTES.note)).toBe(1);
  });
});

describe('broken metadata', () => {
  it.each([
    ['no bytes', new Uint8Array()],
    ['no TIFF structure', Uint8Array.from(ascii('no TIFF structure'))],
    ['an IFD outside of the file', Uint8Array.of(0x4d, 0x4d, 0, 42, 0xff, 0xff, 0xff, 0xff)],
    ['no field to keep', tiffOf(false, [{ fields: [text(0x010e, 'secret')] }])],
    ['a date that is none', tiffOf(false, [{ fields: [text(0x0132, '2026 by Ann')] }])],
    ['a text with control characters', tiffOf(false, [{ fields: [[0x010f, 2, 4, [0x41, 0x1b, 0x5b, 0]]] }])],
    [
      'too many numbers in a field',
      tiffOf(false, [{ fields: [[0x010f, 1, 100, new Array<number>(100).fill(7)]] }]),
    ],
    [
      'a value outside of the file',
      tiffOf(false, [{ fields: [[0x010f, 2, 100, [0xff, 0xff, 0xff, 0xff]]] }]),
    ],
  ])('with %s gives nothing', (_name, exif) => {
    expect(keptExif(exif)).toBeUndefined();
  });

  it('never throws, and never grows, whichever byte is changed', () => {
    const exif = camera(true);
    for (let at = 0; at < exif.length; at++) {
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const changed = exif.slice();
        changed[at] = value;
        expect(keptExif(changed)?.length ?? 0).toBeLessThan(exif.length);
      }
    }
  });

  it('with circular offsets does not loop', () => {
    const loop = tiffOf(false, [
      {
        fields: [
          text(0x010f, 'ACME'),
          [0x8769, 4, 1, bytesOf(8, 4, false)],
          [0x8825, 4, 1, bytesOf(8, 4, false)],
        ],
      },
    ]);
    expect(readBack(keptExif(loop)!)).toEqual({ 'ifd0 10f': ascii('ACME') });
  });
});

describe('a result', () => {
  const exif = camera(false);
  const jpeg = jpegFile(20, 10, exif);
  const png = pngFile(20, 10, pngChunk('eXIf', exif));
  const plain = { jpeg: jpegFile(20, 10), png: pngFile(20, 10) };
  const keep = async (bytes: Uint8Array, result: Parameters<typeof writeMetadata>[1]) =>
    writeMetadata({ bytes, header: await sniff(bytes), isKept: true }, result);
  const exifOf = async (bytes: Uint8Array) => bytesAt(bytes, (await sniff(bytes)).exif ?? []);

  it.each([
    ['jpeg', 'jpeg'],
    ['jpeg', 'png'],
    ['png', 'jpeg'],
    ['png', 'png'],
  ] as const)('of %s as %s is a sound file that has the fields', async (from, to) => {
    const bytes = from === 'jpeg' ? jpeg : png;
    const result = await keep(bytes, { bytes: plain[to], format: to });
    expect(await sniff(result)).toMatchObject({ format: to, width: 20, height: 10, orientation: 1 });
    expect(readBack(await exifOf(result))).toMatchObject({ 'ifd0 10f': ascii('ACME') });
  });

  it.each([
    ['p3.heic', 'Maker'],
    ['turned.avif', 'Maker'],
    ['adobe.tif', 'Maker'],
  ] as const)('of %s has the fields of its EXIF, and stands upright without them', async (name, maker) => {
    const kept = await keep(imageFile(name), { bytes: plain.jpeg, format: 'jpeg' });
    expect((await sniff(kept)).orientation).toBe(1);
    expect(readBack(await exifOf(kept))).toMatchObject({ 'ifd0 10f': ascii(maker) });
  });

  it.each(['jpeg', 'png'] as const)(
    'as %s has the allowed properties of XMP, also without EXIF',
    async (format) => {
      const packet = ascii(
        `http://ns.adobe.com/xap/1.0/\0${xmpPacket('GPano:SourcePhotosCount="3" dc:creator="Ann"')}`,
      );
      const bytes = concatBytes(
        JPEG_START,
        jpegSegment(0xe1, packet.slice(0, -1)),
        jpegFile(20, 10).subarray(2),
      );
      const result = await keep(bytes, { bytes: plain[format], format });
      const { xmp = [], width } = await sniff(result);
      expect(width).toBe(20);
      const kept = readXmp(bytesAt(result, xmp));
      expect(kept.map(({ name, value }) => [name, value])).toEqual([['SourcePhotosCount', '3']]);
      expect(new TextDecoder().decode(result)).not.toContain('Ann');
    },
  );

  it('of a file without any stays as it is', async () => {
    const result = { bytes: plain.png, format: 'png' } as const;
    expect(await keep(plain.jpeg, result)).toBe(plain.png);
  });

  it.each(['jpeg', 'png'] as const)(
    'of a panorama as %s says that it is one, by its own size, and nothing else without kept metadata',
    async (format) => {
      const packet = new TextEncoder().encode(
        xmpPacket('GPano:FullPanoWidthPixels="8000" GPano:PoseHeadingDegrees="7" exif:GPSLatitude="1,2.5N"'),
      );
      const bytes = INSERT.jpeg(jpegFile(20, 10), { exif: undefined, xmp: packet });
      const propertiesOf = async (isKept: boolean) => {
        const source = { bytes, header: await sniff(bytes), isKept, sphere: { width: 20, height: 10 } };
        const result = writeMetadata(source, { bytes: plain[format], format });
        const { xmp = [], projection } = await sniff(result);
        expect(projection).toBe('sphere');
        return Object.fromEntries(readXmp(bytesAt(result, xmp)).map(({ name, value }) => [name, value]));
      };
      const sphere = {
        ProjectionType: 'equirectangular',
        UsePanoramaViewer: 'True',
        FullPanoWidthPixels: '20',
        FullPanoHeightPixels: '10',
        CroppedAreaImageWidthPixels: '20',
        CroppedAreaImageHeightPixels: '10',
        CroppedAreaLeftPixels: '0',
        CroppedAreaTopPixels: '0',
      };
      expect(await propertiesOf(false)).toEqual(sphere);
      expect(await propertiesOf(true)).toEqual({ ...sphere, PoseHeadingDegrees: '7', GPSLatitude: '1,2.5N' });
    },
  );
});
