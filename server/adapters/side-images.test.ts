import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { encodeImage } from '#shared/engine/anonymise-image';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { DEFAULT_ENCODINGS } from '#shared/tasks/base/settings';
import { imageFile } from '#shared/testing/image-files';
import { rampPng } from '#shared/testing/ramp-images';
import { heifWithSides, jpegWithGainMap, MARK, SIDES } from '../testing/side-images';
import { imageCodec } from './image-codec';

const sides = Object.keys(SIDES) as (keyof typeof SIDES)[];
/** An image that looks unlike the one whose side image it is. */
const other = () => sharp(rampPng(64, 48)).negate().flip();

/** A file with side images, and the same without them. */
const FILES = {
  'JPEG with a gain map': async () => {
    const image = await sharp(rampPng(64, 48)).jpeg().toBuffer();
    return [jpegWithGainMap(image, await other().jpeg().toBuffer()), image];
  },
  'HEIC with a gain map, depth and mattes': async () => {
    const pair = [imageFile('second-of-two.heic'), imageFile('p3.heic')] as const;
    return [heifWithSides('heic', pair, sides), heifWithSides('heic', pair, [])];
  },
  'AVIF with a tone map': async () => {
    const pair = [await sharp(rampPng(64, 48)).avif().toBuffer(), await other().avif().toBuffer()] as const;
    return [heifWithSides('avif', pair, ['gain map'], true), heifWithSides('avif', pair, [])];
  },
} as const satisfies Record<string, () => Promise<readonly [Uint8Array, Uint8Array]>>;

describe('side images show what was hidden, and nothing of them is in a result', () => {
  it.each(Object.entries(FILES))('%s', async (_, files) => {
    const [source, plain] = await files();
    expect(Buffer.from(source).includes(MARK)).toBe(true);
    const [header, plainHeader] = [
      await readImageHeader(source, LIMITS),
      await readImageHeader(plain, LIMITS),
    ];
    expect(header.metadata).toContain('other-pictures');
    expect(plainHeader.metadata).not.toContain('other-pictures');
    const [raster, plainRaster] = [
      await imageCodec.decode(source, header),
      await imageCodec.decode(plain, plainHeader),
    ];
    expect(Buffer.from(raster.data).equals(Buffer.from(plainRaster.data))).toBe(true);
    for (const encoding of Object.values(DEFAULT_ENCODINGS)) {
      const expected = await encodeImage(
        imageCodec,
        { raster: plainRaster },
        { bytes: plain, header: plainHeader, encoding },
      );
      for (const keepMetadata of [false, true]) {
        const result = await encodeImage(
          imageCodec,
          { raster },
          { bytes: source, header, encoding, keepMetadata },
        );
        expect(Buffer.from(result).equals(expected)).toBe(true);
      }
    }
  });
});
