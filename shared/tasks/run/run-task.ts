import { processMedia } from './process-media';
import type { ServiceSettings } from '../base/settings';
import { FAULT, failureOf, type Failure, type FailureKind } from '../../domain/failure';
import type { Task } from '../../domain/task';
import { removeFilesAfter, removeResult } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { repeatedWork } from './repeated-work';
import { TaskStopped } from './task-stopped';
import { timeoutSentence } from './task-timeout';

/** How a task ended: what a synchronous upload answers. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'deleted' }
  /** The host stops; its next start resumes the task. */
  | { readonly kind: 'put-off' };

/** The outcome of a task according to its record. */
export const outcomeOf = ({ status, failure }: Task): Outcome => {
  switch (status) {
    case 'done':
    case 'deleted':
      return { kind: status };
    case 'failed':
      return { kind: 'failed', failure: failure ?? FAULT };
    case 'queued':
    case 'processing':
      return { kind: 'put-off' };
  }
};

/** What a task that was stopped leaves is removed by whoever deleted it, or is wanted at the next start. */
const endStopped = async (
  task: Task,
  { reason }: AbortSignal,
  ports: TaskPorts,
  records: TaskRecords,
): Promise<Outcome> => {
  const { cause, limitMs } = reason instanceof TaskStopped ? reason : new TaskStopped('deletion');
  if (cause === 'deletion') return { kind: 'deleted' };
  if (cause === 'timeout') {
    const failure: Failure = { kind: 'timeout', sentence: timeoutSentence(limitMs) };
    return failTask(task, failure, ports, records);
  }
  await records
    .apply(task.id, { type: 'put-off' })
    .catch((error) =>
      ports.log.error(
        'An unfinished task could not be queued again; the next start treats it as interrupted.',
        error,
      ),
    );
  return { kind: 'put-off' };
};

/**
 * Ends a task without a result, and without a file: nothing of the API could ever read one, and an upload is kept no
 * longer than it is of use.
 */
export const failTask = async (
  { id }: Task,
  failure: Failure,
  ports: TaskPorts,
  records: TaskRecords,
): Promise<Outcome> => {
  const event = { type: 'failed', atMs: ports.system.nowMs(), failure } as const;
  await removeFilesAfter(() => records.apply(id, event), id, ports).catch((error) =>
    ports.log.error('The failure of a task could not be saved, or its files could not be removed.', error),
  );
  return { kind: 'failed', failure };
};

/** Failures with a cause that the operator has to know. */
const LOGGED: ReadonlySet<FailureKind> = new Set(['no-storage', 'fault']);

/**
 * Runs one queued task to its end and records how it ended. Never rejects.
 *
 * @param signal aborted with a {@link TaskStopped}
 */
export const runTask = async (
  task: Task,
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { system } = ports;
  try {
    signal.throwIfAborted();
    // Deleted between its acceptance and its queueing.
    if (!(await records.get(task.id))) return { kind: 'deleted' };
    await records.apply(task.id, { type: 'started', atMs: system.nowMs() });
    const work = repeatedWork(
      () => removeResult(ports.storage, task.id),
      () => processMedia(task, ports, settings, records, signal),
    );
    await ports.engine.retrying(work, signal);
    await records.apply(task.id, { type: 'finished', atMs: system.nowMs() });
    return { kind: 'done' };
  } catch (error) {
    if (signal.aborted) return endStopped(task, signal, ports, records);
    const failure = failureOf(error);
    if (LOGGED.has(failure.kind)) ports.log.error('A task failed.', error);
    return failTask(task, failure, ports, records);
  }
};
