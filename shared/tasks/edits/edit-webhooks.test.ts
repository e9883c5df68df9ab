import { expect, it } from 'vitest';
import { LIMITS } from '../../domain/limits';
import { announceEdit, newWebhook, type WebhookOutcome } from '../../domain/webhook';
import type { Engine } from '../../ports/host-engine';
import { createFakeEngine } from '../../testing/fake-engine';
import { createFakeWebhooks, type FakeWebhooks } from '../../testing/fake-webhooks';
import { createDisk, forever, startHost } from '../../testing/task-host';
import type { TaskService } from '../service';

const TARGET = { url: 'https://receiver.example/hook', header: { name: 'X-Key', value: 'secret' } };
const answered = (status: number): WebhookOutcome => ({ kind: 'answered', status });

const rendering = (during: () => Promise<void>): Engine => ({
  ...createFakeEngine(),
  renderImage: async (_job, signal) => {
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    await Promise.race([during(), aborted]);
    return new Uint8Array([1]);
  },
});

/** Edits that differ from each other by a number. */
const submit = async (service: TaskService, id: string, note: number) => {
  const task = (await service.get(id))!;
  const base = (await service.edits.base(task))!;
  return (await service.edits.submit(task, base, { method: 'blur', reviewer: `${note}` }, () => true))!;
};
const edit = async (service: TaskService, id: string, note: number) =>
  (await submit(service, id, note)).outcome;

const stop = async (service: TaskService, id: string) => {
  const task = (await service.get(id))!;
  return service.edits.stopEdits(task, (await service.edits.base(task))!, () => true);
};

/** A done task with a webhook, whose own notification was sent. */
const startNotified = async (webhooks: FakeWebhooks = createFakeWebhooks(), engine?: Engine) => {
  const disk = createDisk();
  const { service, submit: upload } = startHost(disk, engine, undefined, { webhooks });
  const { task, outcome } = await upload({}, { webhook: TARGET });
  await outcome;
  await nextCall(webhooks);
  return { disk, webhooks, service, id: task.id };
};

const nextCall = async ({ timer, calls }: FakeWebhooks) => {
  await expect.poll(() => timer.delays()).not.toEqual([]);
  const before = calls.length;
  timer.elapse();
  await expect.poll(() => calls.length).toBe(before + 1);
  const { headers, body } = calls.at(-1)!;
  return { id: headers['webhook-id'], event: (JSON.parse(body) as { event: object }).event };
};
const webhookOf = async (service: TaskService, id: string) => (await service.get(id))?.webhook;

it('each edit is reported like an upload, as edited and with a message id of its own', async () => {
  const { webhooks, service, id } = await startNotified();
  for (const number of [1, 2]) {
    await edit(service, id, number);
    expect(await nextCall(webhooks)).toEqual({
      id: `msg_${id}_edit_${number}`,
      event: { id, status: 'done', edited: true },
    });
    expect(webhooks.calls.at(-1)?.headers['X-Key']).toBe('secret');
  }
  await expect
    .poll(() => webhookOf(service, id))
    .toMatchObject({ status: 'delivered', edits: [{ edit: 2, status: 'delivered', attempts: 1 }] });
});

it('an edit that failed is reported as failed', async () => {
  const engine = rendering(() => Promise.reject(new Error('a fault')));
  const { webhooks, service, id } = await startNotified(undefined, engine);
  await edit(service, id, 1);
  expect((await nextCall(webhooks)).event).toEqual({ id, status: 'failed', edited: true });
});

it('a release is reported, as released and with a message id of its own', async () => {
  const { webhooks, service, id } = await startNotified();
  await service.edits.release((await service.get(id))!, { atMs: 7 }, () => true);
  const { id: message, event } = await nextCall(webhooks);
  expect([message, event]).toEqual([`msg_${id}_edit_1`, { id, status: 'done', released: true }]);
});

it('notifications of a task are retried independently, and none is sent twice at a time', async () => {
  const { webhooks, service, id } = await startNotified(createFakeWebhooks(answered(500)));
  await edit(service, id, 1);
  await expect.poll(() => webhooks.timer.delays()).toHaveLength(2);
  expect((await nextCall(webhooks)).id).toBe(`msg_${id}_edit_1`);
  await expect.poll(() => webhooks.timer.delays()).toHaveLength(2);
  expect(await webhookOf(service, id)).toMatchObject({ attempts: 1, edits: [{ attempts: 1 }] });
});

