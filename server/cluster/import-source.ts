import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Task } from '#shared/domain/task';
import type { Storage } from '#shared/ports/storage';
import { allTasks } from '#shared/tasks/base/arrivals';
import { WANTED_FILE } from '#shared/tasks/edits/wanted-edits';
import { createStorage } from '../adapters/storage';
import { isKeyName } from '../adapters/storage-key';
import { lockRecords } from '../adapters/lock-records';
import { openTaskStore, RECORDS_FILE } from '../adapters/task-store';
import { StartProblem } from '../cli/start-problem';

/** Data of a stopped server without a role. They are only read. */
export interface ImportSource {
  /** Oldest first. */
  readonly tasks: readonly Task[];
  readonly storage: Storage;
  /** Names of the files of an upload; none if it is missing. */
  uploadNames(id: string): Promise<readonly string[]>;
  /** Names of the files of a result. */
  resultNames(id: string): Promise<readonly string[]>;
  /** Removes what was added to the folder. Servers can use it again when this process has ended. */
  close(): Promise<void>;
}

const LOG = `${RECORDS_FILE}-wal`;
/** Beside it there may be a copy that was converted for processing. */
const UPLOAD = /^source\.\w+$/;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile() && isKeyName(entry.name)).map(({ name }) => name);
};

/** Opening the records would change their files, so a copy is opened. @returns records, oldest first */
const readRecords = async (outputFolder: string): Promise<readonly Task[]> => {
  const copy = await mkdtemp(join(tmpdir(), 'veil-import-')); // readable for this user only
  try {
    for (const name of [RECORDS_FILE, LOG]) {
      if (await isThere(join(outputFolder, name))) await copyFile(join(outputFolder, name), join(copy, name));
    }
    const store = await openTaskStore(copy);
    const tasks = await allTasks(store);
    await store.close();
    return tasks.toReversed();
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    throw new StartProblem(error.message.replaceAll(copy, outputFolder), { cause: error });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};

/**
 * Opens the data folder of a stopped server without a role.
 *
 * @param folder contains the folders `input` and `output`
 * @throws StartProblem if it is not such a folder, or is in use
 */
export const openImportSource = async (folder: string): Promise<ImportSource> => {
  const folders = { input: resolve(folder, 'input'), output: resolve(folder, 'output') };
  if (!(await isThere(join(folders.output, RECORDS_FILE)))) {
    throw new StartProblem(
      `${folder} has no file output/${RECORDS_FILE}: name the data folder of a server, with its folders input and output.`,
    );
  }
  // First: closing a file ends all locks that the process has on it (POSIX).
  const tasks = await readRecords(folders.output);
  const unlock = await lockRecords(folders.output);
  return {
    tasks,
    storage: createStorage(folders),
    uploadNames: async (id) => (await filesIn(join(folders.input, id))).filter((name) => UPLOAD.test(name)),
    resultNames: async (id) =>
      (await filesIn(join(folders.output, id))).filter((name) => name !== WANTED_FILE),
    close: unlock,
  };
};
