import type { Claim } from '#shared/tasks/base/job-store';
import { outputFolder, removeTaskFiles } from '#shared/tasks/files/task-files';
import { runClaim as runWork, type ClaimOutcome, type Workplace } from '#shared/tasks/jobs/run-claim';
import { enqueue, type ClaimPorts } from './cluster-ports';
import { isOfFiles } from '#shared/tasks/base/service-unavailable';
import { keepClaim } from './keep-claim';
import { carryOver, layeredStorage, removeReplacedFiles } from './layered-storage';
import { withJobFiles } from './local-sources';
import { processInSegments } from './process-in-segments';
import { removeSegments } from './segment-files';

/** A folder of its own for each attempt. */
const workplaceOf = (
  { task: { id, kind }, token, folders, work }: Claim,
  { files, store, log, temporaryFolder }: ClaimPorts,
): Workplace => {
  const layers = { taskId: id, folders, target: token };
  const own = `${outputFolder(id)}${token}/`;
  return {
    use: (run) => withJobFiles(layeredStorage(files, layers), temporaryFolder, run),
    clean: () => files.remove(own),
    finish: () => carryOver(files, layers),
    tidy: async (after = folders) => {
      if (work === 'process' && kind === 'video') {
        await removeSegments(files, id).catch((error: unknown) =>
          log.error('Files of segments were not removed; they go with the task.', error),
        );
      }
      await removeReplacedFiles(files, id, folders, after).catch((error: unknown) =>
        log.error('Files of a replaced result were not removed.', error),
      );
    },
    removeAll: async (end) => {
      if (!(await end())) return false;
      await removeTaskFiles(files, id).catch((error: unknown) =>
        log.error('Files of a failed task were not removed.', error),
      );
      return true;
    },
    abandon: async () => {
      try {
        // The database may have stored the result although its answer was lost.
        if ((await store.folders(id)).includes(token)) return 'completed';
        await files.remove(own);
      } catch (error) {
        log.error('Files of lost work were not removed; they are removed later.', error);
      }
      return 'lost';
    },
  };
};

/**
 * Works on a claim to its end. Never rejects unless the store does.
 *
 * Each claim writes into a folder of its own, and the result appears in the same transaction that ends the claim: of two
 * workers with the same task, only one can change the result.
 *
 * @param stop aborted when the worker stops: the task is put back
 */
export const runClaim = (claim: Claim, ports: ClaimPorts, stop: AbortSignal): Promise<ClaimOutcome> =>
  runWork(
    claim,
    {
      ...ports,
      subjects: ports.store.subjects,
      keep: (own) => keepClaim(own, ports),
      workplaceOf: (own) => workplaceOf(own, ports),
      ...(ports.dividesVideos && {
        processOtherwise: (work) => processInSegments({ ...work, ports: { ...ports, engine: work.engine } }),
      }),
      isPassing: isOfFiles,
      add: (job) => enqueue([job], ports),
    },
    stop,
  );
