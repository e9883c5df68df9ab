import { expect, it } from 'vitest';
import type { StoredFile } from '../service-worker/protocol';
import { createOffline, type OfflineStatus, type OfflineStore } from './offline';

const file = (path: string, group: StoredFile['group'], isStored = false): StoredFile => ({
  path,
  group,
  isStored,
  bytes: 10,
  integrity: '',
});

/** @param full paths for which there is no room */
const createResultStore = (files: readonly StoredFile[], full: readonly string[] = []) => {
  const asked: string[] = [];
  const stored = new Set(files.filter(({ isStored }) => isStored).map(({ path }) => path));
  const store: OfflineStore = {
    ready: Promise.resolve(),
    list: async () => files.map((one) => ({ ...one, isStored: stored.has(one.path) })),
    store: async (path) => {
      asked.push(path);
      if (full.includes(path)) return false;
      stored.add(path);
      return true;
    },
    remove: async () => stored.clear(),
  };
  return { store, asked };
};

const FILES = [
  file('index.html', 'shell', true),
  file('a.onnx', 'engine'),
  file('gpu.wasm', 'gpu'),
  file('video.wasm', 'optional'),
];

it('what this machine needs is stored, and nothing else', async () => {
  const { store, asked } = createResultStore(FILES);
  const offline = createOffline(store);
  const seen: OfflineStatus[] = [];
  offline.status.subscribe(() => seen.push(offline.status.get()));
  await offline.complete(false);
  expect(asked).toEqual(['a.onnx']);
  expect(seen).toEqual([
    { kind: 'storing', storedBytes: 10, totalBytes: 20 },
    { kind: 'stored', storedBytes: 20 },
  ]);
});

it('the runtime for graphics processors is stored where there is one', async () => {
  const { store, asked } = createResultStore(FILES);
  await createOffline(store).complete(true);
  expect(asked).toEqual(['a.onnx', 'gpu.wasm']);
});

it('what could not be stored is named', async () => {
  const { store } = createResultStore(FILES, ['a.onnx']);
  const offline = createOffline(store);
  await offline.complete(false);
  expect(offline.status.get()).toEqual({ kind: 'incomplete', missing: ['a.onnx'] });
});

it('a browser that stores nothing is no fault', async () => {
  const { store } = createResultStore(FILES);
  const offline = createOffline({ ...store, ready: Promise.reject(new Error('no service workers')) });
  await offline.complete(false);
  expect(offline.status.get()).toEqual({ kind: 'unavailable' });
});
