import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';

interface Parity {
  readonly width: number;
  readonly height: number;
  /** Only every so many-th value of an output is listed. */
  readonly step: number;
  readonly plate: readonly number[];
  readonly corners: readonly number[];
}
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url));
const parity = JSON.parse(read('train/license-plates/parity.json').toString()) as Parity;

/** The same input pattern as in `export.py`. */
const pattern = ({ width, height }: Parity): Float32Array =>
  Float32Array.from({ length: 3 * width * height }, (_, i) => {
    const x = i % width;
    const y = Math.floor(i / width) % height;
    const channel = Math.floor(i / (width * height));
    return (((7 * x + 3 * y * (channel + 1) + x * y) % 256) - 127.5) / 127.5;
  });

describe('the plate classifier', () => {
  it('has the outputs of the trained network', async () => {
    const session = await InferenceSession.create(read('plate-windows.onnx'));
    const picture = new Tensor('float32', pattern(parity), [1, 3, parity.height, parity.width]);
    const outputs = await session.run({ picture });
    for (const name of ['plate', 'corners'] as const) {
      const values = outputs[name]?.data as Float32Array;
      const expected = parity[name];
      expect(Math.ceil(values.length / parity.step)).toBe(expected.length);
      const largest = Math.max(
        ...expected.map((value, i) => Math.abs(value - (values[i * parity.step] ?? NaN))),
      );
      expect(largest, name).toBeLessThan(name === 'plate' ? 1e-4 : 1e-2);
    }
    expect(Math.max(...parity.corners)).toBeGreaterThan(1);
  });
});
