import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { encodeImage } from '#shared/engine/anonymise-image';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { DEFAULT_ENCODINGS } from '#shared/tasks/base/settings';
import { rampPng } from '#shared/testing/ramp-images';
import { xmpPacket } from '#shared/testing/xmp-packets';
import { findService } from '../testing/services/install';
import { temporaryFolder } from '../testing/temporary-folder';
import { imageCodec } from './image-codec';

const MARK = 'LEAKNAME';
const GROUPS = ['EXIF', 'XMP', 'IPTC', 'PNG', 'Photoshop', 'JFIF'];

/** Some of the fields that are kept, with values that they can have. */
const KEPT = {
  'ExifIFD:DateTimeOriginal': '2026:05:04 12:30:01',
  'ExifIFD:OffsetTimeOriginal': '+02:00',
  'ExifIFD:SubSecTimeOriginal': 250,
  'GPS:GPSImgDirection': 99.5,
  'XMP-GPano:PoseHeadingDegrees': 123.5,
  'XMP-GPano:ProjectionType': 'equirectangular',
  'XMP-exif:DateTimeOriginal': '2026:05:04 12:30:01.25+02:00',
  'XMP-exif:GPSImgDirection': 99.5,
};
/** Fields of other values than text: ExifTool writes what they can have. */
const NUMBERS = [...['ExifIFD:ExifVersion', 'GPS:GPSVersionID'], 'XMP-GPano:ExposureLockUsed'];
/** What the result of a panorama says, whether metadata is kept or not. */
const OF_SPHERE = {
  'XMP-GPano:ProjectionType': 'equirectangular',
  'XMP-GPano:UsePanoramaViewer': true,
  'XMP-GPano:FullPanoWidthPixels': 60,
  'XMP-GPano:FullPanoHeightPixels': 30,
  'XMP-GPano:CroppedAreaImageWidthPixels': 60,
  'XMP-GPano:CroppedAreaImageHeightPixels': 30,
  'XMP-GPano:CroppedAreaLeftPixels': 0,
  'XMP-GPano:CroppedAreaTopPixels': 0,
};
/** The only texts of any form. */
const NAMES = ['ExifIFD:LensMake', 'ExifIFD:LensModel', 'IFD0:Make', 'IFD0:Model'];
/** What ExifTool says of files without metadata. */
const ABOUT_FILE = /^(SourceFile|(ExifTool|System|File|Composite|PNG|PNG-pHYs|JFIF|RIFF|QuickTime|Meta):.*)$/;

const exiftool = await findService({
  ...{ service: 'ExifTool', program: 'exiftool', aptPackage: 'libimage-exiftool-perl' },
});

type Fields = Readonly<Record<string, unknown>>;
const run = (...args: string[]): string =>
  // It warns of each field that takes no text.
  execFileSync(exiftool!, args, { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 }).toString();
const fieldsIn = (folder: string, bytes: Uint8Array): Fields => {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const [fields = {}] = JSON.parse(run('-j', '-G1', '-a', '-n', path)) as Fields[];
  return fields;
};
const withMark = (fields: Fields): string[] =>
  Object.keys(fields).filter((name) => String(fields[name]).includes(MARK));

/** The file with a mark in every field that takes one. */
const marked = (folder: string, bytes: Uint8Array): Uint8Array => {
  const [plain, written] = [join(folder, 'plain'), join(folder, 'marked')];
  writeFileSync(plain, bytes);
  const everywhere = GROUPS.map((group) => `-${group}:*=${MARK}`);
  const values = Object.entries(KEPT).map(([name, value]) => `-${name}=${value}`);
  const more = [`-Comment=${MARK}`, `-ThumbnailImage<=${plain}`, '-n', '-m', '-q', '-q'];
  run(...everywhere, ...values, ...more, '-o', written, plain);
  return readFileSync(written);
};

const FORMATS = ['jpeg', 'png', 'avif', 'tiff'] as const;
/** Of TIFF without tables, which are fields, too. */
const plainFile = (format: (typeof FORMATS)[number]): Promise<Uint8Array> =>
  sharp(rampPng(60, 30))
    .toFormat(format, format === 'tiff' ? { compression: 'lzw' } : {})
    .toBuffer();

const othersThan = (known: readonly string[], fields: Fields): string[] =>
  Object.keys(fields).filter((name) => !known.includes(name) && !ABOUT_FILE.test(name));

const requireOnlyKeptFields = async (source: Uint8Array, folder: string): Promise<void> => {
  const known = [...Object.keys({ ...KEPT, ...OF_SPHERE }), ...NAMES, ...NUMBERS];
  const header = await readImageHeader(source, LIMITS);
  const raster = await imageCodec.decode(source, header);
  for (const encoding of Object.values(DEFAULT_ENCODINGS)) {
    const result = await encodeImage(
      imageCodec,
      { raster },
      { bytes: source, header, encoding, keepMetadata: true },
    );
    const fields = fieldsIn(folder, result);
    expect(fields).toMatchObject(KEPT);
    expect(withMark(fields).sort()).toEqual(NAMES);
    expect(othersThan(known, fields)).toEqual([]);
  }
  const fresh = fieldsIn(
    folder,
    await encodeImage(imageCodec, { raster }, { bytes: source, header, encoding: DEFAULT_ENCODINGS.jpeg }),
  );
  expect(fresh).toMatchObject(OF_SPHERE);
  expect(othersThan(Object.keys(OF_SPHERE), fresh)).toEqual([]);
};

describe.skipIf(!exiftool)('a mark in every field of a source', () => {
  const check = async (format: Parameters<typeof plainFile>[0]): Promise<void> => {
    const folder = temporaryFolder();
    const source = marked(folder, await plainFile(format));
    expect(withMark(fieldsIn(folder, source)).length).toBeGreaterThan(1_000);
    await requireOnlyKeptFields(source, folder);
  };

  it.each(FORMATS)(
    'is only in the names of camera and lens in a result with kept metadata: %s',
    { tags: ['slow'] },
    check,
  );
});

describe('kept metadata', () => {
  it.each(Object.values(DEFAULT_ENCODINGS))(
    'does not change the pixels of a result: $format',
    async (encoding) => {
      const source = await sharp(rampPng(41, 31))
        .withExif({ IFD0: { Make: 'ACME' } })
        .withXmp(xmpPacket('GPano:SourcePhotosCount="3"'))
        .webp()
        .toBuffer();
      const header = await readImageHeader(source, LIMITS);
      const raster = await imageCodec.decode(source, header);
      const [plain, kept] = await Promise.all([
        encodeImage(imageCodec, { raster }, { bytes: source, header, encoding }),
        encodeImage(imageCodec, { raster }, { bytes: source, header, encoding, keepMetadata: true }),
      ]);
      const [before, after] = [await readImageHeader(plain, LIMITS), await readImageHeader(kept, LIMITS)];
      expect([before.metadata, after.metadata]).toEqual([[], ['exif', 'xmp', 'panorama']]);
      expect(after).toMatchObject({ format: encoding.format, width: 41, height: 31, orientation: 1 });
      expect(await imageCodec.decode(kept, after)).toEqual(await imageCodec.decode(plain, before));
    },
  );
});
