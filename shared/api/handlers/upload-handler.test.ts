import { expect, test, it, vi } from 'vitest';
import { jsonOf, mustRefuse, mustHaveStatus } from '../../testing/conformance';
import { filePart, get, upload, uploadedId } from '../../testing/conformance-steps';
import { createFakeEngine } from '../../testing/fake-engine';
import { createInProcessHost } from '../../testing/in-process-host';
import { createMemoryStorage, receivedInMemory } from '../../testing/memory-storage';
import { RAMP_JPEG } from '../../testing/ramp-images';
import { jpegFile } from '../../testing/image-bytes';
import { RAMP_MP4 } from '../../testing/video-files';
import { receiveMedia } from './upload-handler';
import { createFakeWebhooks } from '../../testing/fake-webhooks';

const HEADER = 'webhook-auth-header-name=X-Key&webhook-auth-header-value=topsecret';
const queryFor = (url: string, more = ''): string =>
  `webhook=${encodeURIComponent(url)}${more && `&${more}`}`;
const HOOK = queryFor('http://receiver.example/hook?token=hidden', HEADER);

const open = () => {
  const webhooks = createFakeWebhooks({ kind: 'answered', status: 500 }, { kind: 'answered', status: 200 });
  return { webhooks, ...createInProcessHost({}, { webhooks }) };
};

test('a synchronous upload notifies as well as an asynchronous one', async () => {
  for (const isAsync of [true, false]) {
    const { send, webhooks } = open();
    mustHaveStatus(await upload(send, { isAsync, query: HOOK }), 200);
    await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  }
});

test('the record says how far the notification has got, and names neither address nor header', async () => {
  const { send, webhooks } = open();
  const id = await uploadedId(send, { query: HOOK });
  const recordOf = async () => jsonOf<{ webhook: object }>(await get(send, `/v1/task/${id}`)).webhook;
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  expect(await recordOf()).toEqual({
    status: 'pending',
    attempts: 0,
    last_attempt_at: null,
    last_outcome: null,
    next_attempt_at: expect.stringMatching(/^\d{4}-.*\d$/),
  });
  webhooks.timer.elapse();
  await expect.poll(recordOf).toMatchObject({
    status: 'pending',
    attempts: 1,
    last_outcome: 'The receiver answered with status 500.',
    next_attempt_at: expect.any(String),
  });
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  webhooks.timer.elapse();
  await expect.poll(recordOf).toMatchObject({
    status: 'delivered',
    attempts: 2,
    last_attempt_at: expect.any(String),
    last_outcome: 'The receiver answered with status 200.',
    next_attempt_at: null,
  });
  for (const url of [`/v1/task/${id}`, '/v1/task/list', `/v1/file/${id}/metadata`]) {
    const { body } = await get(send, url);
    expect(new TextDecoder().decode(body)).not.toMatch(/topsecret|hidden|receiver\.example|X-Key/i);
  }
});

test('the older names of the header parameters are accepted', async () => {
  const { send, webhooks } = open();
  const header = 'web_auth_header_name=X-Key&web-auth-header-value=topsecret';
  await uploadedId(send, { query: queryFor('http://receiver.example/', header) });
  await expect.poll(() => webhooks.timer.delays().length).toBe(1);
  webhooks.timer.elapse();
  await expect.poll(() => webhooks.calls[0]?.headers).toMatchObject({ 'X-Key': 'topsecret' });
});

test('an address that may not be called is refused at upload', async () => {
  const { send, received } = open();
  mustRefuse(await upload(send, { query: queryFor('http://10.0.0.1/') }), 422, '--webhook-allow');
  expect(received).toEqual([]);
});

test('a host that sends nothing out refuses a webhook, and an empty one is none', async () => {
  const { send } = createInProcessHost();
  mustRefuse(await upload(send, { query: HOOK }), 422, '`webhook` is not available');
  mustHaveStatus(await upload(send, { query: 'webhook=&webhook-auth-header-name=' }), 200);
});

test.each(['webhook-auth-header-name=X-Key', 'webhook-auth-header-value=topsecret'])(
  'half a header is refused: %s',
  async (half) => {
    const { send } = open();
    mustRefuse(await upload(send, { query: queryFor('http://receiver.example/', half) }), 422, 'together');
  },
);

test('a complaint repeats neither the address nor the value of the header', async () => {
  const { send } = open();
  for (const query of [
    queryFor('ftp://receiver.example/topsecret'),
    queryFor('http://receiver.example:0x/topsecret'),
    `webhook-auth-header-value=${encodeURIComponent('topsecret\r\nHost: a')}`,
    `webhook-auth-header-value=${'topsecret'.repeat(500)}`,
  ]) {
    const answer = await upload(send, { query });
    mustRefuse(answer, 422, /^`webhook.* must be .*what was sent/);
    expect(new TextDecoder().decode(answer.body)).not.toContain('topsecret');
  }
});

test.each(['a\nb', 'a\rb', 'a\0b', 'naïve', '\u{1f600}'])(
  'a header value that is no visible ASCII is refused: %j',
  async (value) => {
    const { send } = open();
    const query = queryFor('http://receiver.example/', `webhook-auth-header-name=X-Key`);
    const answer = await upload(send, {
      query: `${query}&webhook-auth-header-value=${encodeURIComponent(value)}`,
    });
    mustRefuse(answer, 422, 'webhook-auth-header-value');
  },
);

const PDF = new TextEncoder().encode('%PDF-1.7');

const readingsOf = async (bytes: Uint8Array) => {
  const file = receivedInMemory(bytes, createMemoryStorage());
  const read = vi.spyOn(file.source, 'read');
  const parts = [{ name: 'fileobject', filename: 'a', contentType: '', file }];
  const request = {
    method: 'POST',
    url: '/v1/file',
    headers: {},
    receiveUpload: async () => parts,
    receiveBody: async () => new Uint8Array(0),
    signal: new AbortController().signal,
  };
  const { api } = createInProcessHost();
  const end = await receiveMedia(request, api, { withDigest: false }).then(
    ({ format }) => format,
    (error: Error) => error.name,
  );
  return { end, readings: read.mock.calls.length };
};

it('an image is read once before its task, because only its end proves that it is complete', async () => {
  expect(await readingsOf(jpegFile(64, 64))).toEqual({ end: 'jpeg', readings: 1 });
});

it('a video or a file that is refused is not read: its first bytes decide', async () => {
  expect(await readingsOf(RAMP_MP4)).toMatchObject({ readings: 0 });
  expect(await readingsOf(PDF)).toEqual({ end: 'UnreadableFile', readings: 0 });
});

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
