import type { Task, TaskEvent } from '../../domain/task';
import type { JobStore, Job, Work } from '../base/job-store';
import type { ServiceSettings, TaskPorts } from '../base/settings';
import { allTasks } from '../base/task-records';
import { createWeightedQueue, createImageQueue, memoryOf } from '../base/weighted-queue';
import { removeFilesAfter, removeResult } from '../files/task-files';
import { outcomeOf, type Outcome } from '../run/outcome';
import type { LocalJobs } from './local-jobs';
import { isProgress, runClaim, type ClaimHost } from './run-claim';

/** Those who work on tasks: this process, or workers of a cluster. */
export interface WorkPool {
  /** Lets them know of work. It is on record: if they do not learn of it, it is done later. */
  add(task: Task, work: Work, job?: Job): void;
  /** How a task ends: once this process writes nothing more for it. Absent where others work. Never rejects. */
  outcome?(id: string): Promise<Outcome>;
  /** Resolves when this process does not work on the task at the moment. Absent where others work. */
  whenIdle?(id: string): Promise<void>;
  /**
   * Begins no work any more; what runs may end within a grace time. What is not done is on record.
   *
   * @param graceMs needs a timer
   * @param clients resolves when nobody waits for the work of others
   * @returns when nothing is written any more
   */
  stop(graceMs: number | undefined, clients: Promise<unknown>): Promise<void>;
}

const isHeld = ({ status }: Task): boolean => status === 'done' || status === 'failed';

/** The container's single slot: an image that begins to be processed deletes the images before it. */
const clearSlot = async (jobs: JobStore, { storage, log }: TaskPorts): Promise<void> => {
  try {
    for (const { id } of (await allTasks(jobs)).filter(isHeld)) {
      const change = async (): Promise<void> => void (await jobs.apply(id, { type: 'files-deleted' }));
      await removeFilesAfter(change, id, { storage, taskStore: jobs });
    }
  } catch (error) {
    log.error('The files of the previous task were not removed.', error);
  }
};

/** Work in place: there is one attempt at a time, and its files are those of the task. */
const createHost = (jobs: LocalJobs, { storage, log, ...ports }: TaskPorts): ClaimHost => ({
  ...ports,
  log,
  keep: (claim) => {
    const abort = jobs.abortOf(claim);
    /** What the result is like; on record with the end of the work. */
    const facts: TaskEvent[] = [];
    return {
      signal: abort.signal,
      begin: () => jobs.begin(claim),
      report: (event) => {
        if (isProgress(event)) jobs.report(claim, event);
        else facts.push(event);
      },
      complete: (events) => jobs.complete(claim, [...facts.splice(0), ...events]),
      end: async () => undefined,
      stop: (reason) => abort.abort(reason),
    };
  },
  workplaceOf: ({ task: { id } }) => ({
    use: (run) => run(storage),
    clean: () => removeResult(storage, id),
    finish: async () => undefined,
    tidy: async () => undefined,
    removeAll: async (end) => {
      const change = async (): Promise<void> => void (await end());
      await removeFilesAfter(change, id, { storage, taskStore: jobs }).catch((error) =>
        log.error('The failure of a task could not be saved, or its files could not be removed.', error),
      );
      return true;
    },
    abandon: async () => 'lost',
  }),
  // No other worker has another disk.
  isPassing: () => false,
  add: () => undefined,
});

/**
 * The worker of a host of one process.
 *
 * Edits are applied one result at a time: they must not multiply memory.
 *
 * @param onEnded called for each task of which a job has ended
 */
export const createLocalWork = (
  jobs: LocalJobs,
  ports: TaskPorts,
  settings: ServiceSettings,
  onEnded: (id: string) => void,
): WorkPool => {
  const isSingleSlot = settings.hold === 'latest';
  const files = createImageQueue(settings, isSingleSlot ? 1 : settings.concurrency);
  const edits = createWeightedQueue({ capacity: Infinity, slots: 1 });
  const host = createHost(jobs, ports);
  const stopped = new AbortController();
  const putBack = new AbortController();
  /** The last job of each task, until it has ended. */
  const last = new Map<string, Promise<void>>();

  const work = async (id: string, isProcess: boolean): Promise<void> => {
    if (stopped.signal.aborted || (isProcess && !jobs.isUnfinished(id))) return;
    if (isProcess && isSingleSlot) await clearSlot(jobs, ports);
    const claim = await jobs.claim(id, 'this process');
    if (!claim) return;
    try {
      await runClaim(claim, host, isProcess ? putBack.signal : stopped.signal);
    } finally {
      await jobs.release(claim);
    }
  };
  return {
    add: (task, kind) => {
      const { id } = task;
      const isProcess = kind === 'process';
      const memory = (): number =>
        isProcess && !stopped.signal.aborted && jobs.isUnfinished(id) ? memoryOf(task, settings.limits) : 0;
      const job = Promise.resolve()
        .then(() => (isProcess ? files : edits).run(() => work(id, isProcess), memory))
        .catch((error: unknown) =>
          ports.log.error('The end of work could not be saved; the next start repeats the work.', error),
        )
        .finally(() => {
          if (last.get(id) === job) last.delete(id);
          onEnded(id);
        });
      last.set(id, job);
    },
    outcome: async (id) => {
      await last.get(id);
      const task = await jobs.get(id);
      return task ? (outcomeOf(task) ?? { kind: 'put-off' }) : { kind: 'deleted' };
    },
    whenIdle: (id) => jobs.whenIdle(id),
    stop: async (graceMs = 0) => {
      stopped.abort();
      let endGrace = (): void => undefined;
      if (ports.timer && graceMs > 0) endGrace = ports.timer.after(graceMs, () => putBack.abort());
      else putBack.abort();
      await Promise.all(last.values());
      endGrace();
    },
  };
};
