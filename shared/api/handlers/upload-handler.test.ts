import { expect, test } from 'vitest';
import { jsonOf, mustRefuse } from '../../testing/conformance';
import { filePart, get, upload, uploadedId } from '../../testing/conformance-steps';
import { createFakeEngine } from '../../testing/fake-engine';
import { createInProcessHost } from '../../testing/in-process-host';
import { createMemoryStorage } from '../../testing/memory-storage';
import { RAMP_JPEG } from '../../testing/pictures';

const nothingHeld = ({ received }: ReturnType<typeof createInProcessHost>): void =>
  expect(received.filter((file) => file.isHeld())).toEqual([]);

test('of two synchronous uploads at one time one is processed and one is refused', async () => {
  const host = createInProcessHost();
  const answers = await Promise.all([upload(host.send), upload(host.send)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  nothingHeld(host);
});

test('a synchronous upload is not refused as busy because of an upload with its key at the same time', async () => {
  const host = createInProcessHost();
  const { tasks } = host.api;
  const { load } = tasks;
  let other: Promise<string> | undefined;
  const loadAfterOther: typeof load = async () => {
    Object.assign(tasks, { load });
    other = uploadedId(host.send, { isAsync: true, idempotencyKey: 'key' });
    await other;
    return load();
  };
  Object.assign(tasks, { load: loadAfterOther });
  const id = await uploadedId(host.send, { idempotencyKey: 'key' });
  expect(id).toBe(await other);
  nothingHeld(host);
});

test('a fault of ours answers a synchronous upload with 500 and a plain sentence', async () => {
  const fault = new Error('secret');
  const host = createInProcessHost({}, { engine: createFakeEngine(() => Promise.reject(fault)) });
  const answer = await upload(host.send);
  mustRefuse(answer, 500);
  expect(new TextDecoder().decode(answer.body)).not.toContain('secret');
  expect(host.log.causes).toEqual([fault]);
  nothingHeld(host);
});

test('a disk that refuses the upload answers 500, and nothing stays', async () => {
  const storage = createMemoryStorage();
  Object.assign(storage, { write: () => Promise.reject(new Error('disk full')) });
  const host = createInProcessHost({}, { storage });
  mustRefuse(await upload(host.send), 500);
  mustRefuse(await upload(host.send, { isAsync: true }), 500);
  nothingHeld(host);
  expect(jsonOf(await get(host.send, '/v1/task/list'))).toEqual([]);
});

test('a synchronous upload whose task is deleted gets an error that says so', async () => {
  const host = createInProcessHost({}, { engine: createFakeEngine(() => new Promise(() => undefined)) });
  const answer = upload(host.send);
  await expect.poll(async () => (await host.api.tasks.list()).length).toBe(1);
  await host.api.tasks.deleteAll('task-and-files');
  mustRefuse(await answer, 422, 'deleted');
});

test.each([true, false])('a service that is being stopped takes no upload (async: %s)', async (isAsync) => {
  const host = createInProcessHost();
  await host.api.tasks.stop();
  mustRefuse(await upload(host.send, { isAsync }), 503, 'shutting down');
  expect(host.received).toEqual([]);
});

test('what a bad query asks for is refused before the file is received', async () => {
  const host = createInProcessHost();
  mustRefuse(await upload(host.send, { query: 'method=smudge' }), 422);
  expect(host.received).toEqual([]);
});

test('an upload beyond the limit is 413, and the sentence names the limit', async () => {
  const limits = { ...createInProcessHost().api.settings.limits, maxUploadBytes: 256 };
  const host = createInProcessHost({ limits });
  mustRefuse(await upload(host.send), 413, '256 bytes');
  nothingHeld(host);
});

test('an image file beyond the limit is 413 without being read', async () => {
  const limits = { ...createInProcessHost().api.settings.limits, maxImageBytes: 256 };
  const host = createInProcessHost({ limits });
  mustRefuse(await upload(host.send), 413, 'image file');
  nothingHeld(host);
});

test.each(['schlüssel', '鍵', 'a\tb', 'a\u0000'])(
  'an Idempotency-Key that is not printable ASCII is refused: %j',
  async (key) => {
    const host = createInProcessHost();
    mustRefuse(await upload(host.send, { idempotencyKey: key }), 422, 'Idempotency-Key');
    expect(host.received).toEqual([]);
  },
);

test('fileobject without a file name is a file', async () => {
  const host = createInProcessHost();
  const part = { ...filePart(RAMP_JPEG), filename: null };
  const { id } = jsonOf<{ id: string }>(await upload(host.send, { parts: [part] }));
  const { filename } = jsonOf<{ filename: string }>(await get(host.send, `/v1/file/${id}/metadata`));
  expect(filename).toBe('image.jpg');
});
