import { readFileSync } from 'node:fs';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import type { Raster } from '#shared/domain/raster';
import { UnreadableFile } from '#shared/domain/failure';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { imageCodec } from './image-codec';

type Rgb = readonly [number, number, number];
const RED: Rgb = [255, 0, 0];
const GREEN: Rgb = [0, 255, 0];
const BLUE: Rgb = [0, 0, 255];
const WHITE: Rgb = [255, 255, 255];
const WIDTH = 32;
const HEIGHT = 16;

/** An upright image of four quarters: red and green above blue and white. */
const quarters = (): Sharp => {
  const data = new Uint8Array(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const row = y < HEIGHT / 2 ? [RED, GREEN] : [BLUE, WHITE];
      data.set(row[x < WIDTH / 2 ? 0 : 1]!, (y * WIDTH + x) * 3);
    }
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
};

const decode = async (bytes: Uint8Array): Promise<Raster> =>
  imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));

const pixel = ({ data, width }: Raster, x: number, y: number): number[] => [
  ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
];
/** RGBA in the middle of each quarter. */
const quartersOf = (raster: Raster): number[][] => {
  const [left, right] = [raster.width >> 2, (raster.width * 3) >> 2];
  const [top, bottom] = [raster.height >> 2, (raster.height * 3) >> 2];
  return [
    pixel(raster, left, top),
    pixel(raster, right, top),
    pixel(raster, left, bottom),
    pixel(raster, right, bottom),
  ];
};
const UPRIGHT = [RED, GREEN, BLUE, WHITE].map((colour) => [...colour, 255]);
const expectNear = (actual: number[], wanted: readonly number[], tolerance: number): void =>
  actual.forEach((value, i) => expect(Math.abs(value - wanted[i]!)).toBeLessThanOrEqual(tolerance));

/** How a camera stores an upright image for each EXIF orientation (the inverse of what a viewer does). */
const STORED: Readonly<Record<number, (image: Sharp) => Sharp>> = {
  1: (image) => image,
  2: (image) => image.flop(),
  3: (image) => image.rotate(180),
  4: (image) => image.flip(),
  5: (image) => image.flop().rotate(270),
  6: (image) => image.rotate(270),
  7: (image) => image.flop().rotate(90),
  8: (image) => image.rotate(90),
};

describe('decoding', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'turns EXIF orientation %i upright, JPEG and PNG',
    async (orientation) => {
      const stored = await STORED[orientation]!(quarters()).png().toBuffer();
      const tagged = sharp(stored).withMetadata({ orientation });
      expect(quartersOf(await decode(await tagged.clone().png().toBuffer()))).toEqual(UPRIGHT);
      const jpeg = await tagged.jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer();
      const raster = await decode(jpeg);
      expect([raster.width, raster.height]).toEqual([WIDTH, HEIGHT]);
      quartersOf(raster).forEach((colour, i) => expectNear(colour, UPRIGHT[i]!, 4));
    },
  );

  it.each([
    ['palette', () => quarters().png({ palette: true }), 0],
    ['16-bit', () => quarters().toColourspace('rgb16').png(), 0],
    ['interlaced', () => quarters().png({ progressive: true }), 0],
    [
      'progressive',
      () => quarters().jpeg({ quality: 100, progressive: true, chromaSubsampling: '4:4:4' }),
      4,
    ],
  ])('converts an image that is %s to 8-bit sRGB', async (_, image, tolerance) => {
    const raster = await decode(await image().toBuffer());
    quartersOf(raster).forEach((colour, i) => expectNear(colour, UPRIGHT[i]!, tolerance));
  });

  it.each([
    ['8-bit', () => quarters().greyscale().png()],
    ['16-bit', () => quarters().toColourspace('grey16').png()],
    ['JPEG', () => quarters().greyscale().jpeg()],
  ])('returns three equal channels for a grey image, %s', async (_, image) => {
    for (const [r, g, b, a] of quartersOf(await decode(await image().toBuffer()))) {
      expect([g, b, a]).toEqual([r, r, 255]);
    }
  });

  it('composes transparent parts onto white', async () => {
    const half = {
      width: 8,
      height: 8,
      channels: 4,
      background: { r: 255, g: 0, b: 0, alpha: 0.5 },
    } as const;
    const raster = await decode(await sharp({ create: half }).png().toBuffer());
    expectNear(pixel(raster, 4, 4), [255, 127, 127, 255], 1);
    const clear = { ...half, background: { r: 0, g: 0, b: 0, alpha: 0 } };
    expect(pixel(await decode(await sharp({ create: clear }).png().toBuffer()), 0, 0)).toEqual([
      255, 255, 255, 255,
    ]);
  });

  it('refuses a PNG with broken compressed data and correct checksums', async () => {
    const png = await quarters().png().toBuffer();
    const source = await readImageHeader(png, LIMITS);
    png.fill(0xaa, png.indexOf('IDAT') + 12, png.indexOf('IEND') - 12);
    await expect(imageCodec.decode(png, source)).rejects.toThrow(UnreadableFile);
  });

  it('refuses a truncated JPEG', async () => {
    const noise = Uint8Array.from({ length: 64 * 64 * 3 }, (_, i) => (i * 7919) % 251);
    const jpeg = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg()
      .toBuffer();
    const source = await readImageHeader(jpeg, LIMITS);
    await expect(imageCodec.decode(jpeg.subarray(0, jpeg.length >> 1), source)).rejects.toThrow(
      UnreadableFile,
    );
  });
});

