import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newWebhook } from '#shared/domain/webhook';
import { describeFilesInDoubt, describeTaskStore, taskRecord } from '#shared/testing/task-store-contract';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import {
  accept,
  acceptDone,
  APPLIED,
  claimed,
  FINISHED,
  openStore,
  SETTINGS,
  SILENT_MS,
  startServerForFile,
  WANTED,
} from '../../testing/services/postgres-stores';

const server = await startServerForFile();

/** Stores of two processes with one database. */
const openTwo = async (silentMs = SILENT_MS): Promise<readonly [SharedTaskStore, SharedTaskStore]> => {
  const url = await server!.createDatabase();
  return [await openStore(url, { silentMs }), await openStore(url, { silentMs })];
};
/** No claim is lost, however slow the machine is. */
const PATIENT_MS = 3_600_000;
const openOne = async (): Promise<SharedTaskStore> => openStore(await server!.createDatabase());

describe.skipIf(!server)('task store in PostgreSQL', () => {
  describeTaskStore('alone', openOne);
  describeFilesInDoubt('alone', openOne);

  it('keeps all fields of a task, with the secrets of its webhook and its idempotency key', async () => {
    const [store, other] = await openTwo();
    const target = { url: 'https://receiver.example/', header: { name: 'x-key', value: 'secret' } };
    const task = taskRecord('one', {
      webhook: newWebhook(target),
      idempotency: { key: 'k', request: 'r' },
      filename: 'a\0b\ud800.jpg',
    });
    await store.put(task);
    expect(await other.get('one')).toEqual(task);
  });

  describe('acceptance', () => {
    it('returns the first job, and ends the mark of files in doubt', async () => {
      const store = await openOne();
      await store.setFilesInDoubt('one', true);
      expect(await accept(store, 'one', { kind: 'video' }, true)).toEqual({
        ...{ id: 'one-1', kind: 'videos', taskId: 'one', isUrgent: true },
      });
      expect(await store.listFilesInDoubt()).toEqual([]);
    });

    it('never exceeds the limit, however many processes accept at a time', async () => {
      const stores = await openTwo();
      await accept(stores[0], 'earlier');
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          stores[i % 2]!.accept(
            { task: taskRecord(`task ${i}`), settings: SETTINGS, isUrgent: false },
            { maxUnfinished: 8 },
          ),
        ),
      );
      expect(results.filter((result) => result === 'full')).toHaveLength(13);
      expect(await stores[0].countUnfinished()).toBe(8);
    });
  });

  describe('claims', () => {
    it('are given to one of several workers that ask at the same time', async () => {
      const stores = await openTwo(PATIENT_MS);
      await accept(stores[0], 'one');
      const claims = await Promise.all([0, 1, 0, 1].map((i) => stores[i]!.claim('one', 'a worker')));
      expect(claims.filter(Boolean)).toHaveLength(1);
      const [claim] = claims.filter(Boolean);
      expect(claim).toMatchObject({ work: 'process', folders: [], settings: SETTINGS, wanted: undefined });
      expect(claim?.task).toMatchObject({ status: 'processing', attempts: 1 });
      expect((await stores[1].get('one'))?.status).toBe('processing');
    });

    it('are refused for tasks that are unknown, have ended or were deleted', async () => {
      const store = await openOne();
      await acceptDone(store, 'done');
      await accept(store, 'deleted');
      await store.apply('deleted', { type: 'files-deleted' });
      for (const id of ['unknown', 'done', 'deleted']) {
        expect(await store.claim(id, 'a worker')).toBeUndefined();
      }
    });

    it('store progress with each heartbeat, for all processes', async () => {
      const [store, other] = await openTwo();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      expect(await store.heartbeat(claim, [{ type: 'progressed', progress: 0.5 }])).toBe(true);
      expect(await store.heartbeat(claim, [])).toBe(true);
      expect((await other.get('one'))?.progress).toBe(0.5);
    });

    it('end with the deletion of the task or of its files', async () => {
      const [store, api] = await openTwo();
      for (const id of ['removed', 'emptied']) await accept(store, id);
      const claims = [await claimed(store, 'removed'), await claimed(store, 'emptied')];
      await api.remove('removed');
      expect((await api.apply('emptied', { type: 'files-deleted' }))?.status).toBe('deleted');
      for (const claim of claims) {
        expect(await store.heartbeat(claim, [])).toBe(false);
        expect(await store.heartbeat(claim, [{ type: 'progressed', progress: 1 }])).toBe(false);
        expect(await store.complete(claim, [FINISHED], [claim.token])).toBe(false);
      }
      expect(await api.get('removed')).toBeUndefined();
      expect(await api.folders('emptied')).toEqual([]);
    });

    it('go to another worker after silence, and a late result of the first one changes nothing', async () => {
      const [first, second] = await openTwo();
      await accept(first, 'one');
      const lost = await claimed(first, 'one');
      expect(await second.claim('one', 'a worker')).toBeUndefined();
      await sleep(SILENT_MS);
      const claim = await claimed(second, 'one');
      expect(claim.task.attempts).toBe(2);
      expect(await first.heartbeat(lost, [])).toBe(false);
      expect(await first.complete(lost, [FINISHED], [lost.token])).toBe(false);
      expect(await first.folders('one')).toEqual([]);
      expect(await second.complete(claim, [FINISHED], [claim.token])).toEqual({ next: undefined });
      expect(await first.folders('one')).toEqual([claim.token]);
      expect((await first.workCounts()).lostHeartbeats).toBe(1);
    });

    it('stay with a worker that was silent, until another one asks', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      await sleep(SILENT_MS);
      expect(await store.heartbeat(claim, [])).toBe(true);
      expect(await store.claim('one', 'another')).toBeUndefined();
    });

    it('do not stay alive because an API process changes the record', async () => {
      const store = await openOne();
      await accept(store, 'one');
      await claimed(store, 'one');
      await sleep(SILENT_MS);
      await store.update('one', (task) => ({ ...task, filename: 'b.jpg' }));
      expect(await store.claim('one', 'another')).toBeDefined();
    });

    it('that are lost queue the task again twice; then it fails, with its files in doubt', async () => {
      const store = await openOne();
      await accept(store, 'one', { webhook: newWebhook({ url: 'https://receiver.example/', header: null }) });
      for (const number of [2, 3]) {
        await claimed(store, 'one');
        expect(await store.endLostClaims(0)).toEqual({
          jobs: [{ id: `one-${number}`, kind: 'images', taskId: 'one', isUrgent: false }],
          failed: [],
        });
      }
      await claimed(store, 'one');
      expect(await store.endLostClaims(60_000)).toEqual({ jobs: [], failed: [] });
      expect(await store.endLostClaims(0)).toEqual({ jobs: [], failed: ['one'] });
      const task = await store.get('one');
      expect(task).toMatchObject({ status: 'failed', failure: { kind: 'interrupted' }, attempts: 3 });
      expect(await store.filesInDoubtSince(0)).toEqual(['one']);
      expect(await store.filesInDoubtSince(60_000)).toEqual([]);
      expect(await store.takeDueWebhooks(1, 1_000)).toEqual([task]);
    });

    it('that are put off give the task a new job and cost no attempt', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      expect(await store.complete(claim, [{ type: 'put-off' }])).toMatchObject({ next: { id: 'one-2' } });
      expect(await store.get('one')).toMatchObject({ status: 'queued', attempts: 0 });
      expect((await claimed(store, 'one')).token).not.toBe(claim.token);
    });

    it('are not completed without an end', async () => {
      const store = await openOne();
      await accept(store, 'one');
      const claim = await claimed(store, 'one');
      await expect(store.complete(claim, [])).rejects.toThrow('without an event');
      expect(await store.heartbeat(claim, [])).toBe(true);
    });
  });

  describe('edits', () => {
    it('are stored for the current version only, and given to a worker', async () => {
      const [api, worker] = await openTwo();
      const { token } = await acceptDone(api, 'one');
      expect(await api.editState('one')).toMatchObject({ version: 0, wanted: undefined, folders: [token] });
      expect(await api.storeEdits('one', WANTED, 1)).toBeUndefined();
      expect(await api.storeEdits('one', WANTED, 0)).toMatchObject({ taskId: 'one', kind: 'images' });
      expect(await api.storeEdits('one', WANTED, 0)).toBeUndefined();
      expect(await api.editState('one')).toMatchObject({
        ...{ version: 1, wanted: WANTED, task: { edit: { status: 'queued' } } },
      });
      const claim = await claimed(worker, 'one');
      expect(claim).toMatchObject({ work: 'edits', folders: [token], wanted: WANTED });
      expect(await worker.heartbeat(claim, [{ type: 'edit-progressed', progress: 0.5 }])).toBe(true);
      await worker.complete(claim, [APPLIED], [token, claim.token]);
      const state = await api.editState('one');
      expect(state).toMatchObject({ version: 1, wanted: undefined, folders: [token, claim.token] });
      expect(state?.task.edit).toBeUndefined();
    });

    it('end the claim of the edits that they replace', async () => {
      const store = await openOne();
      await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      const replaced = await claimed(store, 'one');
      const job = await store.storeEdits('one', WANTED, 1);
      expect(job?.id).toBe('one-3');
      expect(await store.heartbeat(replaced, [])).toBe(false);
      expect(await store.complete(replaced, [APPLIED], [])).toBe(false);
      expect((await claimed(store, 'one')).work).toBe('edits');
    });

    it('of a task that is not done are refused', async () => {
      const store = await openOne();
      await accept(store, 'one');
      expect(await store.storeEdits('one', WANTED, 0)).toBeUndefined();
      expect(await store.storeEdits('nobody', WANTED, 0)).toBeUndefined();
      expect(await store.editState('nobody')).toBeUndefined();
    });

    it('fail after the third lost claim, and the result stays', async () => {
      const store = await openOne();
      const { token } = await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      for (const number of [3, 4]) {
        await claimed(store, 'one');
        expect((await store.endLostClaims(0)).jobs).toMatchObject([{ id: `one-${number}` }]);
      }
      await claimed(store, 'one');
      expect(await store.endLostClaims(0)).toEqual({ jobs: [], failed: [] });
      expect(await store.editState('one')).toMatchObject({
        ...{ version: 2, wanted: undefined, folders: [token] },
        task: { status: 'done', edit: { status: 'failed', error: expect.stringContaining('3 times') } },
      });
    });

    it('that are put off wait again', async () => {
      const store = await openOne();
      await acceptDone(store, 'one');
      await store.storeEdits('one', WANTED, 0);
      const claim = await claimed(store, 'one');
      expect(await store.complete(claim, [{ type: 'put-off' }])).toMatchObject({ next: { id: 'one-3' } });
      expect((await claimed(store, 'one')).wanted).toEqual(WANTED);
    });
  });
});
