import { join } from 'node:path';
import { callWithin } from '#shared/api/call-within';
import { createApiClient, type ApiClient } from '#shared/api/client';
import { createApiService, type ApiService } from '#shared/api/handlers/service';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/log';
import type { ReportSigner } from '#shared/ports/report-signer';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { createTaskService, type TaskService } from '#shared/tasks/service';
import { createPrivateFolder, type PrivateFolder } from '../adapters/private-folder';
import { createFolder, createStorage, type StorageFolders } from '../adapters/storage';
import { system } from '../adapters/system';
import { openTaskStore } from '../adapters/task-store';

/** Folders of tasks in a private folder. */
export const foldersIn = ({ path }: PrivateFolder): StorageFolders => ({
  input: join(path, 'input'),
  output: join(path, 'output'),
});

/** The tasks and the API of a server that nobody can reach. */
export interface PrivateTasks {
  readonly tasks: TaskService;
  readonly folders: StorageFolders;
  readonly service: ApiService;
  /** Stops the tasks and removes their files. */
  close(): Promise<void>;
}

/** A client of a service in this process. It uploads nothing: files of this machine become tasks where they are. */
export const clientOf = (service: ApiService): ApiClient<never> =>
  createApiClient<never>(callWithin(service, (file) => file));

type Settings = Pick<ServiceSettings, 'classes' | 'saveMask' | 'keepMetadata' | 'limits'>;

const settingsOf = ({ classes, saveMask, keepMetadata, limits }: Settings): ServiceSettings => ({
  ...{ classes, saveMask, limits },
  keepMetadata: keepMetadata ?? false,
  baseUrl: '',
  format: { kind: 'whole' },
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
  const own = await createPrivateFolder();
  const folders = foldersIn(own);
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
      await own.remove();
    },
  };
};
