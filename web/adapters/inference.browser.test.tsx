import { expect, it } from 'vitest';
import type { Tensor } from '#shared/ports/inference';
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

it('a GPU that is emulated on the processor is not used', async () => {
  expect((await openRuntime(false)).backend).toMatch(/^wasm/);
});
