import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createApiService } from '#shared/api/dispatch';
import { LIMITS } from '#shared/domain/limits';
import type { Storage } from '#shared/ports/storage';
import { sourceKey } from '#shared/tasks/files/task-files';
import { jsonOf, mustHaveStatus, type Send } from '#shared/testing/conformance';
import { putEdits } from '#shared/testing/conformance-edits';
import { get, uploadedId, waitForTask } from '#shared/testing/conformance-steps';
import { createFakeLog } from '#shared/testing/fake-system';
import { createFakeWebhooks } from '#shared/testing/fake-webhooks';
import { taskRecord } from '#shared/testing/task-store-contract';
import { allTasks } from '#shared/tasks/base/task-records';
import type { WorkSettings } from '#shared/tasks/base/job-store';
import { openPostgresTaskStore } from '../adapters/postgres/task-store';
import { createStorage } from '../adapters/storage';
import { system, timer } from '../adapters/system';
import { createMemoryWorkQueue } from '../testing/memory-work-queue';
import {
  createRenderingEngine,
  EMBEDDED_SETTINGS as settings,
  killedServer,
  openEmbedded,
  sendTo,
  WEBHOOK_SECRET,
} from '../testing/embedded-server';
import { findPostgres, startPostgres } from '../testing/services/postgres';
import { temporaryFolder } from '../testing/temporary-folder';
import { createClusterTasks } from './cluster-tasks';
import { openImportSource } from './import-source';
import { importTasks, type ImportProgress } from './import-tasks';
import type { SharedTaskStore } from './shared-task-store';
import { startWorker } from './worker';

const programs = await findPostgres();
const server = programs === undefined ? undefined : await startPostgres(programs);
afterAll(() => server?.stop());

const WORK: WorkSettings = { saveMask: 'all', limits: LIMITS };

/** An empty cluster. */
const openCluster = async () => {
  const folder = temporaryFolder();
  const log = createFakeLog();
  const store = await openPostgresTaskStore(await server!.createDatabase(), { log });
  onTestFinished(() => store.close());
  const storage = createStorage({ input: join(folder, 'input'), output: join(folder, 'output') });
  const queue = createMemoryWorkQueue();
  const engine = createRenderingEngine();
  const ports = { store, queue, files: storage, engine, system, log, timer, webhooks: createFakeWebhooks() };
  const tasks = createClusterTasks(ports, settings);
  onTestFinished(() => tasks.stop());
  const send = sendTo(createApiService(tasks, ports, settings), storage);
  const work = (): void => {
    const worker = startWorker(
      {
        ...ports,
        temporaryFolder: temporaryFolder(),
        dividesVideos: true,
        filesAreAvailable: async () => true,
      },
      { name: 'a worker', slots: 2, take: ['images', 'videos'] },
    );
    onTestFinished(() => worker.stop(0));
  };
  return { store, storage, queue, folder, send, work };
};
type Cluster = Awaited<ReturnType<typeof openCluster>>;

const runImport = async (
  from: string,
  { storage, queue }: Pick<Cluster, 'storage' | 'queue'>,
  store: SharedTaskStore,
): Promise<ImportProgress | undefined> => {
  const source = await openImportSource(from);
  let last: ImportProgress | undefined;
  try {
    const jobs = await importTasks(source, { store, files: storage, system }, WORK, (progress) => {
      last = progress;
    });
    await queue.add(jobs);
    return last;
  } finally {
    await source.close();
  }
};

/** Digests of all files below a folder, by path. */
const contentsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [
        path,
        createHash('sha256')
          .update(readFileSync(join(folder, path)))
          .digest('hex'),
      ]),
  );

