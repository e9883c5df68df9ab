import { createImageQueue, createWeightedQueue } from '#shared/tasks/base/weighted-queue';
import { TaskStopped } from '#shared/tasks/run/task-clock';
import { pause } from '#shared/tasks/base/repeat';
import { type ClaimOutcome, runClaim as runWork, type AttemptWorkspace } from '#shared/tasks/jobs/run-claim';
import type { Job, WorkKind, Claim } from '#shared/tasks/base/job-store';
import { type ClaimPorts, enqueue, type Consumer } from './cluster-ports';
import { runSegment, removeSegments } from './run-segment';
import { outputFolder, removeTaskFiles } from '#shared/tasks/files/task-files';
import { isStorageError } from '#shared/tasks/base/service-unavailable';
import { keepClaim } from './keep-alive';
import { completeAttemptFolder, layeredStorage, removeReplacedFiles } from './layered-storage';
import { withJobFiles } from './local-sources';
import { processInSegments } from './process-in-segments';

/** A folder of its own for each attempt. */
const workplaceOf = (
  { task: { id, kind }, token, folders, work }: Claim,
  { files, store, log, temporaryFolder }: ClaimPorts,
): AttemptWorkspace => {
  const layers = { taskId: id, folders, target: token };
  const own = `${outputFolder(id)}${token}/`;
  return {
    use: (run) => withJobFiles(layeredStorage(files, layers), temporaryFolder, run),
    clean: () => files.remove(own),
    finish: () => completeAttemptFolder(files, layers),
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
      isPassing: isStorageError,
      add: (job) => enqueue([job], ports),
    },
    stop,
  );

/** Interval of probes while the file store is unavailable. */
const PROBE_MS = 2_000;

/**
 * A job that gets no slot for this long goes back to the queue. Each kind has a consumer of its own, which could
 * otherwise keep an image while all slots process videos.
 */
const MAX_SLOT_WAIT_MS = 1_000;

export interface WorkerOptions {
  /** Name of this worker in records, for operators. */
  readonly name: string;
  /** Files processed at the same time. */
  readonly slots: number;
  readonly take: readonly WorkKind[];
  /** See `ServiceSettings`. */
  readonly memoryBudgetBytes?: number | undefined;
}

export interface WorkerPorts extends Omit<ClaimPorts, 'workerName' | 'images'> {
  /** Whether the file store can be read and written. */
  filesAreAvailable(): Promise<boolean>;
  /** Called after each attempt. */
  readonly onOutcome?: (outcome: ClaimOutcome) => void;
}

export interface Worker {
  /** Whether jobs are taken when there are some. */
  isTaking(): boolean;
  /**
   * Takes no more tasks.
   *
   * @param graceMs how long running tasks may continue; after that they are put back
   */
  stop(graceMs: number): Promise<void>;
}

/** Claims what a job stands for and works on it. @returns undefined if there is nothing to do */
const workOn = async (
  { kind, taskId }: Job,
  ports: ClaimPorts,
  stop: AbortSignal,
): Promise<ClaimOutcome | undefined> => {
  const { store, workerName } = ports;
  if (kind === 'segments') {
    const claim = await store.claimSegment(taskId, workerName);
    return claim && runSegment(claim, ports, stop);
  }
  const claim = await store.claim(taskId, workerName);
  return claim && runClaim(claim, ports, stop);
};

/**
 * Takes jobs and works on their tasks.
 *
 * While the file store is unavailable it takes nothing, so that other workers get the tasks.
 */
export const startWorker = (ports: WorkerPorts, options: WorkerOptions): Worker => {
  const { name, slots, take } = options;
  const { queue, system, timer, log } = ports;
  const places = createWeightedQueue({ capacity: Infinity, slots });
  const images = createImageQueue(options);
  const stopped = new AbortController();
  const putBack = new AbortController();
  let consumers: readonly Consumer[] = [];
  let repair: Promise<void> | undefined;

  const work = async (job: Job): Promise<void> => {
    if (stopped.signal.aborted || repair) return; // another worker gets it when it is queued again
    const outcome = await workOn(job, { ...ports, workerName: name, images }, putBack.signal);
    if (outcome === undefined) return;
    ports.onOutcome?.(outcome);
    if (outcome === 'files-unavailable') repair ??= waitForFiles();
  };
  const workInSlot = async (job: Job): Promise<void> => {
    const late = new AbortController();
    const callOff = timer.after(MAX_SLOT_WAIT_MS, () => late.abort());
    const begin = (): Promise<void> => {
      callOff();
      return work(job);
    };
    await places.run(begin, 0, { signal: late.signal }).catch((error: unknown) => {
      if (!late.signal.aborted) throw error;
      // The queue ignores the id of a job that is being handled.
      return queue.add([{ ...job, id: `${job.id}-${system.newId()}` }]);
    });
  };
  const consume = (): void => {
    consumers = take.map((kind) => queue.consume(kind, slots, workInSlot));
  };
  const waitForFiles = async (): Promise<void> => {
    log.info('The file store is unavailable: no work is taken until it answers.');
    const before = consumers;
    consumers = [];
    void Promise.all(before.map((consumer) => consumer.stop())).catch((error: unknown) =>
      log.error('Consumers did not stop.', error),
    );
    while (!stopped.signal.aborted && !(await ports.filesAreAvailable())) {
      await pause(PROBE_MS, timer, stopped.signal);
    }
    repair = undefined;
    if (!stopped.signal.aborted) consume();
  };
  consume();
  return {
    isTaking: () => repair === undefined && !stopped.signal.aborted,
    stop: async (graceMs) => {
      stopped.abort(new TaskStopped('shutdown'));
      const endGrace = timer.after(graceMs, () => putBack.abort());
      await repair;
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      endGrace();
    },
  };
};
