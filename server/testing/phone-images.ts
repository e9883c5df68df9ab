import sharp from 'sharp';
import type { HdrTransfer } from '#shared/domain/hdr';
import type { MetadataKind } from '#shared/domain/image-header';
import type { Projection } from '#shared/domain/projection';
import type { Size } from '#shared/domain/raster';
import { HDR_SIZE } from '#shared/testing/hdr-chart';
import { hdrFile } from '#shared/testing/hdr-files';
import { imageFile, RAMP_SIZE } from '#shared/testing/image-files';
import { concatBytes, pngChunk } from '#shared/testing/image-bytes';
import { rampPng } from '#shared/testing/ramp-images';
import { xmpPacket } from '#shared/testing/xmp-packets';
import type { RefusedFile } from './phone-clip';
import { heifWithSides, jpegWithGainMap, MARK, SIDES } from './side-images';

/** A file, and what its result has to have. */
export interface PhoneImage {
  readonly bytes: () => Promise<Uint8Array> | Uint8Array;
  readonly extension: string;
  readonly size: Size;
  readonly resultFormat: 'jpeg' | 'png';
  /** Transfer of an image that shows the chart of `hdr-files/`. */
  readonly chart?: HdrTransfer;
  readonly projection?: Projection;
  /** Kinds of metadata that the report names. */
  readonly removed: readonly MetadataKind[];
  /** Kinds that stay because the upload asks for them; none: it does not ask. */
  readonly kept: readonly MetadataKind[];
  /** Whether browsers do not decode it. */
  readonly isOnlyForServers?: boolean;
}

const SIZE = { width: 120, height: 60 };
const plainImage = () => sharp(rampPng(SIZE.width, SIZE.height));
const other = () => plainImage().negate().flip();

const imageOf = (
  extension: string,
  bytes: PhoneImage['bytes'],
  more: Partial<PhoneImage> = {},
): PhoneImage => ({
  ...{ bytes, extension, size: SIZE, resultFormat: 'jpeg', removed: [], kept: [] },
  ...more,
});
const charts = (['hlg', 'pq'] as const).flatMap((transfer) =>
  (['heic', 'avif', 'png'] as const).map((format) => {
    const more = {
      chart: transfer,
      size: HDR_SIZE,
      resultFormat: format === 'png' ? 'png' : 'jpeg',
    } as const;
    const image = imageOf(format, () => hdrFile(`${transfer}.${format}`), more);
    return [`${format.toUpperCase()} in ${transfer.toUpperCase()}`, image] as const;
  }),
);

const GPANO = 'GPano:ProjectionType="equirectangular"';
const DEPTH = `xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Mime="image/png" GDepth:Data="${MARK}"`;
const withXmp = async (xmp: string, image = plainImage()): Promise<Uint8Array> =>
  image.jpeg().withXmp(xmpPacket(xmp)).toBuffer();
const cropped = (height: number, top: number): string =>
  `${GPANO} GPano:FullPanoWidthPixels="120" GPano:FullPanoHeightPixels="120" GPano:CroppedAreaImageWidthPixels="120" GPano:CroppedAreaImageHeightPixels="${height}" GPano:CroppedAreaTopPixels="${top}"`;

/** As mapping needs them: place and heading, time with offset and fractions of a second, projection. */
const mapping = () =>
  plainImage()
    .withExif({
      IFD0: { Make: 'ACME', Software: MARK },
      IFD2: {
        DateTimeOriginal: '2026:05:04 12:30:01',
        OffsetTimeOriginal: '+02:00',
        SubSecTimeOriginal: '250',
        CameraOwnerName: MARK,
      },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 27/1', GPSImgDirection: '199/2' },
    })
    .withXmp(xmpPacket(`${GPANO} dc:source="${MARK}"`));
const MAPPED = ['place', 'capture-time', 'exif', 'panorama'] as const;
const mapped = (format: 'jpeg' | 'webp' | 'avif' | 'tiff', kept: readonly MetadataKind[] = MAPPED) => {
  const bytes = () => mapping().toFormat(format).toBuffer();
  const image = imageOf(format, bytes, { projection: 'sphere', removed: ['xmp'], kept });
  return [`${format.toUpperCase()} all around, with place and date`, image] as const;
};
/** The library writes XMP of PNG into a chunk where nobody looks for it. */
const pngAround = async (): Promise<Uint8Array> => {
  const png = await plainImage().png().toBuffer();
  const text = new TextEncoder().encode(
    `XML:com.adobe.xmp\0\0\0\0\0${xmpPacket(`${GPANO} dc:source="${MARK}"`)}`,
  );
  return concatBytes(png.subarray(0, PNG_HEAD_BYTES), pngChunk('iTXt', text), png.subarray(PNG_HEAD_BYTES));
};
/** Signature and first chunk. */
const PNG_HEAD_BYTES = 33;

