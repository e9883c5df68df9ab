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
const nothing = async (): Promise<void> => undefined;

const putOff = (abort: AbortController): void => abort.abort(new TaskStopped('shutdown'));
/** Starts the time limit, if there is one and a timer. @returns a function that cancels it */
const putOffAfter = (
  graceMs: number,
  inWork: readonly AbortController[],
  timer: Timer | undefined,
): (() => void) => {
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

export const createRunner = (ports: TaskPorts, settings: ServiceSettings, records: TaskRecords): Runner => {
  const isSingleSlot = settings.hold === 'latest';
  const queue = pLimit(isSingleSlot ? 1 : settings.concurrency);
  const aborts = new Map<string, AbortController>();
  const running = new Set<Promise<Outcome>>();
  /** Those that their turn has come for. */
  const begun = new Set<AbortController>();
  let stopped = false;

  /** The container's single slot: what a new picture begins to be worked on deletes the picture before it. */
  const clearSlot = async (): Promise<void> => {
    for (const { id } of (await records.list()).filter(isHeld)) {
      await removeFilesAfter(() => records.apply(id, { type: 'files-deleted' }), id, ports);
    }
  };
  const begin = async (task: Task, abort: AbortController): Promise<Outcome> => {
    const { signal } = abort;
    begun.add(abort);
    if (isSingleSlot && !signal.aborted) {
      await clearSlot().catch((error) =>
        ports.log.error('The files of the previous task were not removed.', error),
      );
    }
    const endTimeout = startTimeout(abort, settings.taskTimeoutMs, ports.timer);
    const outcome = await runTask(task, ports, settings, records, signal);
    endTimeout();
    if (isDeletion(signal)) {
      await removeFilesAfter(nothing, task.id, ports).catch((error) =>
        ports.log.error('Files of a deleted task were not removed; the next start removes them.', error),
      );
    }
    return outcome;
  };
  return {
    enqueue: (task) => {
      const abort = new AbortController();
      if (stopped) abort.abort(new TaskStopped('shutdown'));
      aborts.set(task.id, abort);
      const run = queue(() => begin(task, abort)).finally(() => {
        aborts.delete(task.id);
        begun.delete(abort);
        running.delete(run);
      });
      running.add(run);
      return run;
    },
    cancel: (id) => {
      const abort = aborts.get(id);
      abort?.abort(new TaskStopped('deletion'));
      return abort !== undefined;
    },
    count: () => [...aborts].filter(([id, { signal }]) => !signal.aborted && records.isUnfinished(id)).length,
    stop: async (graceMs = 0) => {
      stopped = true;
      const inWork = [...begun];
      [...aborts.values()].filter((each) => !begun.has(each)).forEach(putOff);
      const endGrace = putOffAfter(graceMs, inWork, ports.timer);
      await Promise.all(running);
      endGrace();
    },
  };
};
