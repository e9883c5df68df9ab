import { describe, expect, it } from 'vitest';
import { rasterOfRaw, rawOfRaster, requireRawPixels, type RawPixels } from './raw-pixels';

const SIZE = { width: 4, height: 4 };
/** Bytes of a row, and number of rows, without padding. */
const LAYOUTS: Readonly<Record<string, readonly [rowBytes: number, rows: number]>> = {
  ...{ rgb8: [12, 4], bgr8: [12, 4], '8UC3': [12, 4], rgba8: [16, 4], bgra8: [16, 4], '8UC4': [16, 4] },
  ...{ mono8: [4, 4], '8UC1': [4, 4], mono16: [8, 4] },
  ...{ bayer_rggb8: [4, 4], bayer_bggr8: [4, 4], bayer_gbrg8: [4, 4], bayer_grbg8: [4, 4] },
  ...{ yuv422: [8, 4], uyvy: [8, 4], yuv422_yuy2: [8, 4], yuyv: [8, 4], nv12: [4, 6] },
};
const ENCODINGS = Object.keys(LAYOUTS);

/** An image whose bytes are all different, with `padding` bytes next to each row. */
const pixelsAs = (encoding: string, padding = 0): RawPixels => {
  const [rowBytes, rows] = LAYOUTS[encoding]!;
  const step = rowBytes + padding;
  return {
    ...{ ...SIZE, step, isBigEndian: false },
    data: Uint8Array.from({ length: step * rows }, (_, at) => 60 + ((at * 37) % 120)),
  };
};

describe.each(ENCODINGS)('an image as %s', (encoding) => {
  it('keeps all of its bytes where no pixel is changed, and has zeros next to its rows', () => {
    const pixels = pixelsAs(encoding, 3);
    const after = rawOfRaster(encoding, pixels, rasterOfRaw(encoding, pixels));
    const [rowBytes] = LAYOUTS[encoding]!;
    const expected = pixels.data.map((byte, at) => (at % pixels.step < rowBytes ? byte : 0));
    expect(after).toEqual(expected);
  });

  it('keeps nothing of changed pixels, and the bytes of all others that share none with them', () => {
    const pixels = pixelsAs(encoding);
    const raster = rasterOfRaw(encoding, pixels);
    // The upper half becomes black, and the lower one stays.
    for (let at = 0; at < 32; at += 4) raster.data.fill(0, at, at + 3);
    const after = { ...pixels, data: rawOfRaster(encoding, pixels, raster) };
    const again = rasterOfRaw(encoding, after);
    const isBayer = encoding.startsWith('bayer');
    // Near the border, colours of a Bayer pattern come from both sides.
    const black = isBayer ? 4 : 8;
    for (let pixel = 0; pixel < black; pixel++) {
      expect(Math.max(...again.data.subarray(pixel * 4, pixel * 4 + 3))).toBeLessThan(4);
    }
    const lower = pixels.data.length / (encoding === 'nv12' ? 3 : 2);
    expect(after.data.subarray(lower, lower + 8)).toEqual(pixels.data.subarray(lower, lower + 8));
  });

  it('is refused where its data are too short', () => {
    const pixels = pixelsAs(encoding);
    expect(() => requireRawPixels(encoding, { ...pixels, data: pixels.data.subarray(1) })).toThrow(
      'no image',
    );
    expect(() => requireRawPixels(encoding, { ...pixels, step: pixels.step - 1 })).toThrow('no image');
  });
});

it.each<readonly [string, readonly number[], readonly number[]]>([
  ['rgb8', [10, 20, 30], [10, 20, 30]],
  ['bgr8', [10, 20, 30], [30, 20, 10]],
  ['rgba8', [10, 20, 30, 40], [10, 20, 30]],
  ['bgra8', [10, 20, 30, 40], [30, 20, 10]],
  ['mono8', [10], [10, 10, 10]],
  ['mono16', [0, 1], [255, 255, 255]],
])('a pixel as %s has its colour', (encoding, data, colour) => {
  const pixels = { width: 1, height: 1, step: data.length, isBigEndian: false, data: Uint8Array.from(data) };
  expect([...rasterOfRaw(encoding, pixels).data]).toEqual([...colour, 255]);
});

it.each<readonly [string, readonly number[]]>([
  ['yuv422', [90, 81, 240, 81]],
  ['yuv422_yuy2', [81, 90, 81, 240]],
])('a pair of red pixels as %s is red', (encoding, data) => {
  const pixels = { width: 2, height: 1, step: 4, isBigEndian: false, data: Uint8Array.from(data) };
  const [red, green, blue] = rasterOfRaw(encoding, pixels).data;
  expect(red).toBeGreaterThan(250);
  expect(Math.max(green!, blue!)).toBeLessThan(5);
});

it('a Bayer pattern has the colours of its samples', () => {
  const data = Uint8Array.from([200, 100, 200, 100, 100, 50, 100, 50, 200, 100, 200, 100, 100, 50, 100, 50]);
  const raster = rasterOfRaw('bayer_rggb8', { ...SIZE, step: 4, isBigEndian: false, data });
  for (let at = 0; at < raster.data.length; at += 4) {
    expect([...raster.data.subarray(at, at + 3)]).toEqual([200, 100, 50]);
  }
});

it('16 bits are read in the byte order of the message', () => {
  const data = Uint8Array.from([0, 10, 0, 5]);
  const of = (isBigEndian: boolean) =>
    rasterOfRaw('mono16', { width: 2, height: 1, step: 4, isBigEndian, data }).data[4];
  expect([of(true), of(false)]).toEqual([127, 127]);
  const odd = Uint8Array.from([0, 255, 1, 0]);
  const big = rasterOfRaw('mono16', { width: 2, height: 1, step: 4, isBigEndian: true, data: odd });
  expect([big.data[0], big.data[4]]).toEqual([254, 255]);
});
