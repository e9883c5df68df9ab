import { VideoSample } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { pixelAt } from '../testing/rasters';
import { rasterOfYuv } from '../engine/pixels/yuv';
import { rasterOfSample } from './sample-raster';

const [WIDTH, HEIGHT] = [4, 2];
const TAGS = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
/** Red on the left, blue on the right, of BT.709. */
const [RED, BLUE] = [
  [63, 102, 240],
  [32, 240, 118],
] as const;

const plane = (index: 0 | 1 | 2, columns: number, rows: number): number[] =>
  Array.from({ length: columns * rows }, (_, at) => (at % columns < columns / 2 ? RED : BLUE)[index]);
const planes = (columns: number, rows: number): number[] => [
  ...plane(0, WIDTH, HEIGHT),
  ...plane(1, columns, rows),
  ...plane(2, columns, rows),
];
/** The 8-bit values with more bits: two bytes each, little endian. */
const deeper = (bits: number, values: readonly number[]): number[] =>
  values.flatMap((value) => [(value << (bits - 8)) & 255, value >> (16 - bits)]);
const interleaved = (columns: number, rows: number): number[] => {
  const [u, v] = [plane(1, columns, rows), plane(2, columns, rows)];
  return [...plane(0, WIDTH, HEIGHT), ...u.flatMap((value, at) => [value, v[at]!])];
};

describe('a decoded frame', () => {
  it.each([
    ['I420', planes(2, 1)],
    ['I422', planes(2, 2)],
    ['I444', planes(4, 2)],
    ['NV12', interleaved(2, 1)],
    ['I420P10', deeper(10, planes(2, 1))],
    ['I422P10', deeper(10, planes(2, 2))],
    ['I444P12', deeper(12, planes(4, 2))],
    ['I420A', [...planes(2, 1), ...Array<number>(WIDTH * HEIGHT).fill(255)]],
  ] as const)('has the right colours in each pixel format: %s', async (format, data) => {
    using sample = new VideoSample(Uint8Array.from(data), {
      format,
      codedWidth: WIDTH,
      codedHeight: HEIGHT,
      timestamp: 0,
      colorSpace: TAGS,
    });
    const raster = await rasterOfSample(sample, TAGS);
    expect([raster.width, raster.height]).toEqual([WIDTH, HEIGHT]);
    for (let y = 0; y < HEIGHT; y++) {
      expect(pixelAt(raster, 1, y)).toEqual([255, 1, 0]);
      expect(pixelAt(raster, 2, y)).toEqual([1, 0, 255]);
    }
  });

  it('in standard range has the bytes that its matrix alone gives them, whatever else it states', async () => {
    const [y, u, v] = [plane(0, WIDTH, HEIGHT), plane(1, 2, 1), plane(2, 2, 1)].map((codes) =>
      Uint8Array.from(codes),
    ) as [Uint8Array, Uint8Array, Uint8Array];
    const image = {
      ...{ width: WIDTH, height: HEIGHT, y, u, v },
      ...({ strideY: WIDTH, strideUv: 2, shiftX: 1, shiftY: 1 } as const),
    };
    const data = Uint8Array.from(deeper(10, planes(2, 1)));
    const size = { codedWidth: WIDTH, codedHeight: HEIGHT, timestamp: 0 };
    for (const transfer of ['bt709', 'smpte170m', 'iec61966-2-1', 'linear', null]) {
      for (const fullRange of [false, true]) {
        const wide: object = { primaries: 'bt2020', transfer, matrix: 'bt2020-ncl', fullRange };
        // TypeScript's DOM library lacks these names.
        const tags = wide as VideoColorSpaceInit;
        using sample = new VideoSample(data, { format: 'I420P10', ...size, colorSpace: TAGS });
        const raster = await rasterOfSample(sample, tags);
        expect(raster.data, `${transfer}`).toEqual(rasterOfYuv(image, { matrix: 'bt2020', fullRange }).data);
      }
    }
  });
});
