import { expect, it } from 'vitest';
import { createRaster } from '#shared/testing/rasters';
import { encodeClip, openClip } from '../testing/clips';
import { withMatrix } from '../testing/mp4-surgery';

/** The least that is parked. */
const SIZE = { width: 2560, height: 1440 };

it('a large frame that gave its pixels back gets the same ones again, turned as before', async () => {
  const image = createRaster(SIZE.width, SIZE.height, (x, y) => [x & 255, y & 255, (x + y) & 255]);
  const reader = await openClip(withMatrix(await encodeClip({ frames: [[0, image]] }), [0, 1, -1, 0]));
  for await (const frame of reader.frames(new AbortController().signal)) {
    const before = { ...frame.raster, data: frame.raster.data.slice() };
    reader.parking?.park(frame);
    expect(frame.raster.width).toBe(0);
    const seen = reader.parking?.pixelsOf(frame);
    expect(Buffer.from(seen!.data).equals(Buffer.from(before.data))).toBe(true);
    reader.parking?.unpark(frame);
    expect(frame.raster).toMatchObject({ width: SIZE.height, height: SIZE.width });
    expect(Buffer.from(frame.raster.data).equals(Buffer.from(before.data))).toBe(true);
    reader.release?.(frame);
  }
  reader.close();
});
