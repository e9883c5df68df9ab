import { expect, vi } from 'vitest';
import type { InferenceRuntime, Tensor } from '#shared/ports/inference';
import { CONVOLUTION, convolutionModel } from '../../models/packs/test/tiny-convolutions';
import { createInferenceRuntime } from '../adapters/inference';
import { countEmulatedGpu } from './emulated-gpu';

const LOG = { info: () => undefined, error: vi.fn<(message: string) => void>() };
/** Of scores of 0..1: products are added in another order. */
const MAX_DIFFERENCE = 1e-4;

export const openRuntime = (avoidsGpu: boolean): Promise<InferenceRuntime> =>
  createInferenceRuntime(LOG, { avoidsGpu, onGpuLost: () => undefined });

export const runConvolutions = async (runtime: InferenceRuntime): Promise<Tensor> => {
  const session = await runtime.createSession(convolutionModel());
  const length = CONVOLUTION.dims.reduce<number>((product, side) => product * side, 1);
  const data = Float32Array.from({ length }, (_, i) => Math.cos(i / 7));
  const outputs = await session.run({ [CONVOLUTION.input]: { data, dims: CONVOLUTION.dims } });
  await session.close();
  return outputs[CONVOLUTION.output]!;
};

/** Expects the same results on a GPU as with WebAssembly, whose functions of ours a GPU does not run. */
export const expectSameOnGpu = async (): Promise<void> => {
  countEmulatedGpu();
  const [gpu, cpu] = [await openRuntime(false), await openRuntime(true)];
  const [found, expected] = [await runConvolutions(gpu), await runConvolutions(cpu)];
  expect([gpu.backend, cpu.backend]).toEqual(['webgpu', expect.stringMatching(/^wasm/)]);
  expect(LOG.error).not.toHaveBeenCalled();
  expect(found.dims).toEqual(expected.dims);
  expect(new Set(expected.data).size).toBeGreaterThan(100);
  const differences = expected.data.map((value, i) => Math.abs(value - found.data[i]!));
  expect(Math.max(...differences)).toBeLessThan(MAX_DIFFERENCE);
};