const sides = Object.keys(SIDES) as (keyof typeof SIDES)[];

/** Images as phones and 360° cameras write them. */
export const PHONE_IMAGES: Readonly<Record<string, PhoneImage>> = {
  ...Object.fromEntries(charts),
  'HEIC in Display P3, turned': imageOf('heic', () => imageFile('p3.heic'), {
    size: { width: RAMP_SIZE.height, height: RAMP_SIZE.width },
    removed: ['place', 'exif', 'colour-profile'],
  }),
  'JPEG, turned by EXIF': imageOf(
    'jpg',
    () => plainImage().jpeg().withMetadata({ orientation: 6 }).toBuffer(),
    {
      size: { width: SIZE.height, height: SIZE.width },
      removed: ['exif', 'colour-profile'],
    },
  ),
  'JPEG with a gain map': imageOf(
    'jpg',
    async () => jpegWithGainMap(await plainImage().jpeg().toBuffer(), await other().jpeg().toBuffer()),
    { removed: ['other-pictures', 'trailer', 'xmp'] },
  ),
  'JPEG with depth (XMP)': imageOf('jpg', () => withXmp(DEPTH), { removed: ['xmp'] }),
  'HEIC with a gain map, depth and mattes': imageOf(
    'heic',
    () => heifWithSides('heic', [imageFile('second-of-two.heic'), imageFile('p3.heic')], sides),
    { removed: ['other-pictures'], size: RAMP_SIZE },
  ),
  'AVIF with a tone map (tmap)': imageOf(
    'avif',
    async () =>
      heifWithSides(
        ...(['avif', [await plainImage().avif().toBuffer(), await other().avif().toBuffer()]] as const),
        ...([['gain map'], true] as const),
      ),
    // Chromium calls the file damaged, because its tone map is only a mark.
    { removed: ['other-pictures'], isOnlyForServers: true },
  ),
  'JPEG all around (GPano)': imageOf('jpg', () => withXmp(GPANO), {
    ...{ projection: 'sphere', removed: ['xmp'], kept: ['panorama'] },
  }),
  'JPEG, a cropped area of a panorama': imageOf('jpg', () => withXmp(cropped(60, 30)), {
    ...{ projection: 'part', removed: ['xmp', 'panorama'] },
  }),
  'PNG all around': imageOf('png', pngAround, {
    ...{ resultFormat: 'png', projection: 'sphere', removed: ['xmp'], kept: ['panorama'] },
  }),
  // The library writes no EXIF into TIFF.
  ...Object.fromEntries([mapped('jpeg'), mapped('webp'), mapped('avif'), mapped('tiff', ['panorama'])]),
};

const refused = (bytes: RefusedFile['bytes'], sentence: RegExp, extension = 'jpg'): RefusedFile => ({
  ...{ bytes, sentence, extension },
});
const CONTRADICTION = /contradicts itself: correct its metadata/;

export const REFUSED_IMAGES: Readonly<Record<string, RefusedFile>> = {
  'JPEG of the faces of a cube': refused(
    () => withXmp('GPano:ProjectionType="cubemap"'),
    /faces of a cube: convert it/,
  ),
  'JPEG of a fisheye lens': refused(
    () => withXmp('GPano:ProjectionType="fisheye"'),
    /single lenses: stitch them/,
  ),
  'JPEG of an area outside of its panorama': refused(() => withXmp(cropped(60, 90)), CONTRADICTION),
  'JPEG all around of 4:3': refused(() => withXmp(GPANO, plainImage().resize(80, 60)), CONTRADICTION),
  'photo of Insta360': refused(() => plainImage().jpeg().toBuffer(), /stitch it to a panorama/, 'insp'),
  'AVIF of three frames': refused(() => imageFile('3-frames.avif'), /3 frames/, 'avif'),
  'TIFF of three pages': refused(() => imageFile('3-pages.tif'), /3 pages/, 'tif'),
};
