import type { LimitFunction } from 'p-limit';
import { callWithin } from '#shared/api/dispatch';
import { createApiClient, type ApiClient, RefusedRequest } from '#shared/api/client';
import { createApiService, type ApiService } from '#shared/api/handlers/service';
import { FailureError } from '#shared/domain/failure';
import type { Engine } from '#shared/ports/host-engine';
import type { Log } from '#shared/ports/system';
import { createMemoryTaskStore } from '#shared/tasks/base/task-records';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { removeTaskFiles } from '#shared/tasks/files/task-files';
import { createTaskService } from '#shared/tasks/service';
import { createReportSigner } from '../adapters/report-keys';
import { createStorage, PASSING, type StorageFolders } from '../adapters/storage';
import { system, timer } from '../adapters/system';
import type { BatchConfig, EditsFile } from '../cli/config';
import { readProblem, writeProblem, DiskFull, FileProblem } from './file-problem';
import { linkedUpload, type MediaFile, allNames } from './media-file';
import type { Report, FileReport } from './report';
import { workSettingsOf } from '#shared/tasks/base/job-store';
import type { Outcome } from '#shared/tasks/run/outcome';
import { editsRefused } from '../cli/edits-file';
import { beginResults, checkPlaces, removeResults, type UnfinishedResults } from './results';
import { planNameOf, writePlan } from './plans/write-plan';
import { writeTaskResults } from './task-results';

/** Everything that all files of a run share. */
export interface BatchParts {
  readonly config: BatchConfig;
  readonly engine: Engine;
  readonly log: Log;
  readonly report: Report;
  /** Limits the number of files that are processed at the same time. */
  readonly limit: LimitFunction;
  /** `input`: links to sources, and converted copies. `output`: on the disk of the results, which are moved from it. */
  readonly folders: StorageFolders;
}

/** A client of a service in this process. It uploads nothing: files of this machine become tasks where they are. */
export const clientOf = (service: ApiService): ApiClient<never> =>
  createApiClient<never>(callWithin(service, (file) => file));

const settingsOf = (config: BatchConfig): ServiceSettings => ({
  ...workSettingsOf(config),
  classes: config.classes,
  baseUrl: '',
  format: { kind: 'whole' },
  maskFiles: 'written',
  concurrency: 1,
  hold: 'all',
  syncWhenBusy: 'queue',
});

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

const SERVER_ERROR = 500;
const FAULT = 'An internal error occurred while it was processed.';

/** An error of reading or linking the file. */
const asFileProblem = (error: unknown): unknown => {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const problem = writeProblem(error);
  return problem instanceof DiskFull ? problem : new FileProblem(readProblem(error), { cause: error });
};

const requireDone = (outcome: Outcome, { problem }: FileService): void => {
  if (outcome.kind === 'done') return;
  const { kind, sentence } = outcome.kind === 'failed' ? outcome.failure : { kind: 'fault', sentence: FAULT };
  throw problem() ?? new FileProblem(kind === 'fault' ? FAULT : sentence);
};

/** @throws FlagError if the edits do not fit the file; FileProblem if they could not be applied */
const applyEdits = async (id: string, { path, body }: EditsFile, service: ApiService): Promise<void> => {
  try {
    await clientOf(service).putEdits(id, body);
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    const { status, message } = error;
    throw status < SERVER_ERROR ? editsRefused(path, message) : new FileProblem(message);
  }
};

/** Runs the file as a task, by the same code as on a server: results have the same bytes, and reports the same facts. */
const anonymise = async (
  file: MediaFile,
  results: UnfinishedResults,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<{ readonly report: FileReport; readonly plan?: string }> => {
  stop.throwIfAborted();
  const { config, engine, folders } = parts;
  const { name, kind, outputs } = file;
  const plan = planNameOf(file);
  parts.report.started(file);
  const own = createFileService(file, parts);
  const { tasks } = own.service;
  const end = (): void => void tasks.stop();
  stop.addEventListener('abort', end, { once: true });
  let id: string | undefined;
  try {
    const { limits, given, bag } = config;
    const submit = async () =>
      tasks.submit(await linkedUpload(file, { engine, limits, folders, given, bag }, file.how));
    const { task, outcome } = await submit().catch((error: unknown) => {
      throw asFileProblem(error);
    });
    id = task.id;
    requireDone(await outcome, own);
    if (config.edits) await applyEdits(id, config.edits, own.service);
    const report = await writeTaskResults({ id, name, kind, outputs }, own.service, results, stop);
    if (plan === undefined) return { report };
    // The result is complete without it.
    const hasPlan = await writePlan({ id, name: plan, options: file.options }, tasks, results).catch(
      async (error: unknown) => {
        stop.throwIfAborted();
        if (error instanceof DiskFull) throw error;
        parts.log.error(`Without a stored plan, a review of ${name} searches it again`, error);
        await results.drop(plan);
        return false;
      },
    );
    return { report, ...(hasPlan && { plan }) };
  } finally {
    stop.removeEventListener('abort', end);
    await own.close(id);
  }
};

/**
 * Anonymises one image or video and writes its results.
 *
 * The manifest records the start and the end, so that an interrupted result is recognised and processed again.
 *
 * @throws FileProblem, DiskFull; FlagError for edits that do not fit the file
 */
export const anonymiseFile = async (
  file: MediaFile,
  parts: BatchParts,
  stop: AbortSignal,
): Promise<FileReport> => {
  const { name, from, source, options, folder, manifest } = file;
  await checkPlaces(file);
  const results = beginResults(folder, parts.folders.output);
  try {
    const { report, plan } = await parts.limit(() => anonymise(file, results, parts, stop));
    stop.throwIfAborted();

    const outputs = allNames(file.outputs);
    const before = manifest.get(name);
    const earlier = before?.outputs ?? [];
    const { edits } = parts.config;
    const { anonymised } = file.outputs;
    const entry = {
      ...{ name, from, source, options, request: file.how.request },
      ...(anonymised !== null && { anonymised }),
      ...(Object.keys(file.outputs.exports).length > 0 && { exports: file.outputs.exports }),
      uncertain: report.uncertain.count,
      ...(edits && { edited: true }),
      ...(plan !== undefined && { plan }),
    };
    await manifest.put({ ...entry, outputs: [...new Set([...earlier, ...outputs])], done: false });
    await results.commit();
    await removeResults(
      folder,
      [...earlier, ...(before?.plan === undefined ? [] : [before.plan])].filter(
        (each) => !outputs.includes(each) && each !== plan,
      ),
    );
    await manifest.put({ ...entry, outputs, done: true });
    return report;
  } finally {
    await results.discard();
  }
};
