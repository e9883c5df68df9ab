import type { Timer } from '../../ports/timer';
import { runTask, type Outcome } from './run-task';
import type { ServiceSettings } from '../base/settings';
import type { Task } from '../../domain/task';
import { removeFilesAfter } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { createImageQueue, memoryOf } from './memory-gate';
import { startClock, timedEngine, type TaskClock } from './task-clock';
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

/** The same records; progress of a video says how large it is. */
const withSize = (records: TaskRecords, { takeSize }: TaskClock): TaskRecords => ({
  ...records,
  apply: (id, event) => {
    if (event.type === 'progressed') takeSize(event.megapixels);
    return records.apply(id, event);
  },
});

/** @param onEnded called for each task that no longer waits or runs */
export const createRunner = (
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  onEnded: (id: string) => void,
): Runner => {
  const isSingleSlot = settings.hold === 'latest';
  const queue = createImageQueue(settings, isSingleSlot ? 1 : settings.concurrency);
  const runs = new Map<string, Run>();
  let stopped = false;

  const begin = async (task: Task, run: Run): Promise<Outcome> => {
    const { abort } = run;
    const { signal } = abort;
    run.hasBegun = true;
    if (isSingleSlot && !signal.aborted) await clearSlot(ports, records);
    const clock = startClock(task, settings, ports.timer, (reason) => abort.abort(reason));
    const timed = { ...ports, engine: timedEngine(ports.engine, clock) };
    const outcome = await runTask(task, timed, settings, withSize(records, clock), signal);
    clock.end();
    if (isDeletion(signal)) await removeDeleted(task.id, ports);
    return outcome;
  };
  return {
    enqueue: (task) => {
      const abort = new AbortController();
      if (stopped) abort.abort(new TaskStopped('shutdown'));
      const memory = (): number => (abort.signal.aborted ? 0 : memoryOf(task, settings.limits));
      const inTurn = (): Promise<Outcome> => queue.run(() => begin(task, run), memory);
      const run: Run = {
        abort,
        hasBegun: false,
        outcome: Promise.resolve()
          .then(inTurn)
          .finally(() => {
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
