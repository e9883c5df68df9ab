import pLimit from 'p-limit';
import { keepsFiles, type Task, reduceTask } from '#shared/domain/task';
import type { System } from '#shared/ports/system';
import type { Storage } from '#shared/ports/storage';
import { readWantedEdits } from '#shared/tasks/edits/wanted-edits';
import { outputFolder, RESULT_FILE } from '#shared/tasks/files/task-files';
import { VIDEO_RESULT_FILE } from '#shared/tasks/files/video-files';
import { workOf, type WorkSettings, type Job } from '#shared/tasks/base/job-store';
import type { ImportSource } from './import-source';
import type { SharedTask, SharedTaskStore } from './shared-task-store';
import { eventOfLostWork } from '#shared/tasks/run/outcome';

/** A task as a server without a role would continue it at its next start: running work waits again. */
const takenUp = (task: Task, nowMs: number): Task =>
  task.status === 'queued' || workOf(task) === null
    ? task
    : reduceTask(task, eventOfLostWork(task, 0, nowMs));

/**
 * Copies a file of any size from one storage to another. The copy appears when it is complete.
 *
 * @returns its size in bytes
 * @throws Error if there is no such file
 */
const copyFile = async (
  from: { readonly storage: Storage; readonly key: string },
  to: { readonly storage: Storage; readonly key: string },
): Promise<number> => {
  const file = await from.storage.open(from.key);
  if (!file) throw new Error(`The file ${from.key} was removed while it was copied.`);
  const copy = await to.storage.create(to.key);
  try {
    let position = 0;
    for await (const piece of file.read(0, file.sizeBytes)) {
      await copy.write(position, piece);
      position += piece.length;
    }
    await copy.commit();
  } finally {
    await copy.discard();
  }
  return file.sizeBytes;
};

export interface ImportPorts {
  readonly store: SharedTaskStore;
  /** All files of the cluster. */
  readonly files: Storage;
  readonly system: Pick<System, 'nowMs'>;
}

/** How far an import is. */
export interface ImportProgress {
  /** Tasks of the source. */
  readonly tasks: number;
  /** Tasks that were copied by this run. */
  readonly copied: number;
  readonly bytes: number;
  /** Tasks that the cluster had before, from an earlier run for instance. */
  readonly known: number;
  /** Sentences about tasks whose files are missing in the source. */
  readonly problems: readonly string[];
}

/** Tasks whose files are copied at the same time, and files of each. */
const CONCURRENT_TASKS = 4;
const CONCURRENT_FILES = 4;

const SOURCE_FILE_MISSING = ({ id }: Task): string => `The uploaded file of task ${id} is missing.`;
const RESULT_MISSING = ({ id }: Task): string => `The result of task ${id} is missing.`;

const problemsOf = (task: Task, uploads: readonly string[], results: readonly string[]): string[] => {
  const resultFile = task.kind === 'video' ? VIDEO_RESULT_FILE : RESULT_FILE;
  return [
    ...(uploads.length === 0 ? [SOURCE_FILE_MISSING(task)] : []),
    ...(task.status === 'done' && !results.includes(resultFile) ? [RESULT_MISSING(task)] : []),
  ];
};

/** A task whose files are in the cluster, and whose record is not yet. */
interface CopiedTask {
  readonly imported: Omit<SharedTask, 'settings' | 'isUrgent'>;
  readonly bytes: number;
  readonly problems: readonly string[];
}

/**
 * Copies the files of a task. Until its record is added they are marked, so that they are removed after an import that
 * is not continued.
 *
 * The result gets one folder, with the name of the task: like the folder of an attempt, it is removed when all of its
 * files are replaced. A second run writes to the same folder.
 */
const copyTask = async (
  before: Task,
  source: ImportSource,
  { store, files, system }: ImportPorts,
): Promise<CopiedTask> => {
  const task = takenUp(before, system.nowMs());
  const { id } = task;
  if (!keepsFiles(task)) return { imported: { task }, bytes: 0, problems: [] };
  const wanted = workOf(task) === 'edits' ? await readWantedEdits(source.storage, id) : undefined;
  const folder = `${outputFolder(id)}${id}/`;
  const uploads = await source.uploadNames(id);
  const results = task.status === 'done' ? await source.resultNames(id) : [];
  await store.setFilesInDoubt(id, true);
  await files.remove(folder); // of an earlier run, after which the task may have changed
  const copies = [
    ...uploads.map((name) => ({ key: `input/${id}/${name}`, target: `input/${id}/${name}` })),
    ...results.map((name) => ({ key: outputFolder(id) + name, target: folder + name })),
  ];
  const limit = pLimit(CONCURRENT_FILES);
  const sizes = await Promise.all(
    copies.map(({ key, target }) =>
      limit(() => copyFile({ storage: source.storage, key }, { storage: files, key: target })),
    ),
  );
  return {
    imported: { task, wanted, folders: results.length > 0 ? [id] : [] },
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    problems: problemsOf(task, uploads, results),
  };
};

/**
 * Copies the tasks of a server without a role into a cluster, oldest first, so that their order stays. Tasks that the
 * cluster has are not changed, so that an import that was cut off can be started again.
 *
 * @param settings for processing what is unfinished, and for later edits
 * @param report called after each task
 * @returns jobs of tasks that wait
 * @throws StoreUnavailable, StorageUnavailable: what was copied stays
 */
export const importTasks = async (
  source: ImportSource,
  ports: ImportPorts,
  settings: WorkSettings,
  report: (progress: ImportProgress) => void,
): Promise<readonly Job[]> => {
  const { tasks } = source;
  const jobs: Job[] = [];
  const stopped = new AbortController();
  const limit = pLimit(CONCURRENT_TASKS);
  const copies = tasks.map((task) =>
    limit(async () => {
      stopped.signal.throwIfAborted();
      return (await ports.store.get(task.id)) ? undefined : copyTask(task, source, ports);
    }),
  );
  let progress: ImportProgress = { tasks: tasks.length, copied: 0, bytes: 0, known: 0, problems: [] };
  try {
    for (const copy of copies) {
      const copied = await copy;
      const added = copied && { ...copied.imported, settings, isUrgent: false };
      const job = added ? await ports.store.accept(added, { maxUnfinished: undefined }) : 'known';
      if (!copied || typeof job === 'string') progress = { ...progress, known: progress.known + 1 };
      else {
        progress = {
          ...progress,
          copied: progress.copied + 1,
          bytes: progress.bytes + copied.bytes,
          problems: [...progress.problems, ...copied.problems],
        };
        if (workOf(copied.imported.task)) jobs.push(job);
      }
      report(progress);
    }
    return jobs;
  } finally {
    stopped.abort();
    await Promise.allSettled(copies);
  }
};
