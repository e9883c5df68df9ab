import { describe, expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { hdrOf } from '#shared/domain/image-header';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { HDR_SIZE, largestToneError } from '#shared/testing/hdr-chart';
import { hdrFile } from '#shared/testing/hdr-files';
import { imageCodec } from './image-codec';

/** In levels of 8 bits; the same in the page: `web/adapters/hdr-image.browser.test.tsx`. */
const TOLERANCE = 2;

describe.each([
  ['hlg.heic', 'hlg'],
  ['pq.heic', 'pq'],
  ['hlg.avif', 'hlg'],
  ['pq.avif', 'pq'],
  ['hlg.png', 'hlg'],
  ['pq.png', 'pq'],
] as const)('an image in high dynamic range: %s', (name, transfer) => {
  it('is mapped to sRGB by the formulas, and its header says from what', async () => {
    const header = await readImageHeader(hdrFile(name), LIMITS);
    expect(hdrOf(header)).toEqual({ transfer, primaries: 9 });
    const raster = await imageCodec.decode(hdrFile(name), header);
    expect(raster).toMatchObject(HDR_SIZE);
    expect(largestToneError(raster, transfer, 'image')).toBeLessThanOrEqual(TOLERANCE);
  });
});

it.each(['hlg.heic', 'hlg.avif', 'hlg.png'])(
  'nothing next to the pixels is in a result: %s',
  async (name) => {
    // A gain map, a depth map or a matte, as phones append them.
    const marker = new TextEncoder().encode('urn:com:apple:photo:2020:aux:hdrgainmap');
    const bytes = Buffer.concat([hdrFile(name), marker]);
    const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
    for (const result of [
      await imageCodec.encodeLossy('jpeg', raster, 90),
      await imageCodec.encodePng({ ...raster, channels: 4 }, 6),
    ]) {
      expect(Buffer.from(result).includes(Buffer.from(marker))).toBe(false);
    }
  },
);

it.each(['hlg.avif', 'hlg.png'])(
  'an image in high dynamic range that is damaged is refused: %s',
  async (name) => {
    const bytes = hdrFile(name);
    const header = await readImageHeader(bytes, LIMITS);
    const damaged = bytes.slice().fill(0, Math.floor(bytes.length * 0.6), Math.floor(bytes.length * 0.9));
    await expect(imageCodec.decode(damaged, header)).rejects.toMatchObject({ name: 'UnreadableFile' });
  },
);
