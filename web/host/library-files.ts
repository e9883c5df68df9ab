import type { Log } from '#shared/ports/system';
import type { TaskStore } from '#shared/ports/storage';
import type { Task } from '#shared/domain/task';
import { outputFolder, readStoredResult, sourceKey } from '#shared/tasks/files/task-files';
import { readVideoResult } from '#shared/tasks/files/video-files';
import { formatOfType } from '#shared/catalogue/formats';
import type { DiskFolder } from '../adapters/disk-folder';
import { readWhole } from '../adapters/read-whole';
import type { BlobStorage } from '../adapters/storage';
import type { TabFolder } from '../adapters/tab-folder';
import { createLatestWriter, type LibraryFiles, type RestoredItem } from '../state/library';
import { fetchedId } from '../state/fetched-results';
import { isInResultStore } from './result-store';

const RECORDS = 'library.json';
const TASKS = 'tasks.json';
const ORIGINAL_PREFIX = 'original+';
const originalName = (id: string): string => ORIGINAL_PREFIX + id;

/** Free space that must remain for the result of a file and for the browser. */
const SPARE_BYTES = 64 * 1024 ** 2;

const writeText = async (folder: DiskFolder, name: string, text: string | null): Promise<void> => {
  if (text === null) await folder.remove(name);
  else await folder.write(name, new Blob([text]));
};

const readText = async (folder: DiskFolder, name: string): Promise<string | undefined> => {
  const bytes = await readWhole(() => folder.file(name));
  return bytes && new TextDecoder().decode(bytes);
};

const hasRoom = async ({ size }: File): Promise<boolean> => {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate();
  return quota - usage >= 2 * size + SPARE_BYTES;
};

/** Stores the records of finished tasks next to their files. Files of other tasks are incomplete. */
export const createTaskRecorder = (
  { open }: Pick<TabFolder, 'open'>,
  log: Log,
): ((tasks: readonly Task[]) => void) => {
  let saved = '[]';
  const write = createLatestWriter(async (text: string) => {
    try {
      const folder = await open();
      if (folder) await writeText(folder, TASKS, text === '[]' ? null : text);
    } catch (cause) {
      log.error('The records of results could not be saved', cause);
    }
  });
  return (tasks) => {
    const text = JSON.stringify(tasks.filter(({ status }) => status === 'done'));
    if (text === saved) return;
    saved = text;
    write(text);
  };
};

const readTasks = async (folder: DiskFolder): Promise<readonly Task[]> => {
  const text = await readText(folder, TASKS);
  return text === undefined ? [] : (JSON.parse(text) as Task[]);
};

/** Files of the list in the tab's folder, and the tasks that produced their results. */
export const createLibraryFiles = (
  { open, reopen }: Pick<TabFolder, 'open' | 'reopen'>,
  { storage, taskStore }: { readonly storage: BlobStorage; readonly taskStore: TaskStore },
): LibraryFiles => {
  /** The received file of a task, which is also the stored copy of the list's file. */
  const giveSource = async (task: Task, file: File): Promise<void> => {
    await storage.receive(file).moveTo(sourceKey(task.id, formatOfType(task.contentType)));
  };
  const isWhole = async ({ id, kind }: Task): Promise<boolean> =>
    (await (kind === 'video' ? readVideoResult(storage, id) : readStoredResult(storage, id))) !== undefined;

  const restoreResults = async (
    folder: DiskFolder,
    items: readonly RestoredItem[],
  ): Promise<ReadonlySet<string>> => {
    const files = new Map(items.flatMap(({ taskId, file }) => (taskId ? [[taskId, file] as const] : [])));
    const tasks = (await readTasks(folder)).filter(({ id }) => files.has(id));
    const fetched = [...files.keys()].flatMap((taskId) => fetchedId(taskId) ?? []);
    const folders = [...tasks.map(({ id }) => id), ...fetched].map(outputFolder);
    await storage.adopt(folder, (key) => folders.some((prefix) => key.startsWith(prefix)));
    const whole = new Set<string>();
    for (const task of tasks) {
      const file = files.get(task.id);
      if (!file || !(await isWhole(task))) continue;
      await giveSource(task, file);
      await taskStore.put(task);
      whole.add(task.id);
    }
    for (const taskId of files.keys()) {
      const id = fetchedId(taskId);
      if (id !== undefined && (await isInResultStore(storage, id))) whole.add(taskId);
    }
    const originals = new Set(items.map(({ id }) => originalName(id)));
    for (const name of await folder.names()) {
      if (name.startsWith(ORIGINAL_PREFIX) && !originals.has(name)) await folder.remove(name);
    }
    return whole;
  };

  return {
    readRecords: async () => {
      const folder = await reopen();
      return folder && readText(folder, RECORDS);
    },
    writeRecords: async (text) => {
      const folder = text === null ? await reopen() : await open();
      if (folder) await writeText(folder, RECORDS, text);
    },
    original: async (id) => (await reopen())?.file(originalName(id)),
    storeOriginal: async (id, file, signal) => {
      const folder = (await hasRoom(file)) ? await open() : undefined;
      await folder?.write(originalName(id), file, signal);
      return folder !== undefined;
    },
    removeOriginal: async (id) => (await reopen())?.remove(originalName(id)),
    restoreResults: async (items) => {
      const folder = await reopen();
      return folder ? restoreResults(folder, items) : new Set();
    },
  };
};
