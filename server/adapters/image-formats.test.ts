import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { Raster } from '#shared/domain/raster';
import { UnreadableFile } from '#shared/domain/failure';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { bmpFile } from '#shared/testing/bmp-files';
import { imageFile, RAMP_SIZE, rampAt } from '#shared/testing/image-files';
import { concatBytes, pngChunk } from '#shared/testing/image-bytes';
import { imageCodec } from './image-codec';

const decode = async (bytes: Uint8Array): Promise<Raster> =>
  imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
const { width, height } = RAMP_SIZE;

type Colour = readonly [number, number, number];
const pixelsOf = (colourAt: (x: number, y: number) => Colour): Buffer =>
  Buffer.from(
    Array.from({ length: width * height }, (_, pixel) =>
      colourAt(pixel % width, Math.floor(pixel / width)),
    ).flat(),
  );
const ramps = (colourAt: (x: number, y: number) => Colour = rampAt) =>
  sharp(pixelsOf(colourAt), { raw: { width, height, channels: 3 } });

/** Mean difference of the levels, and that both stand equally. */
const difference = (raster: Raster, wanted: Raster): number => {
  expect([raster.width, raster.height]).toEqual([wanted.width, wanted.height]);
  return (
    Array.from(raster.data).reduce((sum, level, at) => sum + Math.abs(level - wanted.data[at]!), 0) /
    (raster.data.length * 0.75)
  );
};
const RAMPS = await ramps().png().toBuffer().then(decode);

/** The ramps as PNG with other chunks behind its header. */
const pngWith = async (...chunks: readonly Uint8Array[]): Promise<Uint8Array> => {
  const png = await ramps().png().toBuffer();
  const header = 8 + 25;
  return concatBytes(png.subarray(0, header), ...chunks, png.subarray(header));
};
const bytes = (text: string): number[] => [...Buffer.from(text, 'latin1')];
const number = (value: number): number[] => [24, 16, 8, 0].map((shift) => (value >> shift) & 0xff);

/** The ramps as levels of a profile, converted by Little CMS. */
const byLittleCms = async (name: string): Promise<Raster> =>
  decode(await pngWith(pngChunk('iCCP', [...bytes('x'), 0, 0, ...deflateSync(imageFile(name))])));

const PLAIN = [
  'planes-16.tif',
  'tiles.tif',
  'jpeg.tif',
  'plain-inks.tif',
  'plain-inks.jpg',
  '10-bits.heic',
  'second-of-two.heic',
];
/** Of 255: what coding with loss at the best quality changes. */
const MAX_DIFFERENCE = 1.5;

describe('images of every format', () => {
  it.each(PLAIN)('have the colours that they were made of: %s', async (name) => {
    expect(difference(await decode(imageFile(name)), RAMPS)).toBeLessThan(MAX_DIFFERENCE);
  });

  it.each([
    ['WebP', () => ramps().webp({ lossless: true })],
    ['AVIF', () => ramps().avif({ quality: 100, chromaSubsampling: '4:4:4' })],
    ['TIFF by LZW', () => ramps().tiff({ compression: 'lzw', predictor: 'horizontal' })],
    [
      'TIFF by Deflate in tiles',
      () => ramps().tiff({ compression: 'deflate', tile: true, tileWidth: 16, tileHeight: 16 }),
    ],
    ['TIFF by PackBits', () => ramps().tiff({ compression: 'packbits' })],
    ['TIFF by JPEG', () => ramps().tiff({ compression: 'jpeg', quality: 100 })],
  ])('have the colours that they were made of: %s', async (_, image) => {
    expect(difference(await decode(await image().toBuffer()), RAMPS)).toBeLessThan(MAX_DIFFERENCE);
  });

  it('are composed onto white where they are transparent', async () => {
    const wanted = await ramps((x, y) => (x < width / 2 ? rampAt(x, y) : [255, 255, 255]))
      .png()
      .toBuffer()
      .then(decode);
    for (const name of ['transparent.tif', 'multiplied.tif', 'transparent.heic']) {
      expect(difference(await decode(imageFile(name)), wanted), name).toBeLessThan(MAX_DIFFERENCE);
    }
  });

  it.each([
    ['p3.heic', 90, 'display-p3.icc'],
    ['turned.avif', 90, undefined],
    ['turned.tif', 270, undefined],
  ] as const)('stand upright: %s', async (name, degrees, profile) => {
    const stored = profile ? await byLittleCms(profile) : RAMPS;
    const image = sharp(stored.data, { raw: { width, height, channels: 4 } }).rotate(degrees);
    expect(difference(await decode(imageFile(name)), await image.png().toBuffer().then(decode))).toBeLessThan(
      MAX_DIFFERENCE,
    );
  });

  it('of grey levels and of two levels are read, whichever end is white', async () => {
    const grey = await ramps((x) => [rampAt(x, 0)[0], rampAt(x, 0)[0], rampAt(x, 0)[0]])
      .png()
      .toBuffer()
      .then(decode);
    expect(difference(await decode(imageFile('white-is-zero.tif')), grey)).toBe(0);
    expect(new Set((await decode(imageFile('two-levels.tif'))).data)).toEqual(new Set([0, 255]));
  });

  it('of a palette have the colours of the palette', async () => {
    expect(difference(await decode(imageFile('palette.tif')), RAMPS)).toBeLessThan(20);
  });
});

