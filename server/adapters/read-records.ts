import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '#shared/domain/task';
import { allTasks } from '#shared/tasks/base/arrivals';
import { StartProblem } from '../cli/start-problem';
import { openTaskStore, RECORDS_FILE } from './task-store';

/** The records of a server without a role. */
export interface ServerRecords {
  /** Oldest first. */
  readonly tasks: readonly Task[];
  /** Ids of tasks whose files were being stored or removed. */
  readonly inDoubt: readonly string[];
}

const LOG = `${RECORDS_FILE}-wal`;

const isThere = (path: string): Promise<boolean> =>
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
  if (!(await isThere(join(outputFolder, RECORDS_FILE)))) return undefined;
  const copy = await mkdtemp(join(tmpdir(), 'veil-records-')); // readable for this user only
  try {
    for (const name of [RECORDS_FILE, LOG]) {
      if (await isThere(join(outputFolder, name))) await copyFile(join(outputFolder, name), join(copy, name));
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
