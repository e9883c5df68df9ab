import { resolve } from 'node:path';
import { listFiles } from '../adapters/list-files';
import { lockRecords } from '../adapters/lock-records';
import { readRecords } from '../adapters/read-records';
import { createStorage, type StorageFolders } from '../adapters/storage';
import { RECORDS_FILE } from '../adapters/task-store';
import { StartProblem } from '../cli/start-problem';
import type { AuditSource } from './audit-source';

/**
 * Opens the folders of a stopped server without a role. No server can use them until `close`.
 *
 * @throws StartProblem if they have no records, or are in use
 */
export const openServerFiles = async ({ input, output }: StorageFolders): Promise<AuditSource> => {
  const folders = { input: resolve(input), output: resolve(output) };
  const records = await readRecords(folders.output);
  if (!records) {
    throw new StartProblem(
      `${output} has no file ${RECORDS_FILE}: name the folders of a server with --input and --output.`,
    );
  }
  const unlock = await lockRecords(folders.output);
  const tasks = new Set([...records.tasks.map(({ id }) => id), ...records.inDoubt]);
  return {
    nowMs: async () => Date.now(),
    files: () => listFiles(folders),
    known: async () => ({ tasks, attempts: undefined }),
    keepOthersOut: async () => undefined, // the lock does
    remove: createStorage(folders).remove,
    close: unlock,
  };
};
