import { describe, expect, it } from 'vitest';
import { createRaster, noiseRaster, pixelAt } from '../../testing/rasters';
import type { Raster } from '../../domain/raster';
import { i420OfRaster, rasterOfYuv, type YuvCoding } from './yuv';

const CODINGS = (['bt601', 'bt709', 'bt2020'] as const).flatMap((matrix) =>
  [false, true].map((fullRange): YuvCoding => ({ matrix, fullRange })),
);

/** As a decoder hands it over. */
const decoded = (raster: Raster, coding: YuvCoding): Raster => {
  const { width, height, data } = i420OfRaster(raster, coding);
  const size = width * height;
  return rasterOfYuv(
    {
      width,
      height,
      y: data.subarray(0, size),
      u: data.subarray(size, size * 1.25),
      v: data.subarray(size * 1.25),
      strideY: width,
      strideUv: width / 2,
      shiftX: 1,
      shiftY: 1,
    },
    coding,
  );
};

const far = (a: number, b: number): boolean => Math.abs(a - b) > 2;

describe.each(CODINGS)('colours in YUV: $matrix, full range $fullRange', (coding) => {
  it('convert to YUV and back, including saturated ones', () => {
    const levels = [0, 1, 17, 128, 200, 254, 255];
    for (const red of levels) {
      for (const green of levels) {
        const raster = createRaster(levels.length * 2, 2, (x) => [red, green, levels[x >> 1]!]);
        const back = decoded(raster, coding);
        const wrong = raster.data.filter((value, at) => far(value, back.data[at]!));
        expect([...wrong]).toEqual([]);
      }
    }
  });

  it('are those of each pixel in an image of any width and of several blocks', () => {
    const [width, height] = [702, 402];
    const raster = noiseRaster(width, height, 6);
    const { data } = i420OfRaster(raster, coding);
    const [red, blue] = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] }[
      coding.matrix
    ] as [number, number];
    const [black, scale, chroma] = coding.fullRange ? [0, 1, 1] : [16, 219 / 255, 224 / 255];
    const lumaOf = ([r, g, b]: readonly number[]): number => red * r! + (1 - red - blue) * g! + blue * b!;
    const isWrong = (at: number, value: number): boolean =>
      Math.abs(data[at]! - Math.min(255, Math.max(0, value))) > 0.6;
    const wrong: number[] = [];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        if (isWrong(y * width + x, black + scale * lumaOf(pixelAt(raster, x, y)))) wrong.push(x, y);
      }
    }
    for (let y = 0; y < height; y += 2) {
      for (let x = 0; x < width; x += 2) {
        const four = [0, 1].flatMap((row) => [0, 1].map((column) => pixelAt(raster, x + column, y + row)));
        const mean = [0, 1, 2].map((channel) => four.reduce((sum, pixel) => sum + pixel[channel]!, 0) / 4);
        const at = width * height + ((y / 2) * width + x) / 2;
        const luma = lumaOf(mean);
        const [u, v] = [(mean[2]! - luma) / (1 - blue), (mean[0]! - luma) / (1 - red)];
        if (isWrong(at, 128 + (chroma / 2) * u)) wrong.push(x, y);
        if (isWrong(at + (width * height) / 4, 128 + (chroma / 2) * v)) wrong.push(x, y);
      }
    }
    expect(wrong.slice(0, 2)).toEqual([]);
  });

  it('repeat the last pixel of an odd side', () => {
    const raster = createRaster(5, 3, (x, y) => [x * 40, y * 80, 90]);
    const back = decoded(raster, coding);
    expect([back.width, back.height]).toEqual([6, 4]);
    expect(pixelAt(back, 5, 1)[1]).toBe(pixelAt(back, 4, 1)[1]);
    expect(Math.abs(pixelAt(back, 5, 3)[1] - pixelAt(raster, 4, 2)[1])).toBeLessThanOrEqual(2);
  });
});

it('have the luma of the standards', () => {
  const white = (coding: YuvCoding) =>
    i420OfRaster(
      createRaster(2, 2, () => [255, 255, 255]),
      coding,
    ).data;
  const red = (coding: YuvCoding) =>
    i420OfRaster(
      createRaster(2, 2, () => [255, 0, 0]),
      coding,
    ).data;
  expect([...white({ matrix: 'bt709', fullRange: false })].slice(3)).toEqual([235, 128, 128]);
  expect([...white({ matrix: 'bt601', fullRange: true })].slice(3)).toEqual([255, 128, 128]);
  expect([...red({ matrix: 'bt709', fullRange: false })].slice(3)).toEqual([63, 102, 240]);
  expect([...red({ matrix: 'bt601', fullRange: false })].slice(3)).toEqual([81, 90, 240]);
});

/** Both shifts of chroma, and a height of several blocks of rows. */
const LAYOUTS = [
  { shiftX: 0, shiftY: 0 },
  { shiftX: 1, shiftY: 0 },
  { shiftX: 1, shiftY: 1 },
] as const;

describe.each(LAYOUTS)('an image in planes, shifts of chroma $shiftX and $shiftY', ({ shiftX, shiftY }) => {
  const [width, height] = [701, 403];
  const [columns, rows] = [(width + shiftX) >> shiftX, (height + shiftY) >> shiftY];
  const plane = (length: number, seed: number): Uint8Array =>
    noiseRaster(length, 1, seed).data.slice(0, length) as Uint8Array;
  const strideY = width + 5;
  const strideUv = columns + 3;
  const image = {
    width,
    height,
    y: plane(strideY * height, 1),
    u: plane(strideUv * rows, 2),
    v: plane(strideUv * rows, 3),
    strideY,
    strideUv,
    shiftX,
    shiftY,
  };

  it('has in each pixel the colour of its samples', () => {
    const { data } = rasterOfYuv(image, { matrix: 'bt709', fullRange: false });
    const wrong: number[] = [];
    for (let row = 0; row < height; row++) {
      for (let column = 0; column < width; column++) {
        const sample = (row >> shiftY) * strideUv + (column >> shiftX);
        const luma = (image.y[row * strideY + column]! - 16) / 219;
        const [u, v] = [(image.u[sample]! - 128) / 224, (image.v[sample]! - 128) / 224];
        const colour = [luma + 1.5748 * v, luma - 0.1873 * u - 0.4681 * v, luma + 1.8556 * u];
        colour.forEach((value, channel) => {
          const expected = Math.min(255, Math.max(0, 255 * value));
          if (Math.abs(data[(row * width + column) * 4 + channel]! - expected) > 0.6) wrong.push(row, column);
        });
      }
    }
    expect(wrong.slice(0, 2)).toEqual([]);
  });

  it('repeats the samples next to those that a decoder leaves out at the edges', () => {
    const [present, lines] = [columns - 1, rows - 1];
    const repeated = (samples: Uint8Array): Uint8Array =>
      Uint8Array.from({ length: columns * rows }, (_, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns];
        return samples[Math.min(row, lines - 1) * present + Math.min(column, present - 1)]!;
      });
    const [u, v] = [image.u, image.v].map((samples) => samples.subarray(0, present * lines)) as [
      Uint8Array,
      Uint8Array,
    ];
    const coding = { matrix: 'bt709', fullRange: false } as const;
    const whole = { ...image, u: repeated(u), v: repeated(v), strideUv: columns };
    const { data } = rasterOfYuv({ ...image, u, v, strideUv: present }, coding);
    const expected = rasterOfYuv(whole, coding).data;
    expect(data.findIndex((level, i) => level !== expected[i])).toBe(-1);
  });
});
