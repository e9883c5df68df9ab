import { expect, it } from 'vitest';
import { imageCodec } from './image-codec';
import { writtenFormats } from './written-formats';

it('each format that the browser is said to write is written by its codec, and AVIF by none', async () => {
  const formats = writtenFormats();
  expect(formats).toEqual(['jpeg', 'png', 'webp']);
  const raster = { width: 8, height: 8, data: new Uint8ClampedArray(8 * 8 * 4).fill(200) };
  for (const format of formats) {
    if (format === 'png') continue;
    expect((await imageCodec.encodeLossy(format, raster, 90)).length).toBeGreaterThan(0);
  }
  await expect(imageCodec.encodeLossy('avif', raster, 90)).rejects.toThrow('image/png');
});
