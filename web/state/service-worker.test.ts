import { expect, it } from 'vitest';
import type { StoredFile, SentRequest } from '../service-worker/protocol';
import { createOffline, type OfflineStatus, type OfflineStore, startTraffic } from './service-worker';

const openTraffic = (ready: Promise<void>) => {
  const listeners: ((request: SentRequest) => void)[] = [];
  const traffic = startTraffic({ ready, onSent: (listener) => void listeners.push(listener) });
  const send = (bytes: number): void => {
    for (const listener of listeners) listener({ method: 'POST', address: `/${bytes}`, bytes });
  };
  return { traffic, send };
};

it('bytes and requests are summed up, and the latest requests are listed first', () => {
  const { traffic, send } = openTraffic(Promise.resolve());
  for (let bytes = 1; bytes <= 150; bytes++) send(bytes);
  const { sentBytes, requestCount, requests } = traffic.get();
  expect([sentBytes, requestCount, requests.length]).toEqual([11_325, 150, 100]);
  expect(requests[0]).toMatchObject({ address: '/150' });
});

it('counting is reported only once all requests are counted', async () => {
  let see: () => void = () => undefined;
  const { traffic } = openTraffic(new Promise((resolve) => (see = resolve)));
  expect(traffic.get().isCounted).toBe(false);
  see();
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(true);
});

it('without a service worker, counting is not reported', async () => {
  const { traffic } = openTraffic(Promise.reject(new Error('no service workers')));
  await Promise.resolve();
  expect(traffic.get().isCounted).toBe(false);
});

const file = (path: string, group: StoredFile['group'], isStored = false): StoredFile => ({
  path,
  group,
  isStored,
  bytes: 10,
  integrity: '',
});

/** @param full paths that do not fit into the storage */
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

it('only the files that this machine needs are stored', async () => {
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

it('the WebGPU runtime is stored only if the machine has a GPU', async () => {
  const { store, asked } = createResultStore(FILES);
  await createOffline(store).complete(true);
  expect(asked).toEqual(['a.onnx', 'gpu.wasm']);
});

it('files that could not be stored are named', async () => {
  const { store } = createResultStore(FILES, ['a.onnx']);
  const offline = createOffline(store);
  await offline.complete(false);
  expect(offline.status.get()).toEqual({ kind: 'incomplete', missing: ['a.onnx'] });
});

it('a browser without storage is not reported as a failure', async () => {
  const { store } = createResultStore(FILES);
  const offline = createOffline({ ...store, ready: Promise.reject(new Error('no service workers')) });
  await offline.complete(false);
  expect(offline.status.get()).toEqual({ kind: 'unavailable' });
});
