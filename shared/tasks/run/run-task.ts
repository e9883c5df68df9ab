import { DEFAULT_ENCODINGS, formatOf } from '../files/image-formats';
import { processVideo } from './process-video';
import { savedMasks, type ServiceSettings } from '../base/settings';
import { CANDIDATE_FLOOR } from '../../domain/options';
import { StorageUnavailable } from '../base/storage-unavailable';
import type { Failure, Task } from '../../domain/task';
import { removeFilesAfter, sourceKey, writeResult } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { TaskStopped } from './task-stopped';
import { timeoutSentence } from './task-timeout';

/** How a task ended: what a synchronous upload answers. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'timed-out'; readonly sentence: string }
  /** The disk takes no result. */
  | { readonly kind: 'unstorable'; readonly sentence: string }
  | { readonly kind: 'fault' }
  | { readonly kind: 'deleted' }
  /** The host stops; its next start resumes the task. */
  | { readonly kind: 'put-off' };

/** Public sentence of an internal error. The cause is in the log. */
const FAULT_SENTENCE = 'Something went wrong inside the service while it processed the file.';

/** The outcome of a task according to its record. */
export const outcomeOf = ({ status, error, failure = 'unreadable' }: Task): Outcome => {
  switch (status) {
    case 'done':
    case 'deleted':
      return { kind: status };
    case 'failed':
      // In records of earlier versions, only the sentence marks a fault.
      return failure === 'fault' || error === null || error === FAULT_SENTENCE
        ? { kind: 'fault' }
        : { kind: failure, sentence: error };
    case 'queued':
    case 'processing':
      return { kind: 'put-off' };
  }
};

/**
 * The sentence of an `UnreadableFile`, recognised by name: engines run in workers, and an error that crosses a worker
 * border keeps its name and message but not its class.
 */
const unreadableSentence = (error: unknown): string | undefined =>
  error instanceof Error && error.name === 'UnreadableFile' ? error.message : undefined;

const processImage = async (
  task: Task,
  { engine, storage, system }: TaskPorts,
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
      masks: settings.maskFiles === 'written' ? savedMasks(settings) : [],
      candidateFloor: CANDIDATE_FLOOR,
      keepMetadata: task.options.keepsMetadata ?? settings.keepMetadata ?? false,
    },
    (progress) => void records.apply(task.id, { type: 'progressed', progress }),
    signal,
  );
  signal.throwIfAborted();
  await writeResult({ storage, system }, task.id, result, savedMasks(settings));
  signal.throwIfAborted();
};

const PROCESS = { image: processImage, video: processVideo } as const satisfies Record<
  Task['kind'],
  typeof processImage
>;

/** What a task that was stopped leaves is removed by whoever deleted it, or is wanted at the next start. */
const endStopped = async (
  task: Task,
  { reason }: AbortSignal,
  ports: TaskPorts,
  settings: ServiceSettings,
  records: TaskRecords,
): Promise<Outcome> => {
  const cause = reason instanceof TaskStopped ? reason.cause : 'deletion';
  if (cause === 'deletion') return { kind: 'deleted' };
  if (cause === 'timeout') {
    const sentence = timeoutSentence(settings.taskTimeoutMs ?? 0);
    await failTask(task, { failure: 'timed-out', sentence }, ports, records);
    return { kind: 'timed-out', sentence };
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
 *
 * @param cause its sentence is public
 */
export const failTask = async (
  { id }: Task,
  { failure, sentence }: { readonly failure: Failure; readonly sentence: string },
  ports: TaskPorts,
  records: TaskRecords,
): Promise<void> => {
  const event = { type: 'failed', atMs: ports.system.nowMs(), error: sentence, failure } as const;
  await removeFilesAfter(() => records.apply(id, event), id, ports).catch((error) =>
    ports.log.error('The failure of a task could not be saved, or its files could not be removed.', error),
  );
};

const endFailed = async (
  task: Task,
  error: unknown,
  ports: TaskPorts,
  records: TaskRecords,
): Promise<Outcome> => {
  const unreadable = unreadableSentence(error);
  if (unreadable !== undefined) {
    await failTask(task, { failure: 'unreadable', sentence: unreadable }, ports, records);
    return { kind: 'unreadable', sentence: unreadable };
  }
  ports.log.error('A task failed.', error);
  const unstorable = error instanceof StorageUnavailable ? error.publicSentence : undefined;
  const failure = unstorable === undefined ? 'fault' : 'unstorable';
  await failTask(task, { failure, sentence: unstorable ?? FAULT_SENTENCE }, ports, records);
  return unstorable === undefined ? { kind: 'fault' } : { kind: 'unstorable', sentence: unstorable };
};

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
    await PROCESS[task.kind](task, ports, settings, records, signal);
    await records.apply(task.id, { type: 'finished', atMs: system.nowMs() });
    return { kind: 'done' };
  } catch (error) {
    return signal.aborted
      ? endStopped(task, signal, ports, settings, records)
      : endFailed(task, error, ports, records);
  }
};
