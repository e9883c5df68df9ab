import { imageHeader } from '../testing/sniffed-files';
import { expect, test } from 'vitest';
import { videoOptions } from '../catalogue/derive-parameters';
import type { WebhookCall } from '../ports/webhooks';
import { createFakeEngine } from '../testing/fake-engine';
import { createFakeLog, createFakeSystem } from '../testing/fake-system';
import { createFakeWebhooks } from '../testing/fake-webhooks';
import { testSettings } from '../testing/in-process-host';
import { createMemoryStorage, receivedInMemory } from '../testing/memory-storage';
import { createMemoryTaskStore } from '../testing/memory-task-store';
import { RAMP_JPEG } from '../testing/ramp-images';
import { createTaskService } from '../tasks/service';
import type { WebhookOutcome, WebhookTarget } from './webhook';
import {
  LONGEST_DELAY_MS,
  MAX_ATTEMPTS,
  parseRetryAfter,
  retryDelayMs,
} from '../tasks/webhook/webhook-backoff';
import { defaultImageOptions } from './options';

const TARGET: WebhookTarget = {
  url: 'https://receiver.example/hook',
  header: { name: 'X-Key', value: 'secret' },
};
const answered = (status: number): WebhookOutcome => ({ kind: 'answered', status });

const hanging = (calls: WebhookCall[]) => (call: WebhookCall) => {
  calls.push(call);
  return new Promise<WebhookOutcome>(() => undefined);
};

const setUp = (outcomes: readonly WebhookOutcome[], during?: () => Promise<void>) => {
  const webhooks = createFakeWebhooks(...outcomes);
  const storage = createMemoryStorage();
  const ports = {
    engine: createFakeEngine(during),
    storage,
    taskStore: createMemoryTaskStore(),
    system: createFakeSystem(),
    log: createFakeLog(),
    webhooks,
  };
  const service = createTaskService(ports, testSettings());
  const submit = (webhook: WebhookTarget | null = TARGET) =>
    service.submit({
      file: receivedInMemory(RAMP_JPEG, storage),
      filename: 'a.jpg',
      format: 'jpeg',
      header: imageHeader(),
      options: defaultImageOptions({ classes: ['face'] }),
      video: videoOptions(),
      webhook,
      isAwaited: true,
    });
  const webhookOf = async (id: string) => (await service.get(id))?.webhook;
  /** Elapses the timer and waits for the next call. @returns the delay of the call, in ms */
  const nextCall = async (): Promise<number | undefined> => {
    await expect.poll(() => webhooks.timer.delays()).not.toEqual([]);
    const before = webhooks.calls.length;
    const delayMs = webhooks.timer.elapse();
    await expect.poll(() => webhooks.calls.length).toBe(before + 1);
    return delayMs;
  };
  return { ...ports, ports, service, submit, webhookOf, nextCall };
};

