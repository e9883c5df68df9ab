import type { Storage } from '#shared/ports/storage';
import { FIRST_PLAN_FILE, RESULT_FILE, outputFolder } from '#shared/tasks/files/task-files';
import { VIDEO_RESULT_FILE } from '#shared/tasks/files/video-files';
import type { ResultFolders } from '#shared/tasks/base/job-store';
import { partsOfKey, partsOfPrefix } from '../adapters/storage-key';

/** Where the files of a task's result lie: each attempt has written to a folder of its own. */
export interface ResultLayers {
  readonly taskId: string;
  /** Folders of the current result, oldest first. A file of a later folder hides that of an earlier one. */
  readonly folders: ResultFolders;
  /** Folder of this attempt. */
  readonly target: string;
}

/** A key below a task's output folder. */
interface OutputKey {
  readonly taskId: string;
  readonly name: string;
}

/** @returns undefined for a key of an upload @throws where the key names a folder of an attempt, or no task */
const outputKeyOf = (key: string): OutputKey | undefined => {
  const { folder, names } = partsOfKey(key);
  if (folder === 'input') return undefined;
  const [taskId, name, ...more] = names;
  if (taskId === undefined || name === undefined || more.length > 0) {
    throw new Error(`Not the key of a task's result: ${key}`);
  }
  return { taskId, name };
};

/** The same for the prefix of a removal. An empty `name` stands for all files of the task. */
const outputPrefixOf = (prefix: string): OutputKey | undefined => {
  const { folderKey, beginning } = partsOfPrefix(prefix);
  const { folder, names } = partsOfKey(folderKey);
  if (folder === 'input') return undefined;
  const [taskId, ...more] = names;
  if (taskId === undefined || more.length > 0) throw new Error(`Not a prefix of a task's result: ${prefix}`);
  return { taskId, name: beginning };
};

const keyIn = (taskId: string, folder: string, name: string): string =>
  `${outputFolder(taskId)}${folder}/${name}`;

