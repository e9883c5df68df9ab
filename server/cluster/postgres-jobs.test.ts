import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { createFakeLog, createFakeSystem } from '#shared/testing/fake-system';
import { testSettings } from '#shared/testing/in-process-host';
import { describeJobs } from '#shared/testing/job-contract';
import type { JobDisk } from '#shared/testing/job-contract-steps';
import { createFolder, createStorage } from '../adapters/storage';
import { timer } from '../adapters/system';
import { keysIn } from '../testing/keys-in';
import { createMemoryWorkQueue } from '../testing/memory-work-queue';
import { killable } from '../testing/killable';
import { openStore, startServerForFile } from '../testing/services/postgres-stores';
import { temporaryFolder } from '../testing/temporary-folder';
import type { ClusterPorts } from './cluster-ports';
import { createClusterTasks, coordinate } from './cluster-tasks';
import { startWorker } from './worker';

const server = await startServerForFile();

/** Longer than two heartbeats. */
const SILENT_MS = 2_500;
const INTERVALS = { checkMs: 200, silentMs: SILENT_MS, requeueMs: 200 };

/** A database and a folder; each host is an API process and a worker. */
const openDisk = async (): Promise<JobDisk> => {
  const url = await server!.createDatabase();
  const folder = temporaryFolder();
  const folders = { input: join(folder, 'input'), output: join(folder, 'output') };
  await createFolder(folders.output);
  const storage = createStorage(folders);
  return {
    storage,
    keys: () => keysIn(folders),
    start: async (engine, changes) => {
      const store = await openStore(url, { silentMs: SILENT_MS });
      const dying = new AbortController();
      const ports: ClusterPorts = {
        ...{ engine, queue: createMemoryWorkQueue(), log: createFakeLog(), timer },
        store: killable(store, dying.signal),
        files: killable(storage, dying.signal),
        system: {
          ...createFakeSystem(),
          newId: () => crypto.randomUUID(),
          elapsedMs: () => performance.now(),
        },
      };
      const settings = testSettings(changes);
      const service = createClusterTasks(ports, settings);
      const temporary = temporaryFolder();
      const worker = startWorker(
        { ...ports, temporaryFolder: temporary, dividesVideos: false, filesAreAvailable: async () => true },
        { name: 'a worker', slots: settings.concurrency, take: ['images', 'videos'] },
      );
      // It is no part of the crash, so that its office ends with it.
      const resign = coordinate({ ...ports, store, files: storage }, undefined, INTERVALS);
      const stop = async (): Promise<void> => {
        if (dying.signal.aborted) return;
        await Promise.all([worker.stop(0), service.stop(0), resign()]);
        dying.abort();
        await store.close();
      };
      onTestFinished(stop);
      return {
        service,
        stop,
        crash: () => {
          dying.abort();
          void resign().then(() => store.close());
        },
      };
    },
  };
};

// The same rules as of the stores of one host, which all tests run; what is a cluster's own: `e2e/cluster/guarantees.test.ts`.
describe.skipIf(!server)('a cluster', { tags: ['slow'] }, () => describeJobs('in PostgreSQL', openDisk));
