import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { jsonOf, mustHaveStatus, mustRefuse } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { get, upload, uploadedId } from '#shared/testing/conformance-steps';
import { createFakeTimer } from '#shared/testing/fake-webhooks';
import { createInProcessHost } from '#shared/testing/in-process-host';
import { createMemoryStorage } from '#shared/testing/memory-storage';
import { allTasks } from '#shared/tasks/base/task-records';
import { createAddressGuard, parseAddressRange } from './adapters/address-guard';
import { system } from './adapters/system';
import { openTaskStore, type FileTaskStore } from './adapters/task-store';
import { createWebhookSender, createWebhookSigner, webhookKey } from './adapters/webhook-sender';
import { temporaryFolder } from './testing/temporary-folder';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

interface Notification {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real receiver on this machine. @param statuses its answers in order; the last one is repeated */
const startReceiver = async (...statuses: readonly number[]) => {
  const notifications: Notification[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        notifications.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(statuses[Math.min(notifications.length, statuses.length) - 1] ?? 200).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const query = `webhook=${encodeURIComponent(url)}&webhook-auth-header-name=X-Key&webhook-auth-header-value=topsecret`;
  return { notifications, query };
};

/** The API with the server's sender, store and clock. A real clock, because receivers refuse old signatures. */
const startHost = (taskStore: FileTaskStore, allow: readonly string[] = ['127.0.0.0/8']) => {
  const timer = createFakeTimer(); // only for retries; the time limit of a call uses another timer
  const guard = createAddressGuard(allow.map((text) => parseAddressRange(text)!));
  const sender = createWebhookSender({ guard, timer: createFakeTimer() });
  const signer = createWebhookSigner(webhookKey(SECRET)!);
  const storage = createMemoryStorage();
  const webhooks = { sender, signer, timer, random: () => 0.5 };
  return { timer, ...createInProcessHost({}, { storage, taskStore, webhooks, system }) };
};

const openStore = async (folder: string): Promise<FileTaskStore> => {
  const store = await openTaskStore(folder);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
};

type Host = ReturnType<typeof startHost>;

const webhookOf = async ({ send }: Host, id: string) =>
  jsonOf<{ webhook: object }>(await get(send, `/v1/task/${id}`)).webhook;

const letRetryCome = async ({ timer }: Host): Promise<void> => {
  await expect.poll(() => timer.delays().length).toBe(1);
  timer.elapse();
};

test('a notification is repeated after a 500, and each call verifies with the secret', async () => {
  const { notifications, query } = await startReceiver(500, 204);
  const host = startHost(await openStore(temporaryFolder()));
  const id = await uploadedId(host.send, { isAsync: true, query });
  await letRetryCome(host);
  await expect.poll(() => webhookOf(host, id)).toMatchObject({ status: 'pending', attempts: 1 });
  await letRetryCome(host);
  await expect.poll(() => webhookOf(host, id)).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(notifications.length).toBe(2);
  for (const { headers, body } of notifications) {
    expect(JSON.parse(body)).toMatchObject({
      type: 'notification.processing.status.changed',
      event: { id, status: 'done' },
    });
    expect(headers['x-key']).toBe('topsecret');
    expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
  }
});

test('a notification that was changed or signed with another secret does not verify', async () => {
  const { notifications, query } = await startReceiver(204);
  const host = startHost(await openStore(temporaryFolder()));
  await uploadedId(host.send, { isAsync: true, query });
  await letRetryCome(host);
  await expect.poll(() => notifications.length).toBe(1);
  const { headers, body } = notifications[0]!;
  const verify = (secret: string, text: string) => () =>
    new Webhook(secret).verify(text, headers as Record<string, string>);
  expect(verify(SECRET, body)).not.toThrow();
  expect(verify(SECRET, body.replace('done', 'failed'))).toThrow('No matching signature found');
  const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
  expect(verify(other, body)).toThrow('No matching signature found');
});

test('a restart continues the delivery, and the secrets are removed with the files of the task', async () => {
  const { notifications, query } = await startReceiver(503, 200);
  const folder = temporaryFolder();
  const storeBefore = await openStore(folder);
  const before = startHost(storeBefore);
  const id = await uploadedId(before.send, { query });
  await letRetryCome(before);
  await expect.poll(() => webhookOf(before, id)).toMatchObject({ attempts: 1 });
  await before.api.tasks.stop();
  await storeBefore.close();

  const storeAfter = await openStore(folder);
  const after = startHost(storeAfter);
  await after.api.tasks.resume();
  await letRetryCome(after);
  await expect.poll(() => webhookOf(after, id)).toMatchObject({ status: 'delivered', attempts: 2 });
  expect(notifications.map(({ headers }) => headers['x-key'])).toEqual(['topsecret', 'topsecret']);
  await after.api.tasks.delete(id, 'only-files');
  expect(JSON.stringify(await allTasks(storeAfter))).not.toMatch(/topsecret|127\.0\.0\.1/);
});

test('an edit of the result is reported as edited, with a message id of its own and a signature', async () => {
  const { notifications, query } = await startReceiver(204);
  const host = startHost(await openStore(temporaryFolder()));
  const id = await uploadedId(host.send, { query });
  await letRetryCome(host);
  mustHaveStatus(await putEdits(host.send, id, { objects: [{ id: 0, hidden: false }] }), 200);
  await letRetryCome(host);
  await expect
    .poll(() => webhookOf(host, id))
    .toMatchObject({ status: 'delivered', edits: [{ status: 'delivered', attempts: 1 }] });
  const [uploaded, edited] = notifications;
  expect(JSON.parse(edited!.body)).toMatchObject({ event: { id, status: 'done', edited: true } });
  expect(JSON.parse(uploaded!.body)).not.toHaveProperty('event.edited');
  expect(edited!.headers['webhook-id']).not.toBe(uploaded!.headers['webhook-id']);
  expect(edited!.headers['x-key']).toBe('topsecret');
  new Webhook(SECRET).verify(edited!.body, edited!.headers as Record<string, string>);
});

test('an address that is no longer allowed after a restart is not called', async () => {
  const { notifications, query } = await startReceiver(503);
  const folder = temporaryFolder();
  const storeBefore = await openStore(folder);
  const before = startHost(storeBefore);
  const id = await uploadedId(before.send, { query });
  await letRetryCome(before);
  await expect.poll(() => webhookOf(before, id)).toMatchObject({ attempts: 1 });
  await before.api.tasks.stop();
  await storeBefore.close();

  const after = startHost(await openStore(folder), []);
  await after.api.tasks.resume();
  await letRetryCome(after);
  await expect
    .poll(() => webhookOf(after, id))
    .toMatchObject({
      attempts: 2,
      last_outcome: 'The receiver has an address that may not be called.',
    });
  expect(notifications.length).toBe(1);
});

test('without --webhook-allow an address of this machine is refused at the upload', async () => {
  const { query } = await startReceiver();
  const host = startHost(await openStore(temporaryFolder()), []);
  mustRefuse(await upload(host.send, { query }), 422, '--webhook-allow');
  mustHaveStatus(await upload(host.send), 200);
});