const PATHS = (id: string): readonly string[] => [
  `/v1/task/${id}`,
  ...['candidates', 'edits'].map((name) => `/v1/task/${id}/${name}`),
  ...['anonymised', 'metadata', 'binary-mask', 'instance-mask', 'anonymised?format=png'].map(
    (name) => `/v1/file/${id}/${name}`,
  ),
];
const answersOf = async (
  send: Send,
  ids: readonly string[],
  list = ['/v1/task/list'],
): Promise<unknown[]> => {
  const answers = [];
  for (const path of [...list, ...ids.flatMap(PATHS)]) {
    const { status, headers, body } = await get(send, path);
    answers.push({ path, status, headers, body: Buffer.from(body).toString('base64') });
  }
  return answers;
};

const listedIds = async (send: Send): Promise<string[]> =>
  jsonOf<{ id: string }[]>(await get(send, '/v1/task/list')).map(({ id }) => id);

describe.skipIf(!server)('an import of a server that was killed', () => {
  it('leaves all answers of the API as they were', async () => {
    const [killed, cluster] = [await killedServer(), await openCluster()];
    const { interrupted: _runsAgain, ...others } = killed.ids;
    const ids = Object.values(others);
    const [before, listed] = [await answersOf(killed.send, ids, []), await listedIds(killed.send)];
    await killed.stop();
    await runImport(killed.from, cluster, cluster.store);
    expect(await answersOf(cluster.send, ids, [])).toEqual(before);
    expect(await listedIds(cluster.send)).toEqual(listed);
  });

  it('lets workers complete the interrupted and the queued task', async () => {
    const [{ from, ids }, cluster] = [await killedServer(), await openCluster()];
    await runImport(from, cluster, cluster.store);
    cluster.work();
    for (const id of [ids.interrupted, ids.queued]) {
      expect(await waitForTask(cluster.send, id)).toBe('done');
      mustHaveStatus(await get(cluster.send, `/v1/file/${id}/anonymised`), 200);
    }
  });

  it('keeps webhooks and idempotency keys', async () => {
    const { from, ids } = await killedServer();
    const { store, ...cluster } = await openCluster();
    await runImport(from, cluster, store);
    const [due, ...others] = await store.takeDueWebhooks(10, 1_000);
    const secret = due?.webhook?.target?.header?.value;
    expect([due?.id, secret, others]).toEqual([ids.unreachable, WEBHOOK_SECRET, []]);
    const { idempotency } = (await store.get(ids.photo))!;
    expect((await store.findByKey(idempotency!.key))?.id).toBe(ids.photo);
  });

  it(
    'changes nothing in the folder, which an ended process has left with a log',
    { tags: ['slow'] },
    async () => {
      const [{ from }, cluster] = [await killedServer(), await openCluster()];
      const before = contentsOf(from);
      expect(Object.keys(before)).toContain('output/veil.sqlite-wal');
      await runImport(from, cluster, cluster.store);
      expect(contentsOf(from)).toEqual(before);
    },
  );

  it('copies nothing twice when it is repeated', { tags: ['slow'] }, async () => {
    const [{ from, ids }, cluster] = [await killedServer(), await openCluster()];
    const tasks = Object.keys(ids).length;
    expect(await runImport(from, cluster, cluster.store)).toMatchObject({ tasks, copied: tasks, known: 0 });
    const before = contentsOf(cluster.folder);
    expect(await runImport(from, cluster, cluster.store)).toMatchObject({ copied: 0, known: tasks });
    expect(contentsOf(cluster.folder)).toEqual(before);
    expect(await allTasks(cluster.store)).toHaveLength(tasks);
  });

  it('continues where it was cut off, in the same order', async () => {
    const [{ from, send }, cluster] = [await killedServer(), await openCluster()];
    const { store } = cluster;
    let added = 0;
    const failing: SharedTaskStore = {
      ...store,
      accept: (...args) => {
        if ((added += 1) > 3) throw new Error('cut off');
        return store.accept(...args);
      },
    };
    await expect(runImport(from, cluster, failing)).rejects.toThrow('cut off');
    expect(await store.listFilesInDoubt()).not.toEqual([]);
    expect(await runImport(from, cluster, store)).toMatchObject({ known: 3 });
    expect((await allTasks(store)).map(({ id }) => id)).toEqual(await listedIds(send));
    expect(await store.listFilesInDoubt()).toEqual([]);
  });

  it('names the task whose uploaded file is missing', { tags: ['slow'] }, async () => {
    const [{ from, ids }, cluster] = [await killedServer(), await openCluster()];
    rmSync(join(from, 'input', ids.photo), { recursive: true });
    rmSync(join(from, 'output', ids.drawing), { recursive: true });
    expect((await runImport(from, cluster, cluster.store))?.problems).toEqual(
      expect.arrayContaining([
        `The uploaded file of task ${ids.photo} is missing.`,
        `The result of task ${ids.drawing} is missing.`,
      ]),
    );
  });
});

