import { openAuditRecords } from '../adapters/postgres/audit-records';
import type { ClusterConfig } from '../cli/cluster-services';
import { StartProblem } from '../cli/start-problem';
import { parseFileLocation } from '../cluster/file-location';
import { openFiles } from '../cluster/open-files';
import { temporaryFolderOf } from '../cluster/services';
import type { AuditSource } from './audit-source';

/** Opens the records and files of a cluster. Its processes go on until they are kept out. @throws StartProblem */
export const openClusterFiles = async ({
  database,
  files: address,
}: Pick<ClusterConfig, 'database' | 'files'>): Promise<AuditSource> => {
  const location = parseFileLocation(address, '--files');
  const records = await openAuditRecords(database);
  const files = await openFiles(location, temporaryFolderOf()).catch(async (error: unknown) => {
    await records.close();
    throw error;
  });
  return {
    nowMs: async () => Math.min(Date.now(), await records.nowMs()),
    files: files.list,
    known: async () => ({
      tasks: new Set(await records.taskIds()),
      attempts: new Set((await records.attempts()).map(({ taskId, folder }) => `${taskId}/${folder}`)),
    }),
    keepOthersOut: async () => {
      if (await records.keepOthersOut()) return;
      throw new StartProblem(
        'Other processes use the database: stop all API processes and workers, and start the audit again. Nothing was removed.',
      );
    },
    remove: async (prefix) => {
      if (records.lost.aborted) {
        throw new StartProblem('The connection to the database was lost: start the audit again.');
      }
      await files.storage.remove(prefix);
    },
    close: async () => {
      await files.close();
      await records.close();
    },
  };
};
