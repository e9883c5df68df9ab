import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApiService } from '#shared/api/dispatch';
import { FAULT } from '#shared/domain/failure';
import type { CandidatesResponse, Edits } from '#shared/api/contract/schemas-edits';
import { putEdits } from '#shared/testing/conformance-edits';
import { createTaskService } from '#shared/tasks/service';
import { jsonOf, mustHaveStatus, type Answer, type Send } from '#shared/testing/conformance';
import { filePart, get, upload, waitForTask } from '#shared/testing/conformance-steps';
import { createFakeLog } from '#shared/testing/fake-system';
import { createFakeWebhooks } from '#shared/testing/fake-webhooks';
import { testSettings } from '#shared/testing/in-process-host';
import { jpegFile } from '#shared/testing/picture-files';
import { createStorage } from './adapters/storage';
import { openTaskStore } from './adapters/task-store';
import {
  answerTo,
  createRenderingEngine,
  idOf,
  mustAnswerAsRecorded,
  RECORDING,
  recordedFolder,
  sendTo,
  sha256,
  system,
  TASKS,
  textOf,
} from './testing/recorded-data';

/** The current service with a copy of the data. */
const openData = async () => {
  const folder = recordedFolder();
  const storage = createStorage({ input: join(folder, 'input'), output: join(folder, 'output') });
  const taskStore = await openTaskStore(join(folder, 'output'));
  onTestFinished(() => taskStore.close());
  const webhooks = createFakeWebhooks();
  const ports = {
    engine: createRenderingEngine(),
    storage,
    taskStore,
    system,
    log: createFakeLog(),
    webhooks,
  };
  const settings = testSettings({ baseUrl: RECORDING.baseUrl, saveMask: 'all' });
  const tasks = createTaskService(ports, settings);
  onTestFinished(() => tasks.stop());
  const api = createApiService(tasks, ports, settings);
  const send = sendTo(api, storage);
  return { send, storage, tasks, webhooks };
};

describe('data that version 0.1 wrote', () => {
  it('is listed unchanged', async () => {
    const { send } = await openData();
    await mustAnswerAsRecorded(send, answerTo('/v1/task/list'));
  });

  it.each(Object.keys(TASKS))('gives the recorded answers about the task %s', async (name) => {
    const { send } = await openData();
    const recorded = RECORDING.answers.filter(({ path }) => path.includes(idOf(name)));
    expect(recorded).not.toEqual([]);
    for (const answer of recorded) await mustAnswerAsRecorded(send, answer);
  });

  it.each([
    ['broken', { kind: 'bad-file', sentence: 'The picture is damaged: its pixel data cannot be decoded.' }],
    ['fault', FAULT],
    ['photo', null],
  ])('has the failure of the task %s as data', async (name, failure) => {
    const { tasks } = await openData();
    expect((await tasks.get(idOf(name)))?.failure).toEqual(failure);
  });

  it('is not sent to a client that has its entity tag', async () => {
    const { send } = await openData();
    for (const { path, etag } of RECORDING.answers) {
      if (etag === undefined) continue;
      const answer = await send({ method: 'GET', url: path, headers: { 'if-none-match': etag } });
      expect([path, answer.status, answer.headers['etag']]).toEqual([path, 304, etag]);
    }
  });

  it('resumes the tasks that were interrupted or queued, and does not change the others', async () => {
    const { send, tasks } = await openData();
    const before = await tasks.list();
    await tasks.resume();
    for (const name of ['interrupted', 'queued']) {
      expect(await waitForTask(send, idOf(name))).toBe('done');
      for (const file of ['anonymised', 'binary-mask', 'instance-mask', 'metadata']) {
        expect((await get(send, `/v1/file/${idOf(name)}/${file}`)).status).toBe(200);
      }
    }
    const resumed = [idOf('interrupted'), idOf('queued')];
    const others = (list: typeof before) =>
      list.filter(({ id }) => !resumed.includes(id)).map(({ webhook: _ofDelivery, ...task }) => task);
    expect(others(await tasks.list())).toEqual(others(before));
  });

  it('sends the pending notification with its header, and no other', async () => {
    const { tasks, webhooks } = await openData();
    await tasks.resume();
    await vi.waitFor(() => {
      webhooks.timer.elapse();
      expect(webhooks.calls).toHaveLength(1);
    });
    const [{ url, headers, body }] = webhooks.calls as [(typeof webhooks.calls)[number]];
    expect([url, headers['x-secret']]).toEqual(['http://127.0.0.1:9/hook', 'hush']);
    expect(body).toContain(idOf('unreachable'));
  });
});