describe('encoding', () => {
  const raster = (): Promise<Raster> => quarters().png().toBuffer().then(decode);

  it('writes JPEG with halved chroma and without metadata', async () => {
    const jpeg = await imageCodec.encodeLossy('jpeg', await raster(), 90);
    const { chromaSubsampling, width, height, exif, icc, xmp, iptc } = await sharp(jpeg).metadata();
    expect({ chromaSubsampling, width, height }).toEqual({
      chromaSubsampling: '4:2:0',
      width: WIDTH,
      height: HEIGHT,
    });
    expect([exif, icc, xmp, iptc]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it.each(['webp', 'avif'] as const)('writes %s without metadata, close to the pixels', async (format) => {
    const image = await raster();
    const file = await imageCodec.encodeLossy(format, image, 90);
    const header = await readImageHeader(file, LIMITS);
    expect(header).toMatchObject({ format, width: WIDTH, height: HEIGHT, hasAlpha: false, metadata: [] });
    const { data } = await imageCodec.decode(file, header);
    const differences = Array.from(data, (value, at) => Math.abs(value - image.data[at]!));
    expect(differences.reduce((sum, each) => sum + each) / data.length).toBeLessThan(8);
  });

  it('writes smaller JPEG files at lower quality', async () => {
    const photo = readFileSync('node_modules/@vladmandic/face-api/demo/sample1.jpg');
    const image = await decode(photo);
    const [low, high] = [
      await imageCodec.encodeLossy('jpeg', image, 30),
      await imageCodec.encodeLossy('jpeg', image, 90),
    ];
    expect(low.length).toBeLessThan(high.length / 2);
  });

  it.each([
    [1, 'b-w'],
    [3, 'srgb'],
    [4, 'srgb'],
  ] as const)('writes PNG with %i channels without changing values', async (channels, space) => {
    const data = Uint8Array.from({ length: 5 * 3 * channels }, (_, i) => (i * 37) % 256);
    for (const compressLevel of [0, 5, 9]) {
      const png = await imageCodec.encodePng({ width: 5, height: 3, channels, data }, compressLevel);
      const image = sharp(png);
      expect(await image.metadata()).toMatchObject({ format: 'png', width: 5, height: 3, channels, space });
      expect(new Uint8Array(await image.toColourspace(space).raw().toBuffer())).toEqual(data);
    }
  });

  it('writes smaller PNG files at higher levels', async () => {
    const { width, height, data } = await raster();
    const sizeAt = async (level: number): Promise<number> =>
      (await imageCodec.encodePng({ width, height, channels: 4, data }, level)).length;
    expect(await sizeAt(9)).toBeLessThan(await sizeAt(0));
  });

  it('does not change the pixels it is given', async () => {
    const image = await raster();
    const before = Uint8Array.from(image.data);
    await imageCodec.encodeLossy('jpeg', image, 50);
    await imageCodec.encodePng({ ...image, channels: 4 }, 5);
    expect(Uint8Array.from(image.data)).toEqual(before);
  });
});
