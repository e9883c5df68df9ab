import { DEFAULT_ENCODINGS, formatOf } from './image-formats';
import { savedMasks, type ServiceSettings } from './settings';
import type { Task } from './task';
import { removeTaskFiles, sourceKey, writeResult } from './task-files';
import type { TaskPorts } from './task-ports';
import type { TaskRecords } from './task-records';

/** How a task ended: what a synchronous upload answers. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'fault' }
  | { readonly kind: 'deleted' };

/** Public: what a task says about a fault of ours. The cause is in the log. */
const FAULT_SENTENCE = 'Something went wrong inside the service while it processed the file.';

const INTERRUPTED_SENTENCE = 'The service was stopped while it processed the file.';

/**
 * The sentence of an `UnreadableFile`, told by its name: engines live in workers, and an error that crosses a worker
 * border keeps its name and message but not its class.
 */
const unreadableSentence = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'UnreadableFile' ? error.message : undefined;

const processImage = async (
  task: Task,
  { engine, storage }: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  signal: AbortSignal,
): Promise<void> => {
  const bytes = await storage.read(sourceKey(task.id, formatOf(task.contentType)));
  if (!bytes) throw new Error('The input file of a queued task is gone.');
  const result = await engine.anonymiseImage(
    {
      bytes,
      options: task.options,
      limits: settings.limits,
      encodings: DEFAULT_ENCODINGS,
      masks: savedMasks(settings),
    },
    (progress) => void records.apply(task.id, { type: 'progressed', progress }),
    signal,
  );
  signal.throwIfAborted();
  await writeResult(storage, task.id, result);
  signal.throwIfAborted();
};

/**
 * Runs one queued task to its end and records how it ended. Never rejects.
 *
 * A task that did not get done leaves no file: nothing of the API could ever read one, and an upload is kept no
 * longer than it is of use.
 *
 * @param signal aborted when the task is deleted
 */
export const runTask = async (
  task: Task,
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { storage, system, log } = ports;
  try {
    signal.throwIfAborted();
    await records.apply(task.id, { type: 'started', atMs: system.nowMs() });
    await processImage(task, ports, settings, records, signal);
    await records.apply(task.id, { type: 'finished', atMs: system.nowMs() });
    return { kind: 'done' };
  } catch (error) {
    const logged = (cause: unknown): void => log.error('A failed task could not be cleaned up.', cause);
    await removeTaskFiles(storage, task.id).catch(logged);
    if (signal.aborted) return { kind: 'deleted' };
    const sentence = unreadableSentence(error);
    if (sentence === undefined) log.error('A task failed.', error);
    const reason = sentence ?? FAULT_SENTENCE;
    await records.apply(task.id, { type: 'failed', atMs: system.nowMs(), error: reason }).catch(logged);
    return sentence === undefined ? { kind: 'fault' } : { kind: 'unreadable', sentence };
  }
};

/**
 * Ends a task that was being processed when the host went down.
 *
 * It is not run again: where its picture was what brought the host down, it would do so at every start.
 */
export const failInterrupted = async (
  { id }: Task,
  { storage, system }: TaskPorts,
  records: TaskRecords,
): Promise<void> => {
  await removeTaskFiles(storage, id);
  await records.apply(id, { type: 'failed', atMs: system.nowMs(), error: INTERRUPTED_SENTENCE });
};
