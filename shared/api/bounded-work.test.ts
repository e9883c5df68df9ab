import { describe, expect, it } from 'vitest';
import { jsonOf, mustRefuse } from '../testing/conformance';
import { get, upload, uploadedId, waitForTask } from '../testing/conformance-steps';
import { createFakeEngine } from '../testing/fake-engine';
import { createFakeTimer } from '../testing/fake-webhooks';
import { createInProcessHost } from '../testing/in-process-host';

const endless = () => createFakeEngine(() => new Promise(() => undefined));

describe('a queue with a limit', () => {
  it('refuses an upload above the limit with 503 and Retry-After, before its body is received', async () => {
    const host = createInProcessHost({ maxQueue: 2 }, { engine: endless() });
    await uploadedId(host.send, { isAsync: true });
    await uploadedId(host.send, { isAsync: true });
    const answer = await upload(host.send, { isAsync: true });
    mustRefuse(answer, 503, 'queue is full');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(host.received).toHaveLength(2);
  });

  it('refuses simultaneous uploads above the limit, and keeps none of their files', async () => {
    const host = createInProcessHost({ maxQueue: 2 }, { engine: endless() });
    const uploads = Array.from({ length: 5 }, () => upload(host.send, { isAsync: true }));
    const statuses = (await Promise.all(uploads)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 503, 503, 503]);
    expect(host.received.filter((file) => file.isHeld())).toEqual([]);
  });

  it('accepts uploads again when a task has ended', async () => {
    const host = createInProcessHost({ maxQueue: 1 });
    expect(await waitForTask(host.send, await uploadedId(host.send, { isAsync: true }))).toBe('done');
    await uploadedId(host.send, { isAsync: true });
  });

  it('refuses a synchronous upload as busy, even if the queue is full', async () => {
    const host = createInProcessHost({ maxQueue: 1 }, { engine: endless() });
    await uploadedId(host.send, { isAsync: true });
    mustRefuse(await upload(host.send), 409);
  });

  it('also counts synchronous uploads that wait', async () => {
    const host = createInProcessHost({ maxQueue: 1, syncWhenBusy: 'queue' }, { engine: endless() });
    await uploadedId(host.send, { isAsync: true });
    mustRefuse(await upload(host.send), 503);
  });
});

describe('a task with a time limit', () => {
  const SENTENCE = 'Processing the file took too long: the limit is 30 minutes.';
  const open = (engine = endless(), changes = {}) => {
    const timer = createFakeTimer();
    const host = createInProcessHost({ taskTimeoutMs: 1_800_000, ...changes }, { engine, timer });
    return { ...host, timer };
  };
  const isTimed = ({ timer }: ReturnType<typeof open>) =>
    expect.poll(() => timer.delays()).toEqual([1_800_000]);

  it('fails after the limit, with a sentence and without files', async () => {
    const host = open();
    const id = await uploadedId(host.send, { isAsync: true });
    await isTimed(host);
    host.timer.elapse();
    expect(await waitForTask(host.send, id)).toBe('failed');
    expect(jsonOf(await get(host.send, `/v1/task/${id}`))).toMatchObject({ error: SENTENCE });
    expect(host.storage.keys()).toEqual([]);
    mustRefuse(await get(host.send, `/v1/file/${id}/anonymised`), 422, SENTENCE);
  });

  it('answers a synchronous upload with the same sentence', async () => {
    const host = open();
    const answer = upload(host.send);
    await isTimed(host);
    host.timer.elapse();
    mustRefuse(await answer, 422, SENTENCE);
  });

  it('does not count the time in the queue', async () => {
    const host = open();
    await uploadedId(host.send, { isAsync: true });
    await uploadedId(host.send, { isAsync: true });
    await isTimed(host);
    host.timer.elapse();
    await isTimed(host); // the timer of the second task, which has started
  });

  it('stops its timer when it is done', async () => {
    const host = open(createFakeEngine());
    await upload(host.send);
    expect(host.timer.delays()).toEqual([]);
  });
});
