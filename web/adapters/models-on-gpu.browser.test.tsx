import { beforeAll, expect, it, vi } from 'vitest';
import type { Manifest, ModelEntry } from '#shared/domain/manifest';
import type { Tensor } from '#shared/ports/inference';
import { countEmulatedGpu } from '../testing/emulated-gpu';
import { createInferenceRuntime } from './inference';

const LOG = { info: () => undefined, error: vi.fn<(message: string) => void>() };
const SIDE_PX = 256;
/** Of networks whose input is no image of free size. */
const DIMS: Readonly<Record<string, readonly number[]>> = {
  'object-outlines': [1, 128, 192, 96],
  'face-embedding': [1, 3, 224, 224],
  'text-reader': [1, 3, 48, SIDE_PX],
};
/**
 * Of the largest value of an output: products are added in another order, and a place that is hardly larger than its
 * neighbour may be a peak on one backend alone.
 */
const MAX_DIFFERENCE = 0.02;
/** For hangs alone: an emulated GPU compiles the operators of a network in up to half a minute. */
const LIMIT_MS = 600_000;

/** Vitest serves the project's folder. */
const read = async (path: string): Promise<Response> => fetch(`/${path}`);
const { models } = (await (await read('models/manifest.json')).json()) as Manifest;

/** RGB values of a photo with faces, repeated as often as needed. */
let values: Float32Array;

beforeAll(async () => {
  const photo = await createImageBitmap(
    await (await read('node_modules/@vladmandic/face-api/demo/sample1.jpg')).blob(),
  );
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX);
  const context = canvas.getContext('2d')!;
  context.drawImage(photo, 0, 0, SIDE_PX, SIDE_PX);
  const { data } = context.getImageData(0, 0, SIDE_PX, SIDE_PX);
  const pixels = SIDE_PX * SIDE_PX;
  values = Float32Array.from(
    { length: 3 * pixels },
    (_, i) => data[4 * (i % pixels) + Math.floor(i / pixels)]!,
  );
});

const largest = (numbers: readonly number[]): number =>
  numbers.reduce((max, one) => Math.max(max, Math.abs(one)), 0);

const run = async (
  { id, file, input, outputs }: ModelEntry,
  avoidsGpu: boolean,
): Promise<Readonly<Record<string, Tensor>>> => {
  countEmulatedGpu();
  const runtime = await createInferenceRuntime(LOG, { avoidsGpu, onGpuLost: () => undefined });
  const model = await (await read(`models/${file}`)).arrayBuffer();
  const session = await runtime.createSession(new Uint8Array(model));
  expect(runtime.backend).toMatch(avoidsGpu ? /^wasm/ : /^webgpu$/);
  const dims = DIMS[id] ?? [1, 3, SIDE_PX, SIDE_PX];
  const length = dims.reduce((product, side) => product * side, 1);
  const data = Float32Array.from({ length }, (_, i) => values[i % values.length]!);
  const found = await session.run({ [input.name]: { data, dims } }, outputs);
  await session.close();
  return found;
};

it.each(models)(
  '$id has the same results on a GPU as with WebAssembly',
  { tags: ['slow'], timeout: LIMIT_MS },
  async (model) => {
    const [onGpu, expected] = [await run(model, false), await run(model, true)];
    for (const name of model.outputs) {
      const [found, wanted] = [[...onGpu[name]!.data], [...expected[name]!.data]];
      const size = largest(wanted);
      expect(size).toBeGreaterThan(0);
      expect(found).toHaveLength(wanted.length);
      expect(largest(wanted.map((value, i) => value - found[i]!)) / size).toBeLessThan(MAX_DIFFERENCE);
    }
    expect(LOG.error).not.toHaveBeenCalled();
  },
);