describe('an Idempotency-Key that version 0.1 accepted', () => {
  const repeat = async (task: string, changes: { readonly query?: string } = {}): Promise<Answer> => {
    const { send, storage, tasks } = await openData();
    await tasks.resume();
    const { key, query, filename } = RECORDING.uploads.find((keyed) => keyed.task === task)!;
    // A failed task keeps no file.
    const photo = (await storage.read(`input/${idOf('photo')}/source.jpg`))!;
    const bytes = task === 'broken' ? jpegFile(64, 64) : photo;
    const parts = [filePart(bytes, filename, 'image/jpeg')];
    return upload(send, { query, idempotencyKey: key, parts, ...changes });
  };

  it.each(['photo', 'interrupted'])('finds its task %s again', async (task) => {
    const answer = await repeat(task);
    expect(answer.status).toBe(200);
    expect(jsonOf<{ id: string }>(answer).id).toBe(idOf(task));
  });

  it('is refused with other parameters', async () => {
    expect((await repeat('photo', { query: 'face=true' })).status).toBe(422);
  });

  it('of an unreadable file gets the sentence of its task', async () => {
    const answer = await repeat('broken');
    expect(answer.status).toBe(422);
    const { error } = answerTo(`/v1/task/${idOf('broken')}`).json as { error: string };
    expect(JSON.parse(textOf(answer))).toEqual({ detail: error });
  });

  it('of a task that failed by an internal error is answered with 500', async () => {
    expect((await repeat('fault')).status).toBe(500);
  });
});

describe('a plan that version 0.1 stored', () => {
  const id = idOf('photo');
  const classesOf = async (send: Send): Promise<string[]> =>
    jsonOf<{ detections: { type_label: string }[] }>(
      await get(send, `/v1/file/${id}/metadata`),
    ).detections.map(({ type_label }) => type_label);

  it('can be edited, and the edits can be undone', async () => {
    const { send } = await openData();
    const image = (): Promise<Answer> => get(send, `/v1/file/${id}/anonymised`);
    const put = async (edits: Edits): Promise<void> => mustHaveStatus(await putEdits(send, id, edits), 200);
    const before = await classesOf(send);
    await put({ method: 'blur' });
    const first = await image();
    const { candidates } = jsonOf<CandidatesResponse>(await get(send, `/v1/task/${id}/candidates`));
    expect(candidates.length).toBe(before.length);

    const objects = [{ id: candidates[0]!.id, hidden: false }];
    await put({ objects, areas: [{ type_label: 'face', shape: 'box', bbox: [1, 2, 30, 40] }] });
    const changed = await image();
    expect(sha256(changed)).not.toBe(sha256(first));
    expect(changed.headers['etag']).not.toBe(first.headers['etag']);
    expect(await classesOf(send)).toHaveLength(before.length);

    await put({});
    expect(sha256(await image())).toBe(sha256(first));
    expect(await classesOf(send)).toEqual(before);
  });

  it('can be rendered with another method', async () => {
    const { send } = await openData();
    mustHaveStatus(await putEdits(send, id, { method: 'blacken' }), 200);
    const answer = await get(send, `/v1/file/${id}/anonymised`);
    expect(answer.status).toBe(200);
    expect(sha256(answer)).not.toBe(answerTo(`/v1/file/${id}/anonymised`).sha256);
  });
});
