import type { LimitFunction } from 'p-limit';
import { callWithin } from '#shared/api/dispatch';
import { createApiClient, type ApiClient } from '#shared/api/client';
import { createApiService, type ApiService } from '#shared/api/handlers/service';
import { FailureError } from '#shared/domain/failure';
import type { Engine } from '#shared/ports/engine';
import type { Log } from '#shared/ports/system';
import { createMemoryTaskStore } from '#shared/tasks/base/arrivals';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { removeTaskFiles } from '#shared/tasks/files/task-files';
import { createTaskService } from '#shared/tasks/service';
import { createReportSigner } from '../adapters/report-keys';
import { createStorage, PASSING, type StorageFolders } from '../adapters/storage';
import { system } from '../adapters/system';
import { timer } from '../adapters/timer';
import type { BatchConfig } from '../cli/config';
import { readProblem, writeProblem } from './file-problem';
import type { Manifest } from './manifest';
import type { MediaFile } from './media-file';
import type { Report } from './report';

/** Everything that all files of a run share. */
export interface BatchParts {
  readonly config: BatchConfig;
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
  /** Limits the number of files that are processed at the same time. */
  readonly limit: LimitFunction;
  readonly manifest: Manifest;
  /** `input`: links to sources, and converted copies. `output`: on the disk of the results, which are moved from it. */
  readonly folders: StorageFolders;
}

/** A client of a service in this process. It uploads nothing: files of this machine become tasks where they are. */
export const clientOf = (service: ApiService): ApiClient<never> =>
  createApiClient<never>(callWithin(service, (file) => file));

const settingsOf = (config: BatchConfig): ServiceSettings => {
  const { classes, saveMask, keepMetadata, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel } = config;
  return {
    ...{ classes, saveMask, keepMetadata, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel },
    baseUrl: '',
    format: { kind: 'whole' },
    maskFiles: 'written',
    concurrency: 1,
    hold: 'all',
    syncWhenBusy: 'queue',
  };
};

/**
 * The engine for one file. It reports progress as it comes: the record of a task tells only how far it is now.
 *
 * All other methods are inherited, because those of another thread have no list that could be copied.
 */
const engineFor = (file: MediaFile, { engine, report }: BatchParts): Engine => {
  const own: Pick<Engine, 'anonymiseImage' | 'anonymiseVideo'> = {
    anonymiseImage: (...args) =>
      engine.anonymiseImage(...args).catch((error: unknown) => {
        if (!(error instanceof Error && 'syscall' in error)) throw error;
        throw new FailureError({ kind: 'bad-file', sentence: readProblem(error) }, { cause: error });
      }),
    anonymiseVideo: (job, files, onProgress, signal) => {
      const progressed: typeof onProgress = (progress) => {
        report.progressed(file, progress);
        onProgress(progress);
      };
      return engine.anonymiseVideo(job, files, progressed, signal);
    },
  };
  return Object.assign(Object.create(engine) as Engine, own);
};

/** The tasks and the API of a service that nobody else can reach. */
export interface FileService {
  readonly service: ApiService;
  /** Why the disk took no result, as a `FileProblem` or `DiskFull` where it is known; undefined if it did. */
  problem(): Error | undefined;
  /** Stops the task, and removes its files. */
  close(id: string | undefined): Promise<void>;
}

/** Creates the service in which one file becomes a task, whatever is wanted of it. */
export const createFileService = (file: MediaFile, parts: BatchParts): FileService => {
  const { config, folders, log } = parts;
  let refusal: StorageUnavailable | undefined;
  const storage = createStorage(folders, PASSING);
  const ports = {
    engine: engineFor(file, parts),
    log: {
      ...log,
      info: () => undefined, // the report tells what is missing in a result
      error: (message: string, cause: unknown) => {
        if (cause instanceof StorageUnavailable) refusal = cause;
        else log.error(message, cause);
      },
    },
    ...{ storage, system, timer, taskStore: createMemoryTaskStore() },
  };
  const settings = settingsOf(config);
  const tasks = createTaskService(ports, settings);
  const reportSigner = config.reportKey && createReportSigner(config.reportKey);
  return {
    service: createApiService(tasks, { ...ports, reportSigner }, settings),
    problem: () => {
      const known = refusal && writeProblem(refusal.cause);
      return known instanceof Error ? known : refusal;
    },
    close: async (id) => {
      await tasks.stop();
      if (id !== undefined) await removeTaskFiles(storage, id);
    },
  };
};
