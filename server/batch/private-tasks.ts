import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiService, type ApiService } from '#shared/api/dispatch';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { ReportSigner } from '#shared/ports/report-signer';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { createFolder, createStorage, type StorageFolders } from '../adapters/storage';
import { system } from '../adapters/system';
import { openTaskStore } from '../adapters/task-store';

/** A folder that only this user can read, for data that must not outlive the process. */
export interface PrivateFolder {
  readonly folders: StorageFolders;
  remove(): Promise<void>;
}

/** In the system's temporary folder: an output folder may be given to other people. */
export const createPrivateFolder = async (): Promise<PrivateFolder> => {
  const root = await mkdtemp(join(tmpdir(), 'veil-')); // with mode 0700
  return {
    folders: { input: join(root, 'input'), output: join(root, 'output') },
    remove: () => rm(root, { recursive: true, force: true }),
  };
};

/** The tasks and the API of a server that nobody can reach. */
export interface PrivateTasks {
  readonly tasks: TaskService;
  readonly folders: StorageFolders;
  readonly service: ApiService;
  /** Stops the tasks and removes their files. */
  close(): Promise<void>;
}

type Settings = Pick<ServiceSettings, 'classes' | 'saveMask' | 'keepMetadata' | 'limits'>;

const settingsOf = ({ classes, saveMask, keepMetadata, limits }: Settings): ServiceSettings => ({
  ...{ classes, saveMask, limits },
  keepMetadata: keepMetadata ?? false,
  baseUrl: '',
  tiling: { kind: 'whole' },
  maskFiles: 'rendered',
  concurrency: 1,
  hold: 'all',
  syncWhenBusy: 'queue',
});

interface PrivatePorts {
  readonly engine: Engine;
  readonly log: Log;
  /** Undefined: reports are not signed. */
  readonly reportSigner?: ReportSigner | undefined;
}

/** Opens tasks whose files are removed at the end. */
export const openPrivateTasks = async (
  given: Settings,
  { engine, log, reportSigner }: PrivatePorts,
): Promise<PrivateTasks> => {
  const { folders, remove } = await createPrivateFolder();
  await createFolder(folders.output);
  const taskStore = await openTaskStore(folders.output);
  const settings = settingsOf(given);
  const ports = { engine, log, taskStore, system, storage: createStorage(folders) };
  const tasks = createTaskService(ports, settings);
  const service = createApiService(tasks, { ...ports, reportSigner }, settings);
  return {
    tasks,
    folders,
    service,
    close: async () => {
      await tasks.stop();
      await taskStore.close();
      await remove();
    },
  };
};
