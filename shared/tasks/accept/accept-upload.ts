import type { VideoOptions } from '../../catalogue/derive-parameters';
import type { ImageHeader } from '../../domain/image-header';
import type { ImageOptions } from '../../domain/options';
import type { Log, System } from '../../ports/system';
import type { ReceivedFile, Storage } from '../../ports/storage';
import type { Idempotency, Task } from '../../domain/task';
import { removeFilesAfter, sourceKey } from '../files/task-files';
import { StoreUnavailable, type Job, type JobStore } from '../base/job-store';
import type { ServiceSettings } from '../base/settings';
import { FORMATS, isVideoFormat, type ImageSourceFormat, type VideoFormat } from '../../catalogue/formats';
import { newWebhook, type WebhookTarget } from '../../domain/webhook';

/** What a file is; images are read as a whole when they are accepted. */
export type ReadMedia =
  | { readonly format: ImageSourceFormat; readonly header: ImageHeader }
  | { readonly format: VideoFormat; readonly header?: undefined };

/** A checked upload. */
export type Submission = ReadMedia & SubmittedFile;

interface SubmittedFile {
  readonly file: ReceivedFile;
  /** Without folders or control characters. */
  readonly filename: string;
  readonly options: ImageOptions;
  /** Parameters that the API does not have, as they were sent. */
  readonly ignoredParameters?: readonly string[];
  /** What only videos heed. */
  readonly video: VideoOptions;
  /** Receives a notification when the task has ended; null: none. */
  readonly webhook: WebhookTarget | null;
  /** The client waits for the result. */
  readonly isAwaited: boolean;
  /** Key by which the client marks repeated requests. */
  readonly idempotencyKey?: string | undefined;
}

/** The record of an upload. */
export const newTask = (
  { file, filename, format, header, options, ignoredParameters = [], video, webhook }: Submission,
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
  ...(header && { header }),
  ...(ignoredParameters.length > 0 && { ignoredParameters }),
  attempts: 0,
  createdAtMs: system.nowMs(),
  startedAtMs: null,
  finishedAtMs: null,
  failure: null,
  webhook: webhook && newWebhook(webhook),
  ...(idempotency && { idempotency }),
  ...(file.sha256 !== undefined && { source: { sha256: file.sha256, sizeBytes: file.sizeBytes } }),
});

/** How much a service has to do. */
export interface ServiceLoad {
  /** Something is being processed or about to be. */
  readonly isBusy: boolean;
  /** As many tasks wait or run as may. */
  readonly isFull: boolean;
}

/** Throws where an upload is refused under the present load. */
export type Admit = (load: ServiceLoad) => void;

/** How much all processes have to do. */
export const loadOf = async (
  jobs: Pick<JobStore, 'countUnfinished'>,
  { maxQueue, syncWhenBusy }: ServiceSettings,
): Promise<ServiceLoad> => {
  if (maxQueue === undefined && syncWhenBusy === 'queue') return { isBusy: false, isFull: false };
  const unfinished = await jobs.countUnfinished();
  return { isBusy: unfinished > 0, isFull: maxQueue !== undefined && unfinished >= maxQueue };
};

/** Number of unfinished tasks at which an upload is refused; undefined: never. */
const maxUnfinishedOf = (
  { isAwaited }: Submission,
  { syncWhenBusy, maxQueue }: ServiceSettings,
): number | undefined => (isAwaited && syncWhenBusy === 'refuse' ? 1 : maxQueue);

/** What accepting an upload takes. */
export interface AcceptPorts {
  readonly jobs: JobStore;
  /** All files of all tasks. */
  readonly storage: Storage;
  readonly system: System;
  readonly log: Log;
}

/**
 * Removes the file of an upload that was not accepted: first the file, because on a full disk the record can be removed
 * with the room that this makes.
 *
 * If the database did not answer, the record may have been stored all the same: the mark of the files stays, and it is
 * decided later by the record.
 */
const discard = async (
  { file }: Submission,
  id: string,
  error: unknown,
  { jobs, storage, log }: AcceptPorts,
): Promise<void> => {
  await file.discard();
  if (error instanceof StoreUnavailable) return;
  await removeFilesAfter(() => jobs.remove(id), id, { storage, taskStore: jobs }).catch((cause) =>
    log.error('The file of a refused upload was not removed; it is removed later.', cause),
  );
};

/**
 * Stores an upload as a task that is to be processed.
 *
 * @param idempotency undefined where the request had no key
 * @param admit throws if the load has grown meanwhile; undefined: the upload is accepted under any load
 * @returns the task, queued, and its job, once its file and its record are safe
 */
export const acceptUpload = async (
  submission: Submission,
  idempotency: Idempotency | undefined,
  admit: Admit | undefined,
  ports: AcceptPorts,
  settings: ServiceSettings,
): Promise<{ readonly task: Task; readonly job: Job }> => {
  const { jobs, system } = ports;
  const { saveMask, keepMetadata = false, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel } = settings;
  const workSettings = { saveMask, keepMetadata, limits, taskTimeoutMs, taskTimeoutMsPerMegapixel };
  const task = newTask(submission, idempotency, system);
  try {
    await jobs.setFilesInDoubt(task.id, true);
    await submission.file.moveTo(sourceKey(task.id, submission.format));
    const job = await jobs.accept(
      { task, settings: workSettings, isUrgent: submission.isAwaited },
      { maxUnfinished: admit && maxUnfinishedOf(submission, settings) },
    );
    if (job !== 'full') return { task, job };
    admit?.({ isBusy: true, isFull: true });
    throw new Error('An upload was not admitted by the store, but by the API.');
  } catch (error) {
    await discard(submission, task.id, error, ports);
    throw error;
  }
};