it('an edit that ended before a restart is reported after it', async () => {
  const { disk, service, id } = await startNotified();
  await edit(service, id, 1);
  await service.stop();
  const webhooks = createFakeWebhooks();
  const { service: next } = startHost(disk, undefined, undefined, { webhooks });
  await next.resume();
  expect(await nextCall(webhooks)).toMatchObject({ id: `msg_${id}_edit_1`, event: { edited: true } });
  await expect.poll(() => webhookOf(next, id)).toMatchObject({ edits: [{ status: 'delivered' }] });
});

it.each(Array.from({ length: 12 }, (_, writes) => writes))(
  'an accepted edit is reported once although the host goes down after %i writes',
  async (writes) => {
    const { disk, id } = await startNotified();
    const { service, death } = startHost(disk, undefined, writes, { webhooks: createFakeWebhooks() });
    let isAccepted = false;
    const edited = submit(service, id, 1).then(({ outcome }) => {
      isAccepted = true;
      return outcome;
    });
    await Promise.race([death, edited]);
    const webhooks = createFakeWebhooks();
    const { service: next } = startHost(disk, undefined, undefined, { webhooks });
    await next.resume();
    if (!isAccepted && (await next.get(id))?.edit === undefined) return;
    expect(await nextCall(webhooks)).toMatchObject({ id: `msg_${id}_edit_1`, event: { status: 'done' } });
    await expect.poll(() => webhookOf(next, id)).toMatchObject({ edits: [{ status: 'delivered' }] });
    expect(webhooks.timer.delays()).toEqual([]);
  },
);

it('edits that a client stopped are not reported, and leave the result', async () => {
  const { webhooks, service, id } = await startNotified(undefined, rendering(forever));
  const before = await service.result(id);
  const { outcome } = await submit(service, id, 1);
  await expect.poll(async () => (await service.get(id))?.edit?.status).toBe('processing');
  expect(await stop(service, id)).toEqual({ wereStopped: true });
  expect(await outcome).toEqual({ kind: 'stopped' });
  expect(await service.result(id)).toEqual(before);
  expect((await service.get(id))?.edit).toBeUndefined();
  expect(await stop(service, id)).toEqual({ wereStopped: false });
  expect(webhooks.timer.delays()).toEqual([]);
});

it('edits that wait for those of another task are stopped without waiting', async () => {
  const { service, disk, id } = await startNotified(undefined, rendering(forever));
  const [first] = await Promise.all([submit(service, id, 1)]);
  await expect.poll(async () => (await service.get(id))?.edit?.status).toBe('processing');
  const other = crypto.randomUUID();
  const record = (await service.get(id))!;
  for (const key of disk.storage.keys().filter((name) => name.includes(id))) {
    await disk.storage.write(key.replace(id, other), (await disk.storage.read(key))!);
  }
  await disk.taskStore.put({ ...record, id: other, edit: { status: 'failed', progress: 0, error: null } });
  const waiting = await submit(service, other, 2);
  expect(await stop(service, other)).toEqual({ wereStopped: true });
  expect(await waiting.outcome).toEqual({ kind: 'stopped' });
  expect((await service.get(other))?.edit).toBeUndefined();
  expect(await stop(service, id)).toEqual({ wereStopped: true });
  expect(await first.outcome).toEqual({ kind: 'stopped' });
});

it('the target is kept while the result can be edited, and removed with the files', async () => {
  const { service, id } = await startNotified();
  await expect.poll(() => webhookOf(service, id)).toMatchObject({ status: 'delivered', target: TARGET });
  await service.delete(id, 'only-files');
  expect(await webhookOf(service, id)).toMatchObject({ status: 'delivered', target: null });
});

it('an edit is still reported if the files are deleted before the call, and the target is removed then', async () => {
  const { webhooks, service, id } = await startNotified();
  await edit(service, id, 1);
  await service.delete(id, 'only-files');
  expect((await nextCall(webhooks)).event).toEqual({ id, status: 'done', edited: true });
  await expect.poll(() => webhookOf(service, id)).toMatchObject({ target: null });
});

it('a receiver that answers 410 gets no notification of edits', async () => {
  const { webhooks, service, id } = await startNotified(createFakeWebhooks(answered(410)));
  await expect.poll(() => webhookOf(service, id)).toMatchObject({ status: 'failed', target: null });
  await edit(service, id, 1);
  await service.stop();
  expect(webhooks.calls).toHaveLength(1);
});

it('a task keeps a limited number of notifications for a receiver that accepts none', () => {
  const max = LIMITS.maxPendingEditWebhooks;
  let webhook = newWebhook(TARGET);
  for (let atMs = 1; atMs <= max + 2; atMs += 1) webhook = announceEdit(webhook, { status: 'done', atMs })!;
  expect(webhook.edits).toHaveLength(max);
  expect(webhook.edits?.at(-1)?.edit).toBe(max + 2);
});
