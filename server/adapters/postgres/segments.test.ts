import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Segment } from '#shared/engine/segments/plan-segments';
import { INTERRUPTED } from '#shared/tasks/run/outcome';
import type { Claim } from '#shared/tasks/base/job-store';
import type { SegmentClaim, SharedTaskStore } from '../../cluster/shared-task-store';
import {
  accept,
  claimed,
  FINISHED,
  openStore,
  SETTINGS,
  SILENT_MS,
  startServerForFile,
} from '../../testing/services/postgres-stores';
import { applyGrants, migrate } from './migrate';
import { runSql } from '../../testing/services/postgres';

const server = await startServerForFile();

const segmentOf = (fromUs: number): Segment => ({
  core: { fromUs, untilUs: fromUs + 10 },
  analysed: { fromUs: Math.max(0, fromUs - 1), untilUs: fromUs + 11 },
});
const SEGMENTS = [segmentOf(0), segmentOf(10), segmentOf(20)];

/** A claimed video with three segments. @param silentMs by default longer than any test */
const start = async (silentMs = 60_000): Promise<{ store: SharedTaskStore; claim: Claim }> => {
  const store = await openStore(await server!.createDatabase(), { silentMs });
  await accept(store, 'one', { kind: 'video' });
  const claim = await claimed(store, 'one');
  await store.planSegments(claim, SEGMENTS);
  return { store, claim };
};
const take = async (store: SharedTaskStore): Promise<SegmentClaim> => {
  const claim = await store.claimSegment('one', 'a worker');
  if (!claim) throw new Error('No segment was claimed.');
  return claim;
};

describe.skipIf(!server)('segments in PostgreSQL', () => {
  it('are planned once, however often a task is claimed', async () => {
    const { store, claim } = await start();
    await take(store);
    const again = await store.planSegments(claim, [segmentOf(0)]);
    expect(again).toMatchObject(
      SEGMENTS.map((segment, number) => ({ number, segment, state: number === 0 ? 'running' : 'waiting' })),
    );
    expect(await store.segmentsOf('one')).toEqual(again);
  });

  it('are not planned by a claim that has ended', async () => {
    const { store, claim } = await start();
    await store.complete(claim, [{ type: 'put-off' }]);
    expect(await store.planSegments(claim, SEGMENTS)).toBeUndefined();
  });

  it('are each given to one of several workers that ask at the same time', async () => {
    const { store } = await start();
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => store.claimSegment('one', 'a worker')));
    expect(claims.flatMap((claim) => claim?.number ?? []).sort()).toEqual([0, 1, 2]);
    expect(claims.find((claim) => claim?.number === 1)).toMatchObject({
      ...{ segment: SEGMENTS[1], settings: SETTINGS, task: { id: 'one', status: 'processing' } },
    });
  });

  it('report progress with the heartbeats of their workers', async () => {
    const { store } = await start();
    expect(await store.heartbeatSegment(await take(store), 7)).toBe(true);
    expect((await store.segmentsOf('one')).map(({ framesDone }) => framesDone)).toEqual([7, 0, 0]);
  });

  it('are given to another worker if theirs is silent, and the first one loses its claim', async () => {
    const { store } = await start(SILENT_MS);
    const lost = await take(store);
    await sleep(SILENT_MS);
    const claim = await take(store);
    expect(claim.number).toBe(0);
    expect(await store.heartbeatSegment(lost, 1)).toBe(false);
    expect(await store.completeSegment(lost)).toBe(false);
    expect(await store.completeSegment(claim)).toBe(true);
    expect((await store.segmentsOf('one'))[0]).toMatchObject({
      state: 'done',
      token: claim.token,
      attempts: 2,
    });
  });

  it('fail after the third interruption, with the sentence of interrupted tasks', async () => {
    const { store } = await start(SILENT_MS);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await take(store)).number).toBe(0);
      await sleep(SILENT_MS);
    }
    expect((await take(store)).number).toBe(1);
    expect((await store.segmentsOf('one'))[0]).toMatchObject({ state: 'failed', failure: INTERRUPTED });
  });

  it('wait again without a counted attempt if they are put off', async () => {
    const { store } = await start();
    await store.requeueSegment(await take(store));
    expect((await store.segmentsOf('one'))[0]).toMatchObject({ state: 'waiting', token: null, attempts: 0 });
  });

  it('keep the failure of a file', async () => {
    const { store } = await start();
    const failure = { kind: 'bad-file', sentence: 'It is blank.' } as const;
    await store.failSegment(await take(store), failure);
    expect((await store.segmentsOf('one'))[0]).toMatchObject({ state: 'failed', failure });
  });

  it('stay when the claim of their task is lost, so that only the rest is repeated', async () => {
    const { store } = await start(SILENT_MS);
    await store.completeSegment(await take(store));
    await sleep(SILENT_MS);
    await store.endLostClaims(SILENT_MS);
    const next = await claimed(store, 'one');
    expect((await store.planSegments(next, SEGMENTS))!.map(({ state }) => state)).toEqual([
      ...['done', 'waiting', 'waiting'],
    ]);
  });

  it('end with their task: when it is done, cancelled, failed or removed', async () => {
    const ends: ((store: SharedTaskStore, claim: Claim) => Promise<unknown>)[] = [
      (store, claim) => store.complete(claim, [FINISHED], [claim.token]),
      (store) => store.apply('one', { type: 'files-deleted' }),
      (store, claim) => store.complete(claim, [{ type: 'failed', atMs: 1, failure: INTERRUPTED }]),
      (store) => store.remove('one'),
    ];
    for (const end of ends) {
      const { store, claim } = await start();
      const running = await take(store);
      await end(store, claim);
      expect(await store.heartbeatSegment(running, 1)).toBe(false);
      expect(await store.claimSegment('one', 'a worker')).toBeUndefined();
      expect(await store.segmentsOf('one')).toEqual([]);
    }
  });

  it('need no other rights than those of a worker', async () => {
    const url = await server!.createDatabase();
    await migrate(url);
    await runSql(url, 'CREATE ROLE segment_worker LOGIN');
    await applyGrants(url, 'segment_worker', 'worker');
    await accept(await openStore(url), 'one', { kind: 'video' });
    const asWorker = new URL(url);
    asWorker.username = 'segment_worker';
    const store = await openStore(asWorker.href, { role: 'worker' });
    const claim = await claimed(store, 'one');
    await store.planSegments(claim, SEGMENTS);
    await store.heartbeatSegment(await take(store), 1);
    await store.complete(claim, [FINISHED], [claim.token]);
    expect(await store.segmentsOf('one')).toEqual([]);
  });
});
