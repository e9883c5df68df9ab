import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '#shared/domain/task';
import { allTasks } from '#shared/tasks/base/task-records';
import { StartProblem } from '../cli/start-problem';
import { openTaskStore, RECORDS_FILE } from './task-store';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';

const INDEX = `${RECORDS_FILE}-shm`;

/**
 * Keeps servers out of a folder, by a lock for reading on its records.
 *
 * SQLite may add an index to the log of a server that was killed, which is removed at the end. On a read-only disk
 * there may be no lock, and no server either.
 *
 * @returns a function that ends the lock
 * @throws StartProblem if a server uses the folder
 */
export const lockRecords = async (outputFolder: string): Promise<() => Promise<void>> => {
  const hadIndex = await fileExists(join(outputFolder, INDEX));
  const database = new Libsql(`${pathToFileURL(join(outputFolder, RECORDS_FILE)).href}?mode=ro`);
  const unlock = async (): Promise<void> => {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.close();
    if (!hadIndex) await rm(join(outputFolder, INDEX), { force: true });
  };
  try {
    database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
  } catch (cause) {
    if (cause instanceof Libsql.SqliteError && cause.code === 'SQLITE_BUSY') {
      database.close();
      throw new StartProblem(`The folder ${outputFolder} is in use by another Veil: stop that one first.`, {
        cause,
      });
    }
  }
  return unlock;
};

/** The records of a server without a role. */
export interface ServerRecords {
  /** Oldest first. */
  readonly tasks: readonly Task[];
  /** Ids of tasks whose files were being stored or removed. */
  readonly inDoubt: readonly string[];
}

const LOG = `${RECORDS_FILE}-wal`;

export const fileExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Reads the records of a stopped server, without changing them: opening them would, so a copy is opened.
 *
 * Must be called before `lockRecords`, because closing a file ends all locks that the process has on it (POSIX).
 *
 * @returns undefined if there are none
 * @throws StartProblem
 */
export const readRecords = async (outputFolder: string): Promise<ServerRecords | undefined> => {
  if (!(await fileExists(join(outputFolder, RECORDS_FILE)))) return undefined;
  const copy = await mkdtemp(join(tmpdir(), 'veil-records-')); // readable for this user only
  try {
    for (const name of [RECORDS_FILE, LOG]) {
      if (await fileExists(join(outputFolder, name))) {
        await copyFile(join(outputFolder, name), join(copy, name));
      }
    }
    const store = await openTaskStore(copy);
    const [tasks, inDoubt] = [await allTasks(store), await store.listFilesInDoubt()];
    await store.close();
    return { tasks: tasks.toReversed(), inDoubt };
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    throw new StartProblem(error.message.replaceAll(copy, outputFolder), { cause: error });
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
};
