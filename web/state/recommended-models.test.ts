import { expect, it, vi } from 'vitest';
import type { OpenedModel } from '../adapters/model-trials';
import type { ModelTrial } from '../workers/model-trial';
import { createRecommendedModels, type RecommendedPack, type RecommendedPorts } from './recommended-models';

const packOf = (id: string): RecommendedPack => ({
  id,
  bytes: 10,
  licence: 'MIT',
  presets: ['fast'],
  host: 'example.org',
});
const PACKS = ['small', 'large'].map(packOf);
const TRIAL: ModelTrial = { objects: [], width: 1, height: 1, seconds: 1, backend: 'fake' };
const FILE = new File(['x'], 'model.onnx');

const openedModel = (changed: Partial<OpenedModel> = {}): OpenedModel => ({
  model: { files: [], readings: [], classNames: new Map() },
  try: vi.fn(async () => TRIAL),
  keep: vi.fn(async () => ({ packId: 'own' })),
  close: vi.fn(),
  ...changed,
});
const portsWith = (changed: Partial<RecommendedPorts> = {}) => ({
  fetch: vi.fn(async () => FILE),
  open: vi.fn(async () => openedModel()),
  makeTestImage: async () => new File([], 'test.jpg'),
  removeDownloads: vi.fn(async () => undefined),
  onChange: vi.fn(async () => undefined),
  ...changed,
});

it('recommended models are fetched, tested and kept one after another, and then no download is left', async () => {
  const opened = openedModel();
  const ports = portsWith({ open: vi.fn(async () => opened) });
  const recommended = createRecommendedModels(ports);
  await recommended.add(PACKS);
  expect(recommended.status.get()).toEqual({ kind: 'added' });
  expect(ports.fetch).toHaveBeenCalledTimes(2);
  for (const step of [opened.try, opened.keep, opened.close, ports.onChange]) {
    expect(step).toHaveBeenCalledTimes(2);
  }
  expect(ports.removeDownloads).toHaveBeenCalledTimes(1);
});

it('a recommended model that does not run is not kept, and nothing is fetched after it', async () => {
  const opened = openedModel({ try: async () => ({ refusal: 'does-not-run' }) });
  const ports = portsWith({ open: async () => opened });
  const recommended = createRecommendedModels(ports);
  await recommended.add(PACKS);
  expect(recommended.status.get()).toEqual({ kind: 'refused', id: 'small', refusal: 'does-not-run' });
  expect(opened.keep).not.toHaveBeenCalled();
  expect(opened.close).toHaveBeenCalledTimes(1);
  expect(ports.fetch).toHaveBeenCalledTimes(1);
});

it('the progress counts the bytes of all recommended models', async () => {
  const seen: number[] = [];
  const ports = portsWith({
    fetch: async (_id, onBytes) => {
      onBytes(4);
      return FILE;
    },
  });
  const recommended = createRecommendedModels(ports);
  recommended.status.subscribe(() => {
    const status = recommended.status.get();
    if (status.kind !== 'loading') return;
    expect(status.totalBytes).toBe(20);
    seen.push(status.receivedBytes);
  });
  await recommended.add(PACKS);
  expect(seen).toEqual([0, 4, 10, 14]);
});

it('a cancelled download is forgotten, and a second call while it runs is ignored', async () => {
  const fetch = vi.fn(
    (_id: string, _onBytes: unknown, signal: AbortSignal) =>
      new Promise<File>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      ),
  );
  const recommended = createRecommendedModels(portsWith({ fetch }));
  const adding = recommended.add(PACKS);
  await recommended.add(PACKS);
  recommended.cancel();
  await adding;
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(recommended.status.get()).toEqual({ kind: 'none' });
});