describe('colours', () => {
  it.each([
    ['p3-by-numbers.heic', 'display-p3.icc'],
    ['p3-by-numbers.avif', 'display-p3.icc'],
    ['adobe.tif', 'adobe-rgb.icc'],
  ])('of %s are those that Little CMS gives for %s', async (name, profile) => {
    expect(difference(await decode(imageFile(name)), await byLittleCms(profile))).toBeLessThan(
      MAX_DIFFERENCE,
    );
  });

  it('of inks with a profile are the same in JPEG and TIFF, and not those of inks without one', async () => {
    const [tiff, jpeg] = [await decode(imageFile('inks.tif')), await decode(imageFile('inks.jpg'))];
    expect(difference(jpeg, tiff)).toBeLessThan(MAX_DIFFERENCE);
    expect(difference(tiff, RAMPS)).toBeGreaterThan(20);
  });

  const linear = (level: number): number =>
    level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4;
  const gamma = (value: number): Uint8Array => pngChunk('gAMA', number(Math.round(value * 100_000)));
  const SRGB = pngChunk(
    'cHRM',
    [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000].flatMap(number),
  );
  const P3 = pngChunk(
    'cHRM',
    [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000].flatMap(number),
  );

  it('of a PNG in linear light are brightened', async () => {
    const raster = await decode(await pngWith(gamma(1), SRGB));
    const middle = (16 * width + 24) * 4;
    expect(255 * linear(raster.data[middle]! / 255)).toBeCloseTo(rampAt(24, 16)[0], -0.5);
  });

  it.each([
    ['with primaries and the usual gamma', [gamma(0.45455), P3], 'display-p3.icc'],
    ['by numbers', [pngChunk('cICP', [12, 13, 0, 1])], 'display-p3.icc'],
  ])('of a PNG are converted %s', async (_, chunks, profile) => {
    expect(difference(await decode(await pngWith(...chunks)), await byLittleCms(profile))).toBeLessThan(3);
  });

  it.each([
    ['the gamma of sRGB alone', [gamma(0.45455)]],
    ['primaries alone', [P3]],
    ['no gamma', [gamma(0), SRGB]],
    ['primaries that span nothing', [gamma(1), pngChunk('cHRM', new Array<number>(32).fill(0))]],
    ['sRGB next to a gamma', [gamma(1), SRGB, pngChunk('sRGB', [0])]],
  ])('of a PNG stay as they are with %s', async (_, chunks) => {
    expect(difference(await decode(await pngWith(...chunks)), RAMPS)).toBe(0);
  });
});

