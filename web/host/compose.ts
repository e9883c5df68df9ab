import { callWithin, dispatch } from '#shared/api/dispatch';
import { createApiClient, type ApiClient, type SendRequest } from '#shared/api/client';
import { ApiError } from '#shared/api/contract/errors';
import { createApiService, type ApiService } from '#shared/api/handlers/service';
import type { UploadPart } from '#shared/api/http/http';
import { LIMITS } from '#shared/domain/limits';
import { FILE_PART } from '#shared/api/contract/routes';
import { DEFAULT_CLASSES, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import { defaultImageOptions } from '#shared/domain/options';
import type { Log } from '#shared/ports/system';
import type { TaskStore } from '#shared/ports/storage';
import { createMemoryTaskStore } from '#shared/tasks/base/task-records';
import { createTaskService } from '#shared/tasks/service';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { Task } from '#shared/domain/task';
import { createWorkerEngine, type WorkerEngine } from '../adapters/engine';
import { log } from '../adapters/log';
import { reportSigner } from '../adapters/report-signer';
import { createMemorySubjects } from '#shared/tasks/subjects/subjects';
import { createStorage, type BlobStorage } from '../adapters/storage';
import { system } from '../adapters/system';
import type { TabFolder } from '../adapters/tab-folder';

const SETTINGS = {
  baseUrl: location.origin,
  classes: DEFAULT_CLASSES,
  format: { kind: 'whole' },
  saveMask: 'all',
  maskFiles: 'rendered',
  concurrency: 1,
  hold: 'all',
  syncWhenBusy: 'refuse',
  limits: LIMITS,
} as const satisfies ServiceSettings;

export interface Host {
  /** The API for the screens. Values and files are passed by reference, and no request is made. */
  readonly client: ApiClient<File>;
  /** The same service for requests of all other scripts: what one deletes, the other must not go on with. */
  readonly service: ApiService;
  readonly storage: BlobStorage;
  readonly taskStore: TaskStore;
  readonly log: Log;
  /** Classes from which a person can choose. */
  readonly classes: readonly ObjectClass[];
  loadEngine(onProgress: (share: number) => void): ReturnType<WorkerEngine['load']>;
  /** Uses the current models for all work that starts from now on. */
  renewEngine(): void;
}

/** A file as the part of an upload that the API expects. It is not copied. */
const asPart = (file: File, storage: Pick<BlobStorage, 'receive'>): UploadPart => ({
  ...{ name: FILE_PART, filename: file.name, contentType: file.type },
  file: storage.receive(file),
});

interface Surroundings {
  /** Folder for files; without it they are held in memory. */
  readonly openFolder?: TabFolder['open'] | undefined;
  /** Called with all task records after each change. */
  readonly onTasksChange?: ((tasks: readonly Task[]) => void) | undefined;
  /** Called when the engine's worker has ended unexpectedly and will be replaced. */
  readonly onEngineRestart?: () => void;
}

/** Creates the page's host. This is the one file that names all adapters. */
export const compose = ({ openFolder, onTasksChange, onEngineRestart }: Surroundings): Host => {
  const storage = createStorage(log, openFolder);
  const taskStore = createMemoryTaskStore(onTasksChange);
  const ports = {
    engine: createWorkerEngine(log, onEngineRestart),
    storage,
    taskStore,
    system,
    log,
    reportSigner,
    subjects: createMemorySubjects(),
  };
  const service = createApiService(createTaskService(ports, SETTINGS), ports, SETTINGS);
  return {
    client: createApiClient(callWithin(service, (file: File) => asPart(file, storage))),
    service,
    storage,
    taskStore,
    log,
    classes: OBJECT_CLASSES,
    loadEngine: (onProgress) =>
      ports.engine.load(defaultImageOptions(), onProgress, new AbortController().signal),
    renewEngine: ports.engine.renew,
  };
};

/** Answers requests that a form of the reference writes: in bytes, as a script would get them, and without a network. */
export const sendWithin =
  ({ service, storage }: Pick<Host, 'service' | 'storage'>): SendRequest<File> =>
  ({ files, body = new Uint8Array(0), signal = new AbortController().signal, ...request }) =>
    dispatch(
      {
        ...request,
        signal,
        receiveBody: async () => body,
        receiveUpload: async () => {
          if (!files) throw new ApiError('no_file');
          return files.map((file) => asPart(file, storage));
        },
      },
      service,
    );
