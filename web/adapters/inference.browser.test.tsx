import { expect, it, vi } from 'vitest';
import type { InferenceRuntime, Tensor } from '#shared/ports/inference';
import { CONVOLUTION, convolutionModel } from '../../models/packs/test/tiny-convolutions';
import { detrModel, expectReference } from '../../models/packs/test/tiny-detr';
import { countEmulatedGpu } from '../testing/emulated-gpu';
import { createInferenceRuntime } from './inference';

const LOG = { info: () => undefined, error: vi.fn<(message: string) => void>() };
/** Of scores of 0..1: products are added in another order. */
const MAX_DIFFERENCE = 1e-4;

const open = (avoidsGpu: boolean): Promise<InferenceRuntime> =>
  createInferenceRuntime(LOG, { avoidsGpu, onGpuLost: () => undefined });

const run = async (runtime: InferenceRuntime): Promise<Tensor> => {
  const session = await runtime.createSession(convolutionModel());
  const length = CONVOLUTION.dims.reduce<number>((product, side) => product * side, 1);
  const data = Float32Array.from({ length }, (_, i) => Math.cos(i / 7));
  const outputs = await session.run({ [CONVOLUTION.input]: { data, dims: CONVOLUTION.dims } });
  await session.close();
  return outputs[CONVOLUTION.output]!;
};

it('a model has the same results on a GPU as with WebAssembly', async () => {
  countEmulatedGpu();
  const [gpu, cpu] = [await open(false), await open(true)];
  const [found, expected] = [await run(gpu), await run(cpu)];
  expect([gpu.backend, cpu.backend]).toEqual(['webgpu', expect.stringMatching(/^wasm/)]);
  expect(LOG.error).not.toHaveBeenCalled();
  expect(found.dims).toEqual(expected.dims);
  expect(new Set(expected.data).size).toBeGreaterThan(100);
  const differences = expected.data.map((value, i) => Math.abs(value - found.data[i]!));
  expect(Math.max(...differences)).toBeLessThan(MAX_DIFFERENCE);
});

it('models that are opened, run and closed at the same time do not read the outputs of each other', async () => {
  const runtime = await open(true);
  const expected = await run(runtime);
  // Each begins a step of the event loop later, so that all steps of one meet all steps of another.
  const late = async (steps: number): Promise<Tensor> => {
    for (let step = 0; step < steps; step++) await Promise.resolve();
    return run(runtime);
  };
  const found = await Promise.all(Array.from({ length: 40 }, (_, steps) => late(steps)));
  for (const { data, dims } of found) {
    expect(dims).toEqual(expected.dims);
    expect(data.every((value, i) => value === expected.data[i])).toBe(true);
  }
});

it('a DETR has the detections that transformers decodes', async () => {
  await expectReference(await (await open(true)).createSession(detrModel()));
});

it('a GPU that is emulated on the processor is not used', async () => {
  expect((await open(false)).backend).toMatch(/^wasm/);
});
