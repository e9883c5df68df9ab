import type { ImageOptions } from '../../domain/options';
import type { ReceivedFile } from '../../ports/storage';
import type { System } from '../../ports/system';
import type { Idempotency, Task, VideoTask } from '../../domain/task';
import { removeFilesAfter, sourceKey } from '../files/task-files';
import type { TaskPorts } from '../base/task-ports';
import type { TaskRecords } from '../base/task-records';
import { FORMATS, isVideoFormat, type Format } from '../../catalogue/formats';
import { newWebhook, type WebhookTarget } from '../../domain/webhook';

/** A checked upload. */
export interface Submission {
  readonly file: ReceivedFile;
  /** Without folders or control characters. */
  readonly filename: string;
  readonly format: Format;
  /** Width times height of an image; absent where it was not read. */
  readonly pixels?: number | undefined;
  readonly options: ImageOptions;
  /** What only videos heed. */
  readonly video: Pick<VideoTask, 'tracking' | 'detectEvery' | 'keepBitRate' | 'mutesAudio'>;
  /** Receives a notification when the task has ended; null: none. */
  readonly webhook: WebhookTarget | null;
  /** The client waits for the result. */
  readonly isAwaited: boolean;
  /** Key by which the client marks repeated requests. */
  readonly idempotencyKey?: string | undefined;
}

/** The record of an upload. */
export const newTask = (
  { file, filename, format, pixels, options, video, webhook }: Submission,
  idempotency: Idempotency | undefined,
  system: System,
): Task => ({
  id: system.newId(),
  status: 'queued',
  progress: 0,
  ...(isVideoFormat(format)
    ? { kind: 'video', video: { ...video, framesDone: 0, framesTotal: null } }
    : { kind: 'image' }),
  contentType: FORMATS[format].mediaType,
  filename,
  options,
  ...(pixels !== undefined && { pixels }),
  attempts: 0,
  createdAtMs: system.nowMs(),
  startedAtMs: null,
  finishedAtMs: null,
  failure: null,
  webhook: webhook && newWebhook(webhook),
  ...(idempotency && { idempotency }),
  ...(file.sha256 !== undefined && { source: { sha256: file.sha256, sizeBytes: file.sizeBytes } }),
});

/** The file first: on a full disk, the record can be removed with the room that this makes. */
const discard = async (
  { file }: Submission,
  id: string,
  ports: TaskPorts,
  records: TaskRecords,
): Promise<void> => {
  await file.discard();
  await removeFilesAfter(() => records.remove(id), id, ports);
};

/**
 * Files an upload under a new task.
 *
 * @param idempotency undefined where the request had no key
 * @returns the task, queued, once its file and its record are safe
 */
export const acceptUpload = async (
  submission: Submission,
  idempotency: Idempotency | undefined,
  ports: TaskPorts,
  records: TaskRecords,
): Promise<Task> => {
  const { taskStore, system, log } = ports;
  const task = newTask(submission, idempotency, system);
  try {
    await taskStore.setFilesInDoubt(task.id, true);
    await submission.file.moveTo(sourceKey(task.id, submission.format));
    await Promise.all([records.add(task), taskStore.setFilesInDoubt(task.id, false)]);
    return task;
  } catch (error) {
    await discard(submission, task.id, ports, records).catch((cause) =>
      log.error('The file of a refused upload was not removed; the next start removes it.', cause),
    );
    throw error;
  }
};