/** The file of the newest folder that has one. */
const newest = async <T>(
  folders: ResultFolders,
  find: (folder: string) => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (const folder of folders.toReversed()) {
    const found = await find(folder);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Reads files of results from the newest folder that has them, and uploads as they are. */
const readLayers = (
  storage: Storage,
  foldersOf: (key: OutputKey) => ResultFolders | Promise<ResultFolders>,
): Pick<Storage, 'read' | 'open'> => {
  const find = async <T>(
    key: string,
    get: (physical: string) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const output = outputKeyOf(key);
    if (!output) return get(key);
    return newest(await foldersOf(output), (folder) => get(keyIn(output.taskId, folder, output.name)));
  };
  return { read: (key) => find(key, storage.read), open: (key) => find(key, storage.open) };
};

/**
 * The files of one task as one attempt sees them: it writes to its own folder, and also reads those of the current
 * result.
 *
 * Removing files of the current result hides them in this view only, so that the result stays complete until the
 * attempt has become the result. Removing all files of the task removes them, and uploads are as in `storage`.
 *
 * @param mayRemoveAll whether the attempt still has the task: otherwise a removal of the whole task concerns its own
 *   folder only, so that an attempt that was taken over does no harm
 */
export const layeredStorage = (
  storage: Storage,
  { taskId, folders, target }: ResultLayers,
  mayRemoveAll: () => Promise<boolean> = async () => true,
): Storage => {
  const older = folders.filter((folder) => folder !== target);
  const hidden: string[] = [];
  const requireTask = (key: OutputKey): OutputKey => {
    if (key.taskId !== taskId) throw new Error('An attempt used a file of another task.');
    return key;
  };
  const visibleFolders = (name: string): ResultFolders =>
    hidden.some((beginning) => name.startsWith(beginning)) ? [target] : [...older, target];
  const ownKey = (key: string): string => {
    const output = outputKeyOf(key);
    return output ? keyIn(taskId, target, requireTask(output).name) : key;
  };
  return {
    ...readLayers(storage, (key) => visibleFolders(requireTask(key).name)),
    write: async (key, bytes) => storage.write(ownKey(key), bytes),
    create: async (key) => storage.create(ownKey(key)),
    remove: async (prefix) => {
      const output = outputPrefixOf(prefix);
      const isWhole = !output || requireTask(output).name === '';
      if (isWhole && (await mayRemoveAll())) return storage.remove(prefix);
      if (!output) return undefined;
      await storage.remove(keyIn(taskId, target, output.name));
      hidden.push(output.name);
    },
  };
};

/**
 * The files of all tasks as API processes see them: results from the folders that the records name.
 *
 * @param foldersOf folders of a task's result, oldest first; asked for each call
 */
export const resolvedStorage = (
  storage: Storage,
  foldersOf: (taskId: string) => Promise<ResultFolders>,
): Storage => {
  const uploadKey = (key: string): string => {
    if (outputKeyOf(key)) throw new Error('Results are written by workers only.');
    return key;
  };
  return {
    ...readLayers(storage, ({ taskId }) => foldersOf(taskId)),
    write: async (key, bytes) => storage.write(uploadKey(key), bytes),
    create: async (key) => storage.create(uploadKey(key)),
    remove: async (prefix) => {
      const output = outputPrefixOf(prefix);
      if (output && output.name !== '') throw new Error('API processes remove all files of a task, or none.');
      await storage.remove(prefix);
    },
  };
};

/** Small files that an edit may write and later edits need, although they do not write them again. */
const COPIED_FILES = [FIRST_PLAN_FILE] as const;
/** The files that make a folder a result. */
const RESULT_FILES = [RESULT_FILE, VIDEO_RESULT_FILE] as const;

const exists = async (storage: Storage, key: string): Promise<boolean> =>
  (await storage.open(key)) !== undefined;

/** @param keyOf key of a name in the folder */
const hasResult = async (storage: Storage, keyOf: (name: string) => string): Promise<boolean> => {
  const found = await Promise.all(RESULT_FILES.map((name) => exists(storage, keyOf(name))));
  return found.includes(true);
};

/**
 * Completes the folder of an attempt, so that a result has at most two folders: that of processing, and that of the last
 * edit.
 *
 * @returns the folders of the result with this attempt; those before where the attempt has written no result, because
 *   its edits were in force already
 */
export const completeAttemptFolder = async (
  storage: Storage,
  { taskId, folders, target }: ResultLayers,
): Promise<ResultFolders> => {
  const own = (name: string): string => keyIn(taskId, target, name);
  if (!(await hasResult(storage, own))) return folders;
  const [processed, ...edited] = folders;
  for (const name of COPIED_FILES) {
    if (edited.length === 0 || (await exists(storage, own(name)))) continue;
    const bytes = await newest(edited, (folder) => storage.read(keyIn(taskId, folder, name)));
    if (bytes) await storage.write(own(name), bytes);
  }
  return processed === undefined ? [target] : [processed, target];
};

/**
 * Beginnings of the names of files that an edited result has instead. An imported result (`import-tasks.ts`) may have
 * been edited by the server that it comes from: then its files begin with `edit-`, and it has one folder only.
 */
const REPLACED = ['anonymised.', 'binary-mask.', 'instance-mask.', 'edit-'];

/**
 * Removes the files of a result that edits have replaced: the folder of earlier edits, and the images of the first
 * result. Its plans and reports stay, because all edits start from them.
 */
export const removeReplacedFiles = async (
  files: Storage,
  taskId: string,
  before: ResultFolders,
  after: ResultFolders,
): Promise<void> => {
  if (before.length === 0 || before.at(-1) === after.at(-1)) return;
  const [first, ...edited] = before;
  const folder = (name: string): string => `${outputFolder(taskId)}${name}/`;
  await Promise.all([
    ...edited.map((name) => files.remove(folder(name))),
    ...(edited.length > 0
      ? []
      : REPLACED.map((beginning) => files.remove(`${folder(first ?? '')}${beginning}`))),
  ]);
};
