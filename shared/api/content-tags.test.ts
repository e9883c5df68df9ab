import { expect, test } from 'vitest';
import type { Engine } from '../ports/host-engine';
import { filePart, get, uploadedId } from '../testing/conformance-steps';
import { createFakeEngine } from '../testing/fake-engine';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { createInProcessHost } from '../testing/in-process-host';
import { createMemoryStorage, type MemoryStorage } from '../testing/memory-storage';
import { RAMP_MP4 } from '../testing/video-files';

const VIDEO = { parts: [filePart(RAMP_MP4, 'street.mp4', 'video/mp4')] };
const videoHost = (storage: MemoryStorage = createMemoryStorage()) =>
  createInProcessHost({}, { storage, engine: createFakeVideoEngine({ frameCount: 3 }) });

/** An engine whose results have the same size and different bytes. */
const differingResults = (): Engine => {
  const engine = createFakeEngine();
  let made = 0;
  return {
    ...engine,
    anonymiseImage: async (...job) => {
      const result = await engine.anonymiseImage(...job);
      return { ...result, anonymised: new Uint8Array(100).fill((made += 1)) };
    },
  };
};

test('different bytes of the same size have different tags', async () => {
  const { send } = createInProcessHost({}, { engine: differingResults() });
  const tagOf = async () =>
    (await get(send, `/v1/file/${await uploadedId(send)}/anonymised`)).headers['etag'];
  expect(await tagOf()).not.toBe(await tagOf());
});

test('equal images and equal videos have equal tags in all tasks', async () => {
  const images = createInProcessHost();
  const videos = videoHost();
  const tags = async () => {
    const id = await uploadedId(images.send);
    const video = await uploadedId(videos.send, VIDEO);
    return Promise.all([
      get(images.send, `/v1/file/${id}/anonymised`),
      get(images.send, `/v1/file/${id}/binary-mask`),
      get(videos.send, `/v1/file/${video}/video/anonymised`),
    ]).then((answers) => answers.map(({ headers }) => headers['etag']));
  };
  const [first, second] = [await tags(), await tags()];
  expect(second).toEqual(first);
  expect(first.every((tag) => /^"[\da-f]{32}"$/.test(tag ?? ''))).toBe(true);
});

test('a stored file is not read for its tag', async () => {
  const storage = createMemoryStorage();
  const { send } = videoHost(storage);
  const url = `/v1/file/${await uploadedId(send, VIDEO)}/video/anonymised`;
  const { headers } = await get(send, url);
  let reads = 0;
  const open = storage.open.bind(storage);
  Object.assign(storage, {
    open: async (key: string) => {
      const file = await open(key);
      return file && { ...file, read: () => ((reads += 1), file.read(0, 0)) };
    },
  });
  const etag = headers['etag'] ?? '';
  const answer = await send({ method: 'GET', url, headers: { 'if-none-match': etag } });
  expect([answer.status, reads]).toEqual([304, 0]);
});
