import { dispatch } from '../dispatch';
import type { Engine } from '../../ports/host-engine';
import { expect, test } from 'vitest';
import { jsonOf, mustBe, mustRefuse } from '../../testing/conformance';
import { get, upload, uploadedId } from '../../testing/conformance-steps';
import { createFakeEngine } from '../../testing/fake-engine';
import { createInProcessHost } from '../../testing/in-process-host';
import { createMemoryTaskStore } from '../../testing/memory-task-store';

test('a mask that is never saved is 404 before its task is done, too', async () => {
  const engine = createFakeEngine(() => new Promise(() => undefined));
  const { send } = createInProcessHost({ saveMask: 'none' }, { engine });
  const id = await uploadedId(send, { isAsync: true });
  mustRefuse(await get(send, `/v1/file/${id}/binary-mask`), 404, '--save-mask');
});

test('what is no UUID never reaches a store, and a UUID is found in capitals', async () => {
  const taskStore = createMemoryTaskStore();
  const asked: string[] = [];
  const spied = {
    ...taskStore,
    get: (id: string) => {
      asked.push(id);
      return taskStore.get(id);
    },
  };
  const { send } = createInProcessHost({}, { taskStore: spied });
  const id = await uploadedId(send);
  asked.length = 0;
  mustRefuse(await get(send, "/v1/task/'%20OR%201=1"), 404);
  expect(asked).toEqual([]);
  mustBe(jsonOf<{ id: string }>(await get(send, `/v1/task/${id.toUpperCase()}`)).id, id, 'id');
});

test('files that vanished under a done task are a fault of ours, and logged', async () => {
  const { send, storage, log } = createInProcessHost();
  const id = await uploadedId(send);
  await storage.remove(`output/${id}/`);
  mustRefuse(await get(send, `/v1/file/${id}/anonymised`), 500);
  expect(log.causes).toHaveLength(1);
});

test('an image in fractions of quality is rendered with the nearest whole step', async () => {
  const encodings: unknown[] = [];
  const engine: Engine = {
    ...createFakeEngine(),
    renderImage: async ({ encoding }) => {
      encodings.push(encoding);
      return new Uint8Array([1]);
    },
  };
  const { send } = createInProcessHost({}, { engine });
  const { id } = jsonOf<{ id: string }>(await upload(send));
  await get(send, `/v1/file/${id}/anonymised?quality=70.4`);
  await get(send, `/v1/file/${id}/anonymised?download=PNG&compress-level=8.6`);
  expect(encodings).toEqual([
    { format: 'jpeg', quality: 70 },
    { format: 'png', compressLevel: 9 },
  ]);
});

test('a rendering whose client has left is stopped, and is no fault', async () => {
  const gone = new AbortController();
  const engine: Engine = {
    ...createFakeEngine(),
    renderImage: async (_job, signal) => {
      gone.abort(new Error('the client has left'));
      signal.throwIfAborted();
      return new Uint8Array([1]);
    },
  };
  const { api, send, log } = createInProcessHost({}, { engine });
  const id = await uploadedId(send);
  const url = `/v1/file/${id}/anonymised?quality=50`;
  const request = {
    method: 'GET',
    url,
    headers: {},
    receiveUpload: async () => [],
    receiveBody: async () => new Uint8Array(0),
    signal: gone.signal,
  };
  expect((await dispatch(request, api)).status).toBe(500);
  expect(log.causes).toEqual([]);
});
