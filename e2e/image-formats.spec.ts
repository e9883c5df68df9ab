import sharp, { type Sharp } from 'sharp';
import { imageFile, RAMP_SIZE, rampAt } from '#shared/testing/image-files';
import { concatBytes, pngChunk } from '#shared/testing/image-bytes';
import { smallImage } from '#shared/testing/small-images';
import { drop, openApp, itemNamed, waitForStatus } from './support/app';
import { expect } from './support/hosts';
import { test } from './support/own-server';
import { meanDifference, readPixels } from './support/pixels';
import { upload } from './support/upload';

const EVERYWHERE = () => true;
const NOTHING_FOUND = 'face=true&face-threshold=1';
/** Of 255: decoders round differently, and smooth chroma differently. */
const MAX_DIFFERENCE = 1;

const { width, height } = RAMP_SIZE;
const ramps = (): Sharp => {
  const levels = Array.from({ length: width * height }, (_, at) =>
    rampAt(at % width, Math.floor(at / width)),
  );
  return sharp(Buffer.from(levels.flat()), { raw: { width, height, channels: 3 } });
};
/** Opaque on the left, clear on the right: what browsers make of half transparent AVIF differs. */
const withHole = (): Sharp => {
  const levels = Array.from({ length: width * height }, (_, at) => [
    ...rampAt(at % width, Math.floor(at / width)),
    at % width < width / 2 ? 255 : 0,
  ]);
  return sharp(Buffer.from(levels.flat()), { raw: { width, height, channels: 4 } });
};
const best = { quality: 100, chromaSubsampling: '4:4:4' } as const;

const pngWith = async (...chunks: readonly Uint8Array[]): Promise<Uint8Array> => {
  const png = await ramps().png().toBuffer();
  const header = 33;
  return concatBytes(png.subarray(0, header), ...chunks, png.subarray(header));
};
const number = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff);
const P3 = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].flatMap(number);

const FIXTURES = [
  ...['p3.heic', 'p3-by-numbers.heic', 'transparent.heic', '10-bits.heic', 'second-of-two.heic'],
  ...['turned.avif', 'p3-by-numbers.avif', 'inks.jpg', 'plain-inks.jpg'],
  ...['adobe.tif', 'turned.tif', 'jpeg.tif', 'inks.tif', 'plain-inks.tif', 'palette.tif', 'two-levels.tif'],
  ...['planes-16.tif', 'tiles.tif', 'transparent.tif', 'multiplied.tif', 'white-is-zero.tif'],
];

const FILES: Readonly<Record<string, () => Promise<Uint8Array>>> = {
  ...Object.fromEntries(FIXTURES.map((name) => [name, async () => imageFile(name)])),
  'a lossless WebP': () => ramps().webp({ lossless: true }).toBuffer(),
  'a lossy WebP': () => ramps().webp({ quality: 95 }).toBuffer(),
  'a WebP turned by its EXIF': () =>
    ramps().withMetadata({ orientation: 6 }).webp({ lossless: true }).toBuffer(),
  'a transparent WebP': () => withHole().webp({ lossless: true }).toBuffer(),
  'an AVIF': () => ramps().avif(best).toBuffer(),
  'a transparent AVIF': () => withHole().avif(best).toBuffer(),
  'a GIF': () => ramps().gif().toBuffer(),
  'a transparent GIF': () => withHole().gif().toBuffer(),
  'a BMP': async () => smallImage('bmp'),
  'a PNG in linear light': () => pngWith(pngChunk('gAMA', number(100_000))),
  'a PNG with primaries of its own': () => pngWith(pngChunk('gAMA', number(45_455)), pngChunk('cHRM', P3)),
  'a PNG that describes its colours by numbers': () => pngWith(pngChunk('cICP', [12, 13, 0, 1])),
};

/** One of each format, of each kind of colour, and with transparent pixels; the others differ in one detail. */
const FEW = new Set([
  ...['p3.heic', 'transparent.heic', 'turned.avif', 'inks.jpg', 'adobe.tif', 'planes-16.tif', 'palette.tif'],
  ...['a lossy WebP', 'a WebP turned by its EXIF', 'an AVIF', 'a transparent GIF', 'a BMP'],
  'a PNG with primaries of its own',
]);

test.describe('both hosts, given the same file', () => {
  for (const [name, read] of Object.entries(FILES)) {
    const tag = FEW.has(name) ? [] : '@slow';
    test(`have the same pixels: ${name}`, { tag }, async ({ sendTo }) => {
      const file = await read();
      const server = await upload(sendTo.server, file, NOTHING_FOUND);
      const page = await upload(sendTo.page, file, NOTHING_FOUND);
      const onServer = await readPixels(await server.anonymised('?download=PNG'));
      const inPage = await readPixels(await page.anonymised('?download=PNG'));
      expect([inPage.width, inPage.height]).toEqual([onServer.width, onServer.height]);
      expect(meanDifference(onServer, inPage, EVERYWHERE)).toBeLessThan(MAX_DIFFERENCE);
    });
  }
});

test('both hosts copy what a hidden area does not touch of a JPEG file, with jpeg-copy', async ({
  sendTo,
}) => {
  const file = await ramps().resize(320, 240, { kernel: 'nearest' }).jpeg({ quality: 71 }).toBuffer();
  const area = encodeURIComponent('[{"topLeftX":80,"topLeftY":64,"width":60,"height":50}]');
  const source = await readPixels(file);
  for (const host of ['server', 'page'] as const) {
    const result = await upload(sendTo[host], file, `${NOTHING_FOUND}&jpeg-copy=true&hides=${area}`);
    const bytes = await result.anonymised();
    const hidden = await readPixels(bytes);
    // Chroma blocks of 16 pixels around the area, and one sample more, which decoders smooth.
    const isNear = (x: number, y: number): boolean => x > 60 && x < 164 && y > 44 && y < 132;
    expect(meanDifference(source, hidden, (x, y) => !isNear(x, y))).toBe(0);
    expect(meanDifference(source, hidden, isNear)).toBeGreaterThan(1);
  }
});

test('a HEIC photo of 48 megapixels is processed by both hosts', async ({ sendTo }) => {
  test.skip(!process.env['VEIL_LARGE_HEIC'], 'VEIL_LARGE_HEIC names no file.');
  test.setTimeout(600_000);
  const file = await import('node:fs').then(({ readFileSync }) =>
    readFileSync(process.env['VEIL_LARGE_HEIC']!),
  );
  for (const host of ['server', 'page'] as const) {
    const { size } = await (await upload(sendTo[host], file, NOTHING_FOUND)).metadata();
    expect(size[0] * size[1]).toBeGreaterThan(48_000_000);
  }
});

test('formats that browsers cannot display are shown before and after, and in the list', async ({
  page,
  origin,
}) => {
  const files = { 'p3.heic': 'image/heic', 'turned.tif': 'image/tiff' };
  await openApp(page, origin);
  await drop(
    page,
    Object.entries(files).map(([name, type]) => ({ name, type, bytes: imageFile(name) })),
  );
  for (const name of Object.keys(files)) {
    await waitForStatus(page, name, 'done');
    const inList = itemNamed(page, name).locator('img');
    await expect
      .poll(() => inList.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await itemNamed(page, name).getByRole('button').first().click();
    await expect(page.getByTestId('result')).toBeVisible();
    const shown = page.getByTestId('stage').locator('img').first();
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(height);
  }
});