test('the receiver is notified when the task is done, in the format of the contract', async () => {
  const { submit, service, webhooks, nextCall, webhookOf } = setUp([answered(204)]);
  const { task, outcome } = await submit();
  expect(webhooks.calls).toEqual([]);
  await outcome;
  await nextCall();
  const [call] = webhooks.calls;
  const { finishedAtMs } = (await service.get(task.id))!;
  expect(call?.url).toBe(TARGET.url);
  expect(call?.headers).toMatchObject({ 'content-type': 'application/json', 'X-Key': 'secret' });
  expect(JSON.parse(call!.body)).toEqual({
    ts: new Date(finishedAtMs!).toISOString().slice(0, -1),
    type: 'notification.processing.status.changed',
    event: { id: task.id, status: 'done' },
  });
  await expect.poll(() => webhookOf(task.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(webhooks.timer.delays()).toEqual([]);
});

test('a failed task is reported with the status failed, and its secrets are removed then', async () => {
  const { submit, webhooks, nextCall, webhookOf } = setUp([], () => Promise.reject(new Error('a fault')));
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  expect(JSON.parse(webhooks.calls[0]!.body)).toMatchObject({ event: { status: 'failed' } });
  await expect.poll(() => webhookOf(task.id)).toMatchObject({ status: 'delivered', target: null });
});

test('an upload without a webhook causes no call', async () => {
  const { submit, webhooks, service } = setUp([]);
  const { task, outcome } = await submit(null);
  await outcome;
  await service.stop();
  expect(webhooks.timer.delays()).toEqual([]);
  expect((await service.get(task.id))?.webhook).toBeNull();
});

test('calls are signed as id.timestamp.body (Standard Webhooks); all attempts have one id and own timestamps', async () => {
  const { submit, webhooks, nextCall, system } = setUp([answered(500), answered(200)]);
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  for (let ms = 0; ms < 2_000; ms += 1) system.nowMs();
  await nextCall();
  const [first, second] = webhooks.calls.map(({ headers, body }) => ({ headers, body }));
  for (const { headers, body } of [first!, second!]) {
    expect(headers['webhook-id']).toBe(`msg_${task.id}`);
    const timestamp = headers['webhook-timestamp']!;
    expect(headers['webhook-signature']).toBe(`v1,signed(msg_${task.id}.${timestamp}.${body})`);
  }
  expect(second!.body).toBe(first!.body);
  expect(Number(second!.headers['webhook-timestamp'])).toBeGreaterThan(
    Number(first!.headers['webhook-timestamp']),
  );
});

test('failed calls are repeated after growing delays, up to the maximum number of attempts', async () => {
  const { submit, nextCall, webhookOf, webhooks } = setUp([{ kind: 'timed-out' }]);
  const { task, outcome } = await submit();
  await outcome;
  const delays: number[] = [];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) delays.push((await nextCall())!);
  // Some clock ticks pass between a call's end and the next one's scheduling.
  expect(delays.map((delayMs) => Math.round(delayMs / 1000))).toEqual([
    0, 5, 20, 80, 320, 1280, 5120, 20_480,
  ]);
  await expect
    .poll(() => webhookOf(task.id))
    .toMatchObject({
      status: 'failed',
      attempts: MAX_ATTEMPTS,
      lastOutcome: { kind: 'timed-out' },
      nextAttemptAtMs: null,
    });
  expect(webhooks.timer.delays()).toEqual([]);
});

test.each([
  [429, 60_000, 60],
  [503, 60_000, 60],
  [503, 1_000, 5],
  [503, Number.MAX_VALUE, LONGEST_DELAY_MS / 1000],
  [500, 60_000, 5],
])(
  'a receiver that answers %i with a Retry-After of %i ms is called again after %i s',
  async (status, retryAfterMs, seconds) => {
    const { submit, nextCall } = setUp([{ kind: 'answered', status, retryAfterMs }]);
    await (
      await submit()
    ).outcome;
    await nextCall();
    expect(Math.round((await nextCall())! / 1000)).toBe(seconds);
  },
);

test.each([
  ['120', 120_000],
  ['0', 0],
  ['99999999999999999999', LONGEST_DELAY_MS],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['Fri, 01 Jan 2099 11:00:00 GMT', LONGEST_DELAY_MS],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j ms', (header, delayMs) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 0, 1, 12))).toBe(delayMs);
});

test('jitter shortens or extends a delay by up to a fifth, and never beyond the maximum delay', () => {
  expect([retryDelayMs(1, 0), retryDelayMs(1, 1)]).toEqual([4_000, 6_000]);
  expect(retryDelayMs(MAX_ATTEMPTS - 1, 1)).toBe(LONGEST_DELAY_MS);
  expect(retryDelayMs(MAX_ATTEMPTS, 0)).toBeNull();
});

test.each([301, 302, 307, 400, 404, 429, 500, 503])('a call answered with %i is repeated', async (status) => {
  const { submit, nextCall, webhookOf } = setUp([answered(status), answered(200)]);
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  await nextCall();
  await expect.poll(() => webhookOf(task.id)).toMatchObject({ status: 'delivered', attempts: 2 });
});

test('410 Gone ends the delivery at once', async () => {
  const { submit, nextCall, webhookOf, webhooks } = setUp([answered(410)]);
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  await expect.poll(() => webhookOf(task.id)).toMatchObject({ status: 'failed', attempts: 1, target: null });
  expect(webhooks.timer.delays()).toEqual([]);
});

test('after a restart a delivery continues with its number of attempts and the time of its next call', async () => {
  const before = setUp([answered(500)]);
  const { task, outcome } = await before.submit();
  await outcome;
  await before.nextCall();
  await expect.poll(() => before.webhooks.timer.delays()).not.toEqual([]);
  await before.service.stop();
  expect(before.webhooks.timer.delays()).toEqual([]);

  const webhooks = createFakeWebhooks(answered(200));
  const after = createTaskService({ ...before.ports, webhooks }, testSettings());
  await after.resume();
  await expect.poll(() => webhooks.timer.delays()).not.toEqual([]);
  const delayMs = webhooks.timer.elapse()!;
  expect(delayMs).toBeGreaterThan(4_000);
  expect(delayMs).toBeLessThan(5_000);
  await expect
    .poll(async () => (await after.get(task.id))?.webhook)
    .toMatchObject({ status: 'delivered', attempts: 2 });
  expect(webhooks.calls[0]?.headers['X-Key']).toBe('secret');
});

test('a task that was interrupted by crashes too often is reported as failed after the restart', async () => {
  const before = setUp([], () => new Promise(() => undefined));
  const { task } = await before.submit();
  await expect.poll(async () => (await before.service.get(task.id))?.status).toBe('processing');
  await before.taskStore.update(task.id, (record) => ({ ...record, attempts: 3 }));
  const webhooks = createFakeWebhooks();
  const after = createTaskService({ ...before.ports, webhooks }, testSettings());
  await after.resume();
  await expect.poll(() => webhooks.timer.delays()).not.toEqual([]);
  webhooks.timer.elapse();
  await expect.poll(() => webhooks.calls.length).toBe(1);
  expect(JSON.parse(webhooks.calls[0]!.body)).toMatchObject({ event: { id: task.id, status: 'failed' } });
});

test('a clock that was set back delays a call by the maximum delay at most', async () => {
  const { ports, submit, nextCall } = setUp([answered(500)]);
  await (
    await submit()
  ).outcome;
  await nextCall();
  await expect.poll(() => ports.webhooks.timer.delays()).not.toEqual([]);
  const webhooks = createFakeWebhooks();
  const early = { ...ports.system, nowMs: () => 0 };
  await createTaskService({ ...ports, system: early, webhooks }, testSettings()).resume();
  await expect.poll(() => webhooks.timer.delays()).toEqual([LONGEST_DELAY_MS]);
});

test('a host that stops waits two seconds for a running call, and repeats an aborted one later', async () => {
  const { ports, submit, nextCall, service, webhookOf } = setUp([]);
  Object.assign(ports.webhooks.sender, { post: hanging(ports.webhooks.calls as WebhookCall[]) });
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  const stopped = service.stop();
  await expect.poll(() => ports.webhooks.timer.delays()).toEqual([2_000]);
  ports.webhooks.timer.elapse();
  await stopped;
  expect(await webhookOf(task.id)).toMatchObject({ status: 'pending', attempts: 0 });
});

test('deleting the record ends the delivery', async () => {
  const { submit, service, nextCall, webhooks } = setUp([answered(500)]);
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  await expect.poll(() => webhooks.timer.delays()).not.toEqual([]);
  await service.delete(task.id, 'task-and-files');
  webhooks.timer.elapse();
  await service.stop();
  expect(webhooks.calls.length).toBe(1);
});

test('a task whose files are deleted before the call is still reported as done', async () => {
  const { submit, service, nextCall, webhooks } = setUp([]);
  const { task, outcome } = await submit();
  await outcome;
  await expect.poll(() => webhooks.timer.delays()).not.toEqual([]);
  await service.delete(task.id, 'only-files');
  await nextCall();
  expect(JSON.parse(webhooks.calls[0]!.body)).toMatchObject({ event: { status: 'done' } });
});

test('a task that is deleted before its end is not reported, and its secrets are removed', async () => {
  const { submit, service, webhooks, webhookOf } = setUp([], () => new Promise(() => undefined));
  const { task, outcome } = await submit();
  await service.delete(task.id, 'only-files');
  await outcome;
  expect(await webhookOf(task.id)).toMatchObject({ status: 'cancelled', target: null });
  await service.stop();
  expect(webhooks.calls).toEqual([]);
});

test('log lines contain neither the address nor the header', async () => {
  const lines: unknown[] = [];
  const { submit, nextCall, log, webhookOf } = setUp([answered(500), answered(200)]);
  Object.assign(log, { info: (...line: unknown[]) => void lines.push(line) });
  const { task, outcome } = await submit();
  await outcome;
  await nextCall();
  await nextCall();
  await expect.poll(() => webhookOf(task.id)).toMatchObject({ status: 'delivered' });
  expect(lines.length).toBe(2);
  expect(JSON.stringify(lines)).not.toMatch(/secret|X-Key|receiver\.example/i);
});
