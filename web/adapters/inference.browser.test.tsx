import { expect, it } from 'vitest';
import { takeTensorData } from '#shared/engine/inference/tensor';
import type { Tensor } from '#shared/ports/inference';
import { CONVOLUTION, convolutionModel } from '../../models/packs/test/tiny-convolutions';
import { detrModel, expectReference } from '../../models/packs/test/tiny-detr';
import { expectSameOnGpu, openRuntime, runConvolutions } from '../testing/run-convolutions';

it('a model has the same results on a GPU as with WebAssembly', expectSameOnGpu);

it('models that are opened, run and closed at the same time do not read the outputs of each other', async () => {
  const runtime = await openRuntime(true);
  const expected = await runConvolutions(runtime);
  // Each begins a step of the event loop later, so that all steps of one meet all steps of another.
  const late = async (steps: number): Promise<Tensor> => {
    for (let step = 0; step < steps; step++) await Promise.resolve();
    return runConvolutions(runtime);
  };
  const found = await Promise.all(Array.from({ length: 40 }, (_, steps) => late(steps)));
  for (const { data, dims } of found) {
    expect(dims).toEqual(expected.dims);
    expect(data.every((value, i) => value === expected.data[i])).toBe(true);
  }
});

it('a DETR has the detections that transformers decodes', async () => {
  await expectReference(await (await openRuntime(true)).createSession(detrModel()));
});

it('a run gives the memory of its input back for the next ones', async () => {
  const session = await (await openRuntime(true)).createSession(convolutionModel());
  const length = CONVOLUTION.dims.reduce<number>((product, side) => product * side, 1);
  const data = takeTensorData(length).fill(1);
  await session.run({ [CONVOLUTION.input]: { data, dims: CONVOLUTION.dims } });
  const next = Array.from({ length: 4 }, () => takeTensorData(length).buffer);
  expect(next.includes(data.buffer)).toBe(true);
});

it('a GPU that is emulated on the processor is not used', async () => {
  expect((await openRuntime(false)).backend).toMatch(/^wasm/);
});
