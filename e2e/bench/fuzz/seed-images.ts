import sharp, { type Sharp } from 'sharp';
import { bmpFile } from '#shared/testing/bmp-files';
import { imageFile } from '#shared/testing/image-files';

const ramps = sharp(Buffer.from(Array.from({ length: 48 * 32 * 3 }, (_, index) => (index * 37) % 256)), {
  raw: { width: 48, height: 32, channels: 3 },
});
/** Not a `Buffer`, whose slices are no copies. */
const written = async (image: Sharp): Promise<Uint8Array> => Uint8Array.from(await image.toBuffer());

/** Whole files of each format, of a few kilobytes. */
export const SEED_IMAGES = {
  webp: async () => [
    await written(ramps.clone().webp()),
    await written(ramps.clone().ensureAlpha(0.5).webp({ lossless: true })),
    await written(
      ramps
        .clone()
        .withExif({ IFD0: { Make: 'x' } })
        .webp(),
    ),
  ],
  avif: async () => ['turned.avif', 'p3-by-numbers.avif', '3-frames.avif'].map(imageFile),
  heic: async () =>
    ['p3.heic', 'p3-by-numbers.heic', 'transparent.heic', '10-bits.heic', 'second-of-two.heic'].map(
      imageFile,
    ),
  tiff: async () =>
    [
      ...[
        'adobe.tif',
        'turned.tif',
        'jpeg.tif',
        'inks.tif',
        'palette.tif',
        'two-levels.tif',
        'planes-16.tif',
      ],
      ...['tiles.tif', 'transparent.tif', '3-pages.tif'],
    ].map(imageFile),
  bmp: async () => [
    bmpFile({ width: 48, height: 2, bitCount: 24, pixels: new Array<number>(288).fill(9) }),
    bmpFile({
      width: 48,
      height: 2,
      bitCount: 8,
      coding: 1,
      palette: [[1, 2, 3]],
      pixels: [48, 0, 0, 0, 48, 0, 0, 1],
    }),
    bmpFile({
      width: 8,
      height: 2,
      bitCount: 4,
      coding: 2,
      palette: [[1, 2, 3]],
      pixels: [0, 8, 0, 0, 0, 0, 0, 1],
    }),
    bmpFile({
      width: 4,
      height: 2,
      bitCount: 32,
      coding: 3,
      masks: [255, 65_280, 0xff0000, 0],
      pixels: new Array<number>(32).fill(7),
    }),
  ],
  gif: async () => [await written(ramps.clone().gif())],
  jpeg: async () => ['inks.jpg', 'plain-inks.jpg'].map(imageFile),
  png: async () => [await written(ramps.clone().png())],
} as const satisfies Record<string, () => Promise<Uint8Array[]>>;

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff];

/** A file with some bytes changed, half of them in its first part, where the headers are; some are cut off. */
export const broken = (file: Uint8Array, next: () => number): Uint8Array => {
  const bytes = file.slice();
  const upTo = (end: number): number => Math.floor(next() * end);
  for (let changes = 1 + upTo(8); changes > 0; changes -= 1) {
    const at = upTo(next() < 0.5 ? Math.min(600, bytes.length) : bytes.length);
    const length = next() < 0.2 ? 4 : 1;
    const value = next() < 0.5 ? EXTREMES[upTo(EXTREMES.length)]! : upTo(256);
    bytes.fill(value, at, Math.min(at + length, bytes.length));
  }
  return next() < 0.2 ? bytes.slice(0, upTo(bytes.length)) : bytes;
};

/** What results of the product are. */
export const plainPng = (): Promise<Uint8Array> => written(ramps.clone().png());
