import type { Idempotency, Task } from '#shared/domain/task';
import { newTask, type Submission } from '#shared/tasks/accept/accept-upload';
import type { Admit, ServiceLoad } from '#shared/tasks/accept/intake';
import type { ServiceSettings } from '#shared/tasks/base/settings';
import { removeFilesAfter, sourceKey } from '#shared/tasks/files/task-files';
import type { ClusterPorts } from './cluster-ports';
import { enqueue } from './enqueue';
import { StoreUnavailable } from './shared-task-store';

/** Number of unfinished tasks at which an upload is refused; undefined: never. */
const maxUnfinishedOf = (
  { isAwaited }: Submission,
  { syncWhenBusy, maxQueue }: ServiceSettings,
): number | undefined => (isAwaited && syncWhenBusy === 'refuse' ? 1 : maxQueue);

/** How much all processes have to do. */
export const sharedLoad = async (
  { store }: Pick<ClusterPorts, 'store'>,
  { maxQueue, syncWhenBusy }: ServiceSettings,
): Promise<ServiceLoad> => {
  if (maxQueue === undefined && syncWhenBusy === 'queue') return { isBusy: false, isFull: false };
  const unfinished = await store.countUnfinished();
  return { isBusy: unfinished > 0, isFull: maxQueue !== undefined && unfinished >= maxQueue };
};

/**
 * Removes the file of an upload that was not accepted.
 *
 * If the database did not answer, the record may have been stored all the same: the mark of the files stays, and the
 * coordinator decides by the record.
 */
const discard = async (id: string, error: unknown, { store, files, log }: ClusterPorts): Promise<void> => {
  if (error instanceof StoreUnavailable) return;
  await removeFilesAfter(() => store.remove(id), id, { storage: files, taskStore: store }).catch((cause) =>
    log.error('The file of a refused upload was not removed; it is removed later.', cause),
  );
};

/**
 * Stores an upload as a task that workers process.
 *
 * @param admit throws if the load has grown meanwhile
 * @returns once file and record are durable
 */
export const acceptShared = async (
  submission: Submission,
  idempotency: Idempotency | undefined,
  admit: Admit,
  ports: ClusterPorts,
  settings: ServiceSettings,
): Promise<Task> => {
  const { store, system } = ports;
  const { saveMask, keepMetadata = false, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel } = settings;
  const workSettings = { saveMask, keepMetadata, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel };
  const task = newTask(submission, idempotency, system);
  try {
    await store.setFilesInDoubt(task.id, true);
    await submission.file.moveTo(sourceKey(task.id, submission.format));
    const job = await store.accept(
      { task, settings: workSettings, isUrgent: submission.isAwaited },
      { maxUnfinished: maxUnfinishedOf(submission, settings) },
    );
    if (job === 'full') {
      admit({ isBusy: true, isFull: true });
      throw new Error('An upload was not admitted by the store, but by the API.');
    }
    enqueue([job], ports);
  } catch (error) {
    await submission.file.discard();
    await discard(task.id, error, ports);
    throw error;
  }
  return task;
};
