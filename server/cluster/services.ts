import { join } from 'node:path';
import { tmpdir, userInfo } from 'node:os';
import type { Log } from '#shared/ports/system';
import { openPostgresTaskStore } from '../adapters/postgres/task-store';
import type { StoreRole } from '../adapters/postgres/locked-task';
import { openQueue } from '../adapters/queue/open-queue';
import type { ClusterConfig } from '../cli/config';
import { parseFileLocation } from './file-location';
import { openFiles, type SharedFiles } from './open-files';
import type { SharedTaskStore } from './shared-task-store';
import type { WorkQueue } from './cluster-ports';

/** The services that API processes and workers share. */
export interface Services {
  readonly store: SharedTaskStore;
  readonly queue: WorkQueue;
  readonly files: SharedFiles;
  /** On this machine, for files of running work. */
  readonly temporaryFolder: string;
  close(): Promise<void>;
}

/** On this machine, of this user. */
export const temporaryFolderOf = (): string => join(tmpdir(), `veil-${userInfo().uid}`);

/**
 * Opens database, queue and files. The database creates or updates its tables.
 *
 * @param role decides which parts of the records the process may read
 * @param silentMs a claim without a heartbeat for this long is lost; by default that of the store
 * @throws StartProblem if the database or the files cannot be used. The queue may be unavailable: work is queued later
 */
export const openServices = async (
  { database, queue: queueAddress, files: filesAddress }: ClusterConfig,
  log: Log,
  role: StoreRole,
  silentMs?: number,
): Promise<Services> => {
  const temporaryFolder = temporaryFolderOf();
  const location = parseFileLocation(filesAddress, '--files');
  const queue = await openQueue(queueAddress, { log });
  const store = await openPostgresTaskStore(database, {
    log,
    role,
    ...(silentMs !== undefined && { silentMs }),
  });
  const files = await openFiles(location, temporaryFolder);
  return {
    store,
    queue,
    files,
    temporaryFolder,
    close: async () => {
      await queue.close();
      await files.close();
      await store.close();
    },
  };
};
