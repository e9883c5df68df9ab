import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Libsql from 'libsql';
import { StartProblem } from '../cli/start-problem';
import { RECORDS_FILE } from './task-store';

const INDEX = `${RECORDS_FILE}-shm`;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

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
  const hadIndex = await isThere(join(outputFolder, INDEX));
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
