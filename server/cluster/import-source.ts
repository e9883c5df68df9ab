import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Task } from '#shared/domain/task';
import type { Storage } from '#shared/ports/storage';
import { WANTED_FILE } from '#shared/tasks/edits/wanted-edits';
import { createStorage } from '../adapters/storage';
import { isKeyName } from '../adapters/storage-key';
import { lockRecords, readRecords } from '../adapters/read-records';
import { RECORDS_FILE } from '../adapters/task-store';
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

/** Next to it there may be a copy that was converted for processing. */
const UPLOAD = /^source\.\w+$/;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  return entries.filter((entry) => entry.isFile() && isKeyName(entry.name)).map(({ name }) => name);
};

/**
 * Opens the data folder of a stopped server without a role.
 *
 * @param folder contains the folders `input` and `output`
 * @throws StartProblem if it is not such a folder, or is in use
 */
export const openImportSource = async (folder: string): Promise<ImportSource> => {
  const folders = { input: resolve(folder, 'input'), output: resolve(folder, 'output') };
  // First: see there.
  const records = await readRecords(folders.output);
  if (!records) {
    throw new StartProblem(
      `${folder} has no file output/${RECORDS_FILE}: name the data folder of a server, with its folders input and output.`,
    );
  }
  const unlock = await lockRecords(folders.output);
  return {
    tasks: records.tasks,
    storage: createStorage(folders),
    uploadNames: async (id) => (await filesIn(join(folders.input, id))).filter((name) => UPLOAD.test(name)),
    resultNames: async (id) =>
      (await filesIn(join(folders.output, id))).filter((name) => name !== WANTED_FILE),
    close: unlock,
  };
};
