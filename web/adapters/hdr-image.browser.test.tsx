import { expect, it } from 'vitest';
import { LIMITS } from '#shared/domain/limits';
import { readImageHeader } from '#shared/engine/formats/read-header';
import { HDR_SIZE, largestToneError } from '#shared/testing/hdr-chart';
import { imageCodec } from './image-codec';

/** In levels of 8 bits; the same on the server: `server/adapters/hdr-image.test.ts`. */
const TOLERANCE = 2;

it.each([
  ['hlg.heic', 'hlg'],
  ['pq.heic', 'pq'],
  ['hlg.avif', 'hlg'],
  ['pq.avif', 'pq'],
  ['hlg.png', 'hlg'],
  ['pq.png', 'pq'],
] as const)(
  'the page maps an image from high dynamic range as the server does: %s',
  async (name, transfer) => {
    const file = await fetch(new URL(`../../shared/testing/hdr-files/${name}`, import.meta.url));
    const bytes = new Uint8Array(await file.arrayBuffer());
    const raster = await imageCodec.decode(bytes, await readImageHeader(bytes, LIMITS));
    expect(raster).toMatchObject(HDR_SIZE);
    expect(largestToneError(raster, transfer, 'image')).toBeLessThanOrEqual(TOLERANCE);
  },
);
