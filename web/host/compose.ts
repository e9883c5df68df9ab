import { createApiClient, type ApiClient, type SendRequest } from '#shared/api/client';
import { createApiService, dispatch } from '#shared/api/dispatch';
import { ApiError } from '#shared/api/contract/errors';
import type { ApiRequest, ApiResponse } from '#shared/api/http/http';
import { LIMITS } from '#shared/domain/limits';
import { FILE_PART } from '#shared/api/contract/routes';
import { DEFAULT_CLASSES, OBJECT_CLASSES, type ObjectClass } from '#shared/catalogue/classes';
import type { Log } from '#shared/ports/log';
import type { TaskStore } from '#shared/ports/task-store';
import { createTaskService } from '#shared/tasks/service';
import { anonymisedVideoKey, readVideoResult } from '#shared/tasks/files/video-files';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import type { Task } from '#shared/domain/task';
import { createWorkerEngine, type WorkerEngine } from '../adapters/engine';
import { log } from '../adapters/log';
import { reportSigner } from '../adapters/report-signer';
import { createMemorySubjects } from '#shared/tasks/subjects/memory-subjects';
import { createStorage, type BlobStorage } from '../adapters/storage';
import { system } from '../adapters/system';
import type { TabFolder } from '../adapters/tab-folder';
import { createTaskStore } from '../adapters/task-store';

const SETTINGS = {
  baseUrl: location.origin,
  classes: DEFAULT_CLASSES,
  tiling: { kind: 'whole' },
  saveMask: 'all',
  maskFiles: 'rendered',
  concurrency: 1,
  hold: 'all',
  syncWhenBusy: 'refuse',
  limits: LIMITS,
} as const satisfies ServiceSettings;

type Answer = (request: ApiRequest) => Promise<ApiResponse>;

export interface Host {
  /** The API for the screens. Files are passed by reference, and no request is sent. */
  readonly client: ApiClient<File>;
  /** Sends requests of the client. */
  readonly send: SendRequest<File>;
  /** The same API for all other scripts of the page. */
  readonly answer: Answer;
  readonly storage: BlobStorage;
  readonly taskStore: TaskStore;
  readonly log: Log;
  /** Classes from which a person can choose. */
  readonly classes: readonly ObjectClass[];
  /** Returns a task's anonymised video as a file that is not read yet. */
  openVideo(taskId: string): Promise<Blob>;
  loadEngine(onProgress: (share: number) => void): ReturnType<WorkerEngine['load']>;
  /** Uses the current models for all work that starts from now on. */
  renewEngine(): void;
}

const sendWithin =
  (answer: Answer, storage: BlobStorage): SendRequest<File> =>
  ({ files, body = new Uint8Array(0), signal = new AbortController().signal, ...request }) =>
    answer({
      ...request,
      signal,
      receiveBody: async () => body,
      receiveUpload: async () => {
        if (!files) throw new ApiError('no_file');
        return files.map((file) => ({
          ...{ name: FILE_PART, filename: file.name, contentType: file.type },
          file: storage.receive(file),
        }));
      },
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
  const taskStore = createTaskStore(onTasksChange);
  const ports = {
    engine: createWorkerEngine(log, onEngineRestart),
    storage,
    taskStore,
    system,
    log,
    reportSigner,
    subjects: createMemorySubjects(),
  };
  /* One service for screens and scripts: what one deletes, the other must not go on with. */
  const service = createApiService(createTaskService(ports, SETTINGS), ports, SETTINGS);
  const answer: Answer = (request) => dispatch(request, service);
  const send = sendWithin(answer, storage);
  return {
    client: createApiClient(send),
    send,
    answer,
    storage,
    taskStore,
    log,
    classes: OBJECT_CLASSES,
    openVideo: async (taskId) => {
      const { filePrefix } = (await readVideoResult(storage, taskId)) ?? {};
      const file = await storage.file(anonymisedVideoKey(taskId, filePrefix));
      if (!file) throw new Error('The video result no longer exists.');
      return file.slice(0, file.size, 'video/mp4');
    },
    loadEngine: (onProgress) => ports.engine.load(SETTINGS.classes, onProgress, new AbortController().signal),
    renewEngine: ports.engine.renew,
  };
};
