import { copyFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import type { Task } from '#shared/domain/task';
import type { Storage } from '#shared/ports/storage';
import { WANTED_FILE } from '#shared/tasks/edits/wanted-edits';
import { createStorage } from '../adapters/storage';
import { isKeyName } from '../adapters/storage-key';
import { openTaskStore } from '../adapters/task-store';
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

const DATABASE = 'veil.sqlite';
const LOG = `${DATABASE}-wal`;
const INDEX = `${DATABASE}-shm`;
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
    for (const name of [DATABASE, LOG]) {
      if (await isThere(join(outputFolder, name))) await copyFile(join(outputFolder, name), join(copy, name));
    }
    const store = await openTaskStore(copy);
    const tasks = await store.list();
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
 * Keeps servers out of the folder, by a lock for reading on the records.
 *
 * SQLite may add an index to the log of a server that was killed, which is removed at the end. On a read-only disk
 * there may be no lock, and no server either.
 *
 * @returns a function that ends the lock
 * @throws StartProblem if a server uses the folder
 */
const lockRecords = async (outputFolder: string): Promise<() => Promise<void>> => {
  const hadIndex = await isThere(join(outputFolder, INDEX));
  const database = new Libsql(`${pathToFileURL(join(outputFolder, DATABASE)).href}?mode=ro`);
  const unlock = async (): Promise<void> => {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.close();
    if (!hadIndex) await rm(join(outputFolder, INDEX), { force: true });
  };
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    if (hasCode(error, 'SQLITE_BUSY')) {
      database.close();
      throw new StartProblem(`The folder ${outputFolder} is in use by another Veil: stop that one first.`, {
        cause: error,
      });
    }
  }
  return unlock;
};

/**
 * Opens the data folder of a stopped server without a role.
 *
 * @param folder contains the folders `input` and `output`
 * @throws StartProblem if it is not such a folder, or is in use
 */
export const openImportSource = async (folder: string): Promise<ImportSource> => {
  const folders = { input: resolve(folder, 'input'), output: resolve(folder, 'output') };
  if (!(await isThere(join(folders.output, DATABASE)))) {
    throw new StartProblem(
      `${folder} has no file output/${DATABASE}: name the data folder of a server, with its folders input and output.`,
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
