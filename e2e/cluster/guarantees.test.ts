import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { RedactionLog } from '#shared/api/contract/schemas-redactions';
import { jsonOf, mustHaveStatus, mustRefuse, type Send } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { reasonQuery } from '#shared/testing/conformance-reasons';
import { filePart, get, remove, upload, uploadedId, waitForTask } from '#shared/testing/conformance-steps';
import { RAMP_MP4 } from '#shared/testing/video-files';
import { buildCluster, type ClusterProgram } from '../../server/testing/cluster/build-cluster';
import {
  type Cluster,
  findServices,
  SHORT_INTERVALS,
  startCluster,
} from '../../server/testing/cluster/cluster';
import { fakeImage } from '../../server/testing/cluster/fake-images';
import type { KeptProcess } from '../../server/testing/cluster/kept-process';
import { sendByHttp } from '../support/send';
import { writeTinySet } from '../support/tiny-set';

const TOKEN = 'everything-0123456789abcdef';
const LONG_MS = 60_000;
/** About two seconds, and ten times that on a slow and busy machine. */
const SOON_MS = 20_000;
/** Each takes the time of several starts of a process. `test:chaos` breaks the same rules at random. */
const RARE = { tags: ['slow'] };
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const services = await findServices();

describe.skipIf(!services)('a cluster', () => {
  const models = mkdtempSync(join(tmpdir(), 'veil-models-'));
  let program: ClusterProgram;
  let cluster: Cluster;
  let first: Send;
  let second: Send;
  let database: pg.Pool;

  beforeAll(async () => {
    writeTinySet(models);
    program = await buildCluster(models);
    const flags = ['--webhook-allow', '127.0.0.0/8', '--webhook-secret', WEBHOOK_SECRET];
    cluster = await startCluster({
      ...{ program, services: services!, apis: [flags, flags], workers: 2, fakeWorkMs: 50 },
      intervals: SHORT_INTERVALS,
    });
    [first, second] = cluster.apis.map(({ origin }) => sendByHttp(origin)) as [Send, Send];
    database = new pg.Pool({ connectionString: cluster.database });
    database.on('error', () => undefined); // the database is killed
  });
  afterAll(async () => {
    await database?.end();
    await cluster?.stop();
    program?.remove();
    rmSync(models, { recursive: true, force: true });
  });

  const runningApis = () => cluster.apis.filter((api) => api.pid() !== undefined);
  afterEach(async () => {
    await Promise.all(runningApis().map((api) => api.answers('/readyz')));
    await remove(first, '/v1/task/list?confirm=true');
  });

  let files = 0;
  const imagePart = (workMs?: number) => filePart(fakeImage(`image ${(files += 1)}`, workMs));
  const start = (send: Send, workMs?: number): Promise<string> =>
    uploadedId(send, { isAsync: true, parts: [imagePart(workMs)] });
  const statusOf = async (send: Send, id: string): Promise<unknown> =>
    (JSON.parse(new TextDecoder().decode((await get(send, `/v1/task/${id}`)).body)) as { status?: string })
      .status;
  const whenRunning = (id: string): Promise<void> =>
    expect.poll(() => statusOf(first, id), { timeout: 60_000, interval: 50 }).toBe('processing');
  /** The process that works on a task. */
  const workerOf = async (id: string): Promise<KeptProcess> => {
    const { rows } = await database.query<{ worker: string }>('SELECT worker FROM tasks WHERE id = $1', [id]);
    const pid = Number(rows[0]?.worker.split(':').at(-1));
    return cluster.workers.find((worker) => worker.pid() === pid)!;
  };
  /** Lets all workers work for long. */
  const occupyWorkers = async (): Promise<readonly string[]> => {
    const ids = await Promise.all(cluster.workers.map(() => start(first, LONG_MS)));
    await Promise.all(ids.map(whenRunning));
    return ids;
  };
  it('a deletion reaches a running worker before its work would end', async () => {
    const occupied = await occupyWorkers();
    const next = await start(first);
    await remove(second, `/v1/task/${occupied[0]}`);
    const startMs = performance.now();
    expect(await waitForTask(first, next)).toBe('done');
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  it('the stop of edits reaches a running worker before its work would end', RARE, async () => {
    const video = await uploadedId(first, { parts: [filePart(RAMP_MP4, 'ramps.mp4', 'video/mp4')] });
    const areas = [{ type_label: 'face', shape: 'box', bbox: [1, 1, 9, 9], frame: 1 }];
    expect(await putEdits(first, video, { areas }, { 'x-is-async': 'true' })).toMatchObject({ status: 200 });
    await expect
      .poll(
        async () =>
          (await database.query('SELECT 1 FROM tasks WHERE id = $1 AND token IS NOT NULL', [video])).rowCount,
        { timeout: 60_000 },
      )
      .toBe(1);
    await whenRunning(await start(first, LONG_MS)); // on the other worker
    const next = await start(first);
    await remove(second, `/v1/task/${video}/edits`);
    const startMs = performance.now();
    expect(await waitForTask(first, next)).toBe('done');
    expect(performance.now() - startMs).toBeLessThan(SOON_MS);
  });

  it('a synchronous upload overtakes queued asynchronous ones', async () => {
    const queued: string[] = [];
    for (let each = 0; each < 12; each += 1) queued.push(await start(first, 1_000));
    const id = await uploadedId(second, { parts: [imagePart(10)] });
    const statuses = await Promise.all(queued.map((each) => statusOf(first, each)));
    expect(await statusOf(first, id)).toBe('done');
    expect(statuses.filter((status) => status === 'queued').length).toBeGreaterThan(0);
  });

  it('the same Idempotency-Key at the same time at two API processes gives one task', async () => {
    for (let each = 0; each < 5; each += 1) {
      const options = { isAsync: true, idempotencyKey: crypto.randomUUID(), parts: [imagePart()] };
      const ids = await Promise.all([first, second, first, second].map((send) => uploadedId(send, options)));
      expect(new Set(ids).size).toBe(1);
      const { rows } = await database.query('SELECT id FROM tasks WHERE id = ANY($1)', [ids]);
      expect(rows).toHaveLength(1);
    }
  });

  it('every API process reports the progress of a task, to polling and watching clients', async () => {
    const id = await start(first, 1_500);
    const watched = (send: Send) =>
      get(send, `/v1/task/${id}/events`).then(({ body }) => new TextDecoder().decode(body));
    const streams = Promise.all([watched(first), watched(second)]);
    for (const send of [first, second]) {
      await expect
        .poll(async () => JSON.parse(new TextDecoder().decode((await get(send, `/v1/task/${id}`)).body)), {
          timeout: 60_000,
        })
        .toMatchObject({ status: 'processing', progress: 0.5 });
    }
    for (const stream of await streams) {
      expect(stream).toContain('"progress":0.5');
      expect(stream).toContain('"status":"done"');
    }
  });

  it('a task of a killed worker is processed by another one', async () => {
    const id = await start(first, 1_000);
    await whenRunning(id);
    const worker = await workerOf(id);
    await worker.kill();
    expect(await waitForTask(second, id)).toBe('done');
    worker.start();
    await worker.answers('/readyz');
  });

  it('the result of a worker that was suspended for long is refused', RARE, async () => {
    const id = await start(first, 1_000);
    await whenRunning(id);
    const worker = await workerOf(id);
    worker.suspend();
    expect(await waitForTask(second, id)).toBe('done');
    const foldersOf = async () =>
      (await database.query<{ folders: string[] }>('SELECT folders FROM tasks WHERE id = $1', [id])).rows[0]
        ?.folders;
    const folders = await foldersOf();
    worker.resume();
    const output = join(cluster.files, 'output', id);
    await sleep(2_500); // it finishes, and its heartbeat is refused
    await expect.poll(() => readdirSync(output), { timeout: 60_000 }).toEqual(folders);
    expect(await foldersOf()).toEqual(folders);
  });

  it('only one API process does the work for all, and another one when that dies', RARE, async () => {
    const elected = async (): Promise<readonly number[]> =>
      (
        await database.query<{ pid: number }>(
          `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = x'5645494c'::int::oid AND objid = 3 AND granted`,
        )
      ).rows.map(({ pid }) => pid);
    const [before] = await elected();
    expect(await elected()).toHaveLength(1);
    const { rows } = await database.query<{ port: number }>(
      'SELECT client_port AS port FROM pg_stat_activity WHERE pid = $1',
      [before],
    );
    expect(rows).toHaveLength(1);
    for (const api of cluster.apis) {
      await api.kill();
      api.start();
      await api.answers('/readyz');
      await expect.poll(elected, { timeout: 60_000 }).toHaveLength(1);
    }
    expect(await elected()).not.toEqual([before]);
  });

  it(
    'a webhook has one event id, and is delivered although the API process that accepted it dies',
    RARE,
    async () => {
      const calls: IncomingHttpHeaders[] = [];
      const receiver = createServer((request, response) => {
        calls.push(request.headers);
        request.resume();
        response.writeHead(calls.length === 1 ? 500 : 204).end();
      }).listen(0, '127.0.0.1');
      onTestFinished(() => void receiver.close());
      await expect.poll(() => receiver.listening).toBe(true);
      const { port } = receiver.address() as AddressInfo;
      const url = encodeURIComponent(`http://127.0.0.1:${port}/`);
      await uploadedId(first, { isAsync: true, query: `webhook=${url}`, parts: [imagePart(1_000)] });
      const [api] = cluster.apis;
      await api!.kill();
      await expect
        .poll(() => calls.length, { timeout: 90_000 })
        .toBeGreaterThan(1)
        .finally(api!.start);
      expect(new Set(calls.map((headers) => headers['webhook-id'])).size).toBe(1);
      expect(calls[0]!['webhook-id']).toBeTruthy();
    },
  );

  it('without the queue, uploads are accepted and processed later', async () => {
    await cluster.redis.kill();
    const startMs = performance.now();
    const id = await start(first);
    expect(performance.now() - startMs).toBeLessThan(5_000);
    await cluster.redis.start();
    expect(await waitForTask(second, id)).toBe('done');
  });

  it('without the database, requests are refused within seconds, and no acknowledged upload is lost', async () => {
    const id = await start(first, 1_500);
    await whenRunning(id);
    await cluster.postgres.kill();
    for (const ask of [
      () => upload(first, { isAsync: true, parts: [imagePart()] }),
      () => upload(second, { isAsync: true, idempotencyKey: 'key', parts: [imagePart()] }),
      () => get(second, `/v1/task/${id}`),
    ]) {
      const startMs = performance.now();
      const { status, body } = await ask();
      expect(new TextDecoder().decode(body)).toContain('The database of the service cannot be reached');
      expect(status).toBe(503);
      expect(performance.now() - startMs).toBeLessThan(8_000);
    }
    await cluster.postgres.restart();
    await Promise.all(cluster.apis.map((api) => api.answers('/readyz')));
    expect(await waitForTask(first, id)).toBe('done');
  });

  it('areas, reasons and a release are those of every API process, also after all processes were killed', async () => {
    const flags = ['--release-gate', '--tokens', `all ${TOKEN}`];
    const apis = await Promise.all([1, 2].map(() => cluster.addApi(flags)));
    const [one, other] = apis.map(
      ({ origin }): Send =>
        (request) =>
          sendByHttp(origin)({
            ...request,
            headers: { ...request.headers, authorization: `Bearer ${TOKEN}` },
          }),
    ) as [Send, Send];
    const hides = JSON.stringify([{ topLeftX: 1, topLeftY: 1, width: 9, height: 9 }]);
    const query = reasonQuery({ hides, 'face-reason': 'b6', 'case-number': '2026/17' });
    const id = await uploadedId(one, { parts: [imagePart()], query });
    const areas = [{ type_label: 'face', shape: 'box', bbox: [20, 1, 30, 9], reason: 'b7' }];
    mustHaveStatus(await putEdits(other, id, { areas, reviewer: 'Ada' }), 200);
    const log = `/v1/file/${id}/redactions`;
    mustRefuse(await get(one, log), 422, 'a reviewer must release it first');
    mustHaveStatus(await other({ method: 'POST', url: `/v1/file/${id}/release` }), 200);
    const before = jsonOf<RedactionLog>(await get(one, log));
    expect(before.case).toEqual({ number: '2026/17' });
    const rows = before.redactions.map((row) => [row.type_label, row.reason, row.reviewer]);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['area', null, null],
        ['face', 'b7', 'Ada'],
      ]),
    );

    const killed = [...apis, ...cluster.workers];
    await Promise.all(killed.map((each) => each.kill()));
    killed.forEach((each) => each.start());
    await Promise.all(killed.map((each) => each.answers('/readyz')));
    expect(jsonOf(await get(other, log))).toEqual(before);
    mustHaveStatus(await putEdits(one, id, { areas, reviewer: 'Zoë' }), 200);
    mustRefuse(await get(other, log), 422, 'a reviewer must release it first');
    await Promise.all(apis.map((api) => api.kill()));
  });

  it('old tasks are deleted while two API processes offer to do so', RARE, async () => {
    const retention = ['--data-retention', '1s'];
    const apis = [await cluster.addApi(retention), await cluster.addApi(retention)];
    const id = await start(first);
    expect(await waitForTask(first, id)).toBe('done');
    const others = cluster.apis.slice(0, 2);
    await Promise.all(others.map((api) => api.kill()));
    const send = sendByHttp(apis[1]!.origin);
    await expect
      .poll(async () => (await get(send, `/v1/task/${id}`)).status, { timeout: 60_000 })
      .toBe(404)
      .finally(() => others.forEach((api) => api.start()));
    await expect.poll(() => readdirSync(join(cluster.files, 'output'))).not.toContain(id);
    for (const { output } of cluster.apis) expect(output()).not.toContain('Old tasks could not be deleted');
  });
});
