import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';

interface Parity {
  readonly rows: number;
  readonly columns: number;
  /** Only every so many-th value is listed. */
  readonly step: number;
  readonly outlines: readonly number[];
}
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url));
const parity = JSON.parse(read('train/object-outlines/parity.json').toString()) as Parity;
const CHANNELS = 128;

/** The same input pattern as in `export.py`. */
const pattern = ({ rows, columns }: Parity): Float32Array =>
  Float32Array.from({ length: CHANNELS * rows * columns }, (_, i) => {
    const x = i % columns;
    const y = Math.floor(i / columns) % rows;
    const channel = Math.floor(i / (columns * rows));
    return ((7 * x + 3 * y + 5 * channel + x * y * channel) % 64) / 64;
  });

describe('the network for masks of objects', () => {
  it('has the outputs of the trained network', async () => {
    const session = await InferenceSession.create(read('object-outlines.onnx'));
    const { rows, columns, step } = parity;
    const features = new Tensor('float32', pattern(parity), [1, CHANNELS, rows, columns]);
    const { outlines } = await session.run({ features });
    expect(outlines!.dims).toEqual([1, 1, rows, columns]);
    const actual = (outlines!.data as Float32Array).filter((_, i) => i % step === 0);
    expect(actual).toHaveLength(parity.outlines.length);
    const differences = parity.outlines.map((value, i) => Math.abs(value - (actual[i] as number)));
    expect(Math.max(...differences)).toBeLessThan(1e-3);
  });

  it('accepts crops of every size of the manifest', async () => {
    const session = await InferenceSession.create(read('object-outlines.onnx'));
    const { models } = JSON.parse(read('manifest.json').toString()) as {
      models: readonly { id: string; input: { sizes?: readonly (readonly [number, number])[] } }[];
    };
    const sizes = models.find(({ id }) => id === 'object-outlines')?.input.sizes ?? [];
    expect(sizes.length).toBeGreaterThan(0);
    for (const [width, height] of sizes) {
      const dims = [1, CHANNELS, height / 4, width / 4];
      const zeros = new Float32Array(dims.reduce((product, side) => product * side, 1));
      const { outlines } = await session.run({ features: new Tensor('float32', zeros, dims) });
      expect(outlines!.dims).toEqual([1, 1, height / 4, width / 4]);
    }
  });
});
