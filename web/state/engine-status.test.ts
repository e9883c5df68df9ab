import { expect, it } from 'vitest';
import { createEngineLoader } from './engine-status';

const LOADED = { backend: 'wasm', ownPacks: [], leftOut: [] };

it('a failed load is not shown if a later load has begun', async () => {
  let fail: (cause: Error) => void = () => undefined;
  const failing = new Promise<typeof LOADED>((_, reject) => {
    fail = reject;
  });
  const answers = [failing, Promise.resolve(LOADED)];
  const causes: unknown[] = [];
  const loader = createEngineLoader(
    () => answers.shift()!,
    (cause) => causes.push(cause),
  );
  const first = loader.load();
  await loader.load();
  fail(new Error('the worker stopped'));
  await first;
  expect(loader.status.get()).toEqual({ state: 'ready', ...LOADED });
  expect(causes).toHaveLength(1);
});
