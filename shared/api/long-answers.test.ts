import { expect, test } from 'vitest';
import type { TaskStore } from '../ports/storage';
import { TASKS_PER_PAGE } from '../tasks/base/task-records';
import { FRAMES_PER_FILE } from '../tasks/files/video-files';
import { filePart, get, UNKNOWN_ID, uploadedId } from '../testing/conformance-steps';
import { createFakeVideoEngine } from '../testing/fake-video-engine';
import { createInProcessHost, type InProcessHost } from '../testing/in-process-host';
import { createMemoryStorage } from '../testing/memory-storage';
import { createMemoryTaskStore } from '../testing/memory-task-store';
import { taskRecord } from '../testing/task-store-contract';
import { RAMP_MP4 } from '../testing/video-files';
import { dispatch } from './dispatch';
import { bytesOf, type ApiResponse } from './http/http';
import { ELEMENTS_PER_PIECE } from './http/json-array';

const VIDEO = { parts: [filePart(RAMP_MP4, 'street.mp4', 'video/mp4')] };
/** More than two files of metadata. */
const FRAMES = 2 * FRAMES_PER_FILE + 3;

const ask = ({ api }: InProcessHost, url: string): Promise<ApiResponse> =>
  dispatch(
    {
      method: 'GET',
      url,
      headers: {},
      receiveUpload: async () => [],
      receiveBody: async () => new Uint8Array(0),
      signal: new AbortController().signal,
    },
    api,
  );
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const idOf = (index: number): string => `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;

/** A store of so many tasks, and how often pages of it were read. */
const storeOf = async (tasks: number) => {
  const store = createMemoryTaskStore();
  for (let index = 0; index < tasks; index += 1) {
    await store.put(taskRecord(idOf(index), { status: 'done' }));
  }
  let pages = 0;
  const page: TaskStore['page'] = (limit, before) => {
    pages += 1;
    return store.page(limit, before);
  };
  return { taskStore: { ...store, page }, pages: () => pages };
};

test('the whole task list is read page by page, while it is sent', async () => {
  const { taskStore, pages } = await storeOf(3 * TASKS_PER_PAGE + 1);
  const { status, headers, body } = await ask(createInProcessHost({}, { taskStore }), '/v1/task/list');
  expect([status, headers['content-type'], headers['content-length'], pages()]).toEqual([
    ...[200, 'application/json', undefined, 1],
  ]);
  if (body instanceof Uint8Array) throw new Error('The list was not streamed.');
  const reader = body[Symbol.asyncIterator]();
  for (let pieces = 0; pieces <= TASKS_PER_PAGE / ELEMENTS_PER_PIECE; pieces += 1) await reader.next();
  expect(pages()).toBe(2);
  await reader.return?.();
  expect(pages()).toBe(2);
});

test('a streamed task list has every task once, newest first', async () => {
  const count = 2 * TASKS_PER_PAGE + 1;
  const { taskStore } = await storeOf(count);
  const { body } = await ask(createInProcessHost({}, { taskStore }), '/v1/task/list');
  const listed = JSON.parse(textOf(await bytesOf(body))) as readonly { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual(
    Array.from({ length: count }, (_, index) => idOf(count - 1 - index)),
  );
});

test('a task list that cannot be read is an error, not an empty list', async () => {
  const { taskStore } = await storeOf(1);
  const failing = { ...taskStore, page: () => Promise.reject(new Error('The disk is gone.')) };
  expect((await ask(createInProcessHost({}, { taskStore: failing }), '/v1/task/list')).status).toBe(500);
});

test('the 404 of an unknown video reads no other task', async () => {
  const { taskStore, pages } = await storeOf(3);
  const { send } = createInProcessHost({}, { taskStore });
  const url = `/v1/file/${UNKNOWN_ID}/video/metadata`;
  expect((await get(send, url)).status).toBe(422);
  await taskStore.put(taskRecord(idOf(9), { kind: 'video' }));
  expect([(await get(send, url)).status, pages()]).toEqual([404, 0]);
});

test('the whole metadata of a video are read file by file, while they are sent', async () => {
  const storage = createMemoryStorage();
  const engine = createFakeVideoEngine({ frameCount: FRAMES });
  let turns = 0;
  const nextTurn = async (): Promise<void> => void (turns += 1);
  const host = createInProcessHost({}, { storage, engine, nextTurn });
  const url = `/v1/file/${await uploadedId(host.send, VIDEO)}/video/metadata`;
  const whole = await get(host.send, url);
  const frames = JSON.parse(textOf(whole.body)) as readonly { id: number }[];
  expect(frames.map(({ id }) => id)).toEqual(Array.from({ length: FRAMES }, (_, index) => index));
  // Once to measure them, and once to send them.
  expect(turns).toBeGreaterThanOrEqual((2 * FRAMES) / ELEMENTS_PER_PIECE);
  expect(whole.headers['content-length']).toBe(String(whole.body.byteLength));

  const part = await host.send({ method: 'GET', url, headers: { range: 'bytes=90000-90009' } });
  expect([part.status, textOf(part.body)]).toEqual([206, textOf(whole.body.subarray(90_000, 90_010))]);

  const { body } = await ask(host, url);
  if (body instanceof Uint8Array) throw new Error('The metadata were not streamed.');
  const reads: string[] = [];
  const read = storage.read.bind(storage);
  Object.assign(storage, {
    read: (key: string) => {
      reads.push(key);
      return read(key);
    },
  });
  await body[Symbol.asyncIterator]().next();
  expect(reads.map((key) => key.replace(/.*\//, ''))).toEqual(['metadata-000000.json']);
});
