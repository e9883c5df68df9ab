import pLimit from 'p-limit';
import type { Timer } from '../../ports/timer';
import { runTask, type Outcome } from './run-task';
import type { ServiceSettings } from '../base/settings';
import type { Task } from '../../domain/task';
import { removeFilesAfter } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { TaskStopped } from './task-stopped';

/** Queues tasks and runs them. */
export interface Runner {
  /** @returns how the task ended; never rejects */
  enqueue(task: Task): Promise<Outcome>;
  /** The outcome of a task that waits or runs; undefined where it does neither, and its record is final. */
  outcome(id: string): Promise<Outcome> | undefined;
  /**
   * Stops a task that is being deleted.
   *
   * @returns whether it waits or runs: its files are then removed when it has ended, whatever it still writes
   */
  cancel(id: string): boolean;
  /**
   * How many tasks wait or run. One that was called off, or is said to have ended, no longer counts, though its last
   * step may take a moment: a client that has read it may send the next file.
   */
  count(): number;
  /**
   * Begins no task any more; those that run may end within a grace time. What is not done stays queued on its record.
   *
   * @param graceMs needs a timer
   * @returns when none runs
   */
  stop(graceMs?: number): Promise<void>;
}

const isHeld = ({ status }: Task): boolean => status === 'done' || status === 'failed';
const isDeletion = ({ reason }: AbortSignal): boolean =>
  reason instanceof TaskStopped && reason.cause === 'deletion';

/** The container's single slot: a picture that begins to be processed deletes the pictures before it. */
const clearSlot = async (ports: TaskPorts, records: TaskRecords): Promise<void> => {
  try {
    for (const { id } of (await records.list()).filter(isHeld)) {
      await removeFilesAfter(() => records.apply(id, { type: 'files-deleted' }), id, ports);
    }
  } catch (error) {
    ports.log.error('The files of the previous task were not removed.', error);
  }
};

/** Files that a task wrote after its record was deleted. */
const removeDeleted = (id: string, ports: TaskPorts): Promise<void> =>
  removeFilesAfter(async () => undefined, id, ports).catch((error) =>
    ports.log.error('Files of a deleted task were not removed; the next start removes them.', error),
  );

/** A task that waits or runs. */
interface Run {
  readonly abort: AbortController;
  readonly outcome: Promise<Outcome>;
  hasBegun: boolean;
}

const putOff = ({ abort }: Run): void => abort.abort(new TaskStopped('shutdown'));
/** Starts the time limit, if there is one and a timer. @returns a function that cancels it */
const putOffAfter = (graceMs: number, inWork: readonly Run[], timer: Timer | undefined): (() => void) => {
  if (timer && graceMs > 0) return timer.after(graceMs, () => inWork.forEach(putOff));
  inWork.forEach(putOff);
  return () => undefined;
};

/** The longest that one task may be worked on. @returns how to call it off */
const startTimeout = (
  abort: AbortController,
  taskTimeoutMs: number | undefined,
  timer: Timer | undefined,
): (() => void) => {
  if (taskTimeoutMs === undefined || !timer) return () => undefined;
  return timer.after(taskTimeoutMs, () => abort.abort(new TaskStopped('timeout')));
};

/** @param onEnded called for each task that no longer waits or runs */
export const createRunner = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  onEnded: (id: string) => void,
): Runner => {
  const isSingleSlot = settings.hold === 'latest';
  const queue = pLimit(isSingleSlot ? 1 : settings.concurrency);
  const runs = new Map<string, Run>();
  let stopped = false;

  const begin = async (task: Task, run: Run): Promise<Outcome> => {
    const { abort } = run;
    const { signal } = abort;
    run.hasBegun = true;
    if (isSingleSlot && !signal.aborted) await clearSlot(ports, records);
    const endTimeout = startTimeout(abort, settings.taskTimeoutMs, ports.timer);
    const outcome = await runTask(task, ports, settings, records, signal);
    endTimeout();
    if (isDeletion(signal)) await removeDeleted(task.id, ports);
    return outcome;
  };
  return {
    enqueue: (task) => {
      const abort = new AbortController();
      if (stopped) abort.abort(new TaskStopped('shutdown'));
      const run: Run = {
        abort,
        hasBegun: false,
        outcome: queue(() => begin(task, run)).finally(() => {
          runs.delete(task.id);
          onEnded(task.id);
        }),
      };
      runs.set(task.id, run);
      return run.outcome;
    },
    outcome: (id) => runs.get(id)?.outcome,
    cancel: (id) => {
      const run = runs.get(id);
      run?.abort.abort(new TaskStopped('deletion'));
      return run !== undefined;
    },
    count: () =>
      [...runs].filter(([id, { abort }]) => !abort.signal.aborted && records.isUnfinished(id)).length,
    stop: async (graceMs = 0) => {
      stopped = true;
      const left = [...runs.values()];
      left.filter(({ hasBegun }) => !hasBegun).forEach(putOff);
      const begun = left.filter(({ hasBegun }) => hasBegun);
      const endGrace = putOffAfter(graceMs, begun, ports.timer);
      await Promise.all(left.map(({ outcome }) => outcome));
      endGrace();
    },
  };
};