describe.skipIf(!server)('an import of a stopped server', { tags: ['slow'] }, () => {
  it('leaves all answers of the API as they were, also about edited results', async () => {
    const [embedded, cluster] = [await openEmbedded(), await openCluster()];
    const ids = [];
    for (const query of ['', 'face=true', 'anonymisation_method=blur']) {
      ids.push(await uploadedId(embedded.send, { query }));
    }
    mustHaveStatus(await putEdits(embedded.send, ids[1]!, { method: 'blacken' }), 200);
    const before = await answersOf(embedded.send, ids);
    await embedded.stop();
    await runImport(embedded.folder, cluster, cluster.store);
    expect(await answersOf(cluster.send, ids)).toEqual(before);
  });

  it('lets workers apply the edits that wait', async () => {
    const [embedded, cluster] = [await openEmbedded(), await openCluster()];
    const id = await uploadedId(embedded.send);
    const before = await get(embedded.send, `/v1/file/${id}/anonymised`);
    mustHaveStatus(
      await putEdits(embedded.send, await uploadedId(embedded.send), { method: 'blacken' }),
      200,
    );
    await embedded.leaveEdits(id);
    await embedded.stop();
    await runImport(embedded.folder, cluster, cluster.store);
    cluster.work();
    await expect.poll(async () => (await cluster.store.get(id))?.edit, { timeout: 60_000 }).toBeUndefined();
    const after = await get(cluster.send, `/v1/file/${id}/anonymised`);
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    expect(
      JSON.parse(Buffer.from((await get(cluster.send, `/v1/task/${id}/edits`)).body).toString()),
    ).toMatchObject({
      method: 'blacken',
    });
  });

  it('lets edited results be edited again, and keeps no image of earlier edits', async () => {
    const [embedded, cluster] = [await openEmbedded(), await openCluster()];
    const id = await uploadedId(embedded.send);
    mustHaveStatus(await putEdits(embedded.send, id, { method: 'blacken' }), 200);
    await embedded.stop();
    await runImport(embedded.folder, cluster, cluster.store);
    cluster.work();
    mustHaveStatus(await putEdits(cluster.send, id, {}), 200);
    mustHaveStatus(await get(cluster.send, `/v1/file/${id}/anonymised`), 200);
    const images = Object.keys(contentsOf(join(cluster.folder, 'output'))).filter((path) =>
      path.includes('anonymised'),
    );
    expect(images).toHaveLength(1);
  });

  it('copies files that are larger than a piece', async () => {
    const [embedded, cluster] = [await openEmbedded(), await openCluster()];
    const task = taskRecord(crypto.randomUUID());
    const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => index % 251);
    await embedded.storage.write(sourceKey(task.id, 'jpeg'), bytes);
    await embedded.taskStore.put(task);
    await embedded.stop();
    await runImport(embedded.folder, cluster, cluster.store);
    const copied: Storage = cluster.storage;
    expect(Buffer.from((await copied.read(sourceKey(task.id, 'jpeg')))!).equals(bytes)).toBe(true);
  });
});