describe('a BMP', () => {
  const RED = [255, 0, 0, 255];
  const GREEN = [0, 255, 0, 255];
  const palette = [
    [255, 0, 0],
    [0, 255, 0],
  ] as const;
  const decoded = async (file: Parameters<typeof bmpFile>[0]): Promise<number[]> => [
    ...(await decode(bmpFile(file))).data,
  ];

  it.each([
    ['1 bit', { bitCount: 1, pixels: [0b01000000, 0, 0, 0] }],
    ['4 bits', { bitCount: 4, pixels: [0x01, 0, 0, 0] }],
    ['8 bits', { bitCount: 8, pixels: [0, 1, 0, 0] }],
    ['runs of 8 bits', { bitCount: 8, coding: 1, pixels: [1, 0, 1, 1, 0, 1] }],
    ['runs of 4 bits', { bitCount: 4, coding: 2, pixels: [2, 0x01, 0, 1] }],
  ])('of indices is read: %s', async (_, coded) => {
    expect(await decoded({ width: 2, height: 1, palette, ...coded })).toEqual([...RED, ...GREEN]);
  });

  it('of runs may have indices as they are, and jump', async () => {
    const runs = { width: 3, bitCount: 8, coding: 1, palette };
    const asTheyAre = [0, 3, 1, 0, 1, 0, 0, 1];
    expect(await decoded({ ...runs, height: 1, pixels: asTheyAre })).toEqual([...GREEN, ...RED, ...GREEN]);
    const jump = [0, 2, 2, 0, 1, 1, 0, 1];
    expect(await decoded({ ...runs, height: 1, pixels: jump })).toEqual([...RED, ...RED, ...GREEN]);
  });

  it('of 16, 24 and 32 bits is read', async () => {
    const masks = [0xff, 0xff00, 0xff0000, 0xff000000] as const;
    expect(await decoded({ width: 1, height: 1, bitCount: 16, pixels: [0x00, 0x7c, 0, 0] })).toEqual(RED);
    expect(await decoded({ width: 1, height: 1, bitCount: 24, pixels: [0, 255, 0, 0] })).toEqual(GREEN);
    expect(await decoded({ width: 1, height: 1, bitCount: 32, pixels: [0, 255, 0, 0] })).toEqual(GREEN);
    expect(
      await decoded({ width: 1, height: 1, bitCount: 32, coding: 3, masks, pixels: [255, 0, 0, 255] }),
    ).toEqual(RED);
  });

  it('has its lowest row first, unless its height is negative', async () => {
    const rows = { width: 1, bitCount: 24, pixels: [0, 0, 255, 0, 0, 255, 0, 0] };
    expect(await decoded({ ...rows, height: 2 })).toEqual([...GREEN, ...RED]);
    expect(await decoded({ ...rows, height: -2 })).toEqual([...RED, ...GREEN]);
  });

  it('whose transparency is zero everywhere is opaque', async () => {
    const masks = [0xff0000, 0xff00, 0xff, 0xff000000] as const;
    expect(
      await decoded({ width: 1, height: 1, bitCount: 32, coding: 3, masks, pixels: [0, 0, 255, 0] }),
    ).toEqual(RED);
  });

  it('whose runs lead out of the image is refused', async () => {
    const file = { width: 2, height: 1, bitCount: 8, coding: 1, palette, pixels: [255, 0, 0, 1] };
    await expect(decoded(file)).rejects.toThrow(UnreadableFile);
  });
});

describe('damaged pixels', () => {
  it.each(['p3.heic', 'turned.avif', 'adobe.tif', 'planes-16.tif', 'tiles.tif', 'jpeg.tif'])(
    'are refused or decoded, without another error: %s',
    async (name) => {
      for (let seed = 1; seed <= 20; seed += 1) {
        const file = imageFile(name);
        for (let change = 0; change < 4; change += 1) {
          file[(seed * 7919 + change * 104_729) % file.length]! ^= seed;
        }
        const outcome = await Promise.resolve()
          .then(() => decode(file))
          .catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UnreadableFile);
      }
    },
  );
});
