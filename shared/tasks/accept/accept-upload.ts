import type { VideoOptions } from '../../catalogue/derive-parameters';
import type { FileFacts, ImageHeader } from '../../domain/image-header';
import type { ImageOptions } from '../../domain/options';
import type { Log, System } from '../../ports/system';
import type { ReceivedFile, Storage } from '../../ports/storage';
import type { Idempotency, Task } from '../../domain/task';
import { givenKey, removeFilesAfter, sourceKey } from '../files/task-files';
import { StoreUnavailable, workSettingsOf, type Job, type JobStore } from '../base/job-store';
import type { ServiceSettings } from '../base/settings';
import type { BagOptions } from '../../domain/bag';
import { FORMATS, type BagFormat, type ImageSourceFormat, type VideoFormat } from '../../catalogue/formats';
import { newWebhook, type WebhookTarget } from '../../domain/webhook';
import { digestText } from '../base/digest';

/** What a file is; images are read as a whole when they are accepted. */
export type ReadMedia =
  | { readonly format: ImageSourceFormat; readonly header: ImageHeader }
  | { readonly format: VideoFormat | BagFormat; readonly header?: undefined };

/** A checked upload. */
export type Submission = ReadMedia & SubmittedFile;

/** A received file of detections. */
export interface GivenFile {
  readonly file: ReceivedFile;
  readonly facts: FileFacts;
}

interface SubmittedFile {
  readonly file: ReceivedFile;
  /** What others have detected, checked; absent: it is searched. */
  readonly given?: GivenFile;
  /** Without folders or control characters. */
  readonly filename: string;
  readonly options: ImageOptions;
  /** Parameters that the API does not have, as they were sent. */
  readonly ignoredParameters?: readonly string[];
  /** What only videos heed, and a bag. */
  readonly video: VideoOptions & { readonly bag?: BagOptions };
  /** Receives a notification when the task has ended; null: none. */
  readonly webhook: WebhookTarget | null;
  /** The client waits for the result. */
  readonly isAwaited: boolean;
  /** Key by which the client marks repeated requests. */
  readonly idempotencyKey?: string | undefined;
  /** Of its task, where it was named before; absent: a new one. */
  readonly id?: string;
}

/** The record of an upload. */
export const newTask = (
  { id, file, given, filename, format, header, options, ignoredParameters = [], video, webhook }: Submission,
  idempotency: Idempotency | undefined,
  system: System,
): Task => ({
  id: id ?? system.newId(),
  status: 'queued',
  progress: 0,
  ...(FORMATS[format].kind === 'image'
    ? { kind: 'image' }
    : { kind: 'video', video: { ...video, framesDone: 0, framesTotal: null } }),
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
  ...(given && { given: given.facts }),
  ...(file.sha256 !== undefined && { source: { sha256: file.sha256, sizeBytes: file.sizeBytes } }),
});

/** How long a key stands for its task, which may be deleted before. */
export const KEY_KEPT_MS = 24 * 3_600_000;

/** The same key came with another request. */
export class KeyReused extends Error {
  override readonly name = 'KeyReused';
}

/**
 * Digests of a request's key, where it has one, and of the request.
 *
 * Defaults are filled in, so that a request which spells them out is the same; how its answer is waited for is no part
 * of it, so that a client which was cut off while it waited can come back and ask.
 */
export const idempotencyOf = async (
  { file, given, filename, format, options, video, webhook, idempotencyKey }: Submission,
  system: System,
): Promise<Idempotency | undefined> => {
  if (idempotencyKey === undefined) return undefined;
  const content = await file.digest();
  const request = JSON.stringify({ content, filename, format, options, video, webhook, given: given?.facts });
  return { key: await digestText(idempotencyKey, system), request: await digestText(request, system) };
};

/**
 * The task of an earlier request with the same key.
 *
 * @throws KeyReused if that request was another one
 */
const repeatedTask = (earlier: Task | undefined, { request }: Idempotency): Task | undefined => {
  if (earlier && earlier.idempotency?.request !== request) throw new KeyReused();
  return earlier;
};

/** Which tasks were accepted under which keys. The records say it, so that a key ends with its task. */
export interface IdempotencyKeys {
  /**
   * Accepts an upload, unless that was done under its key before. Those that come at one time take turns.
   *
   * @returns the task, of now or before
   * @param accept rejects where the upload is refused: its key is then free
   * @throws KeyReused
   */
  once(idempotency: Idempotency | undefined, accept: () => Promise<Task>): Promise<Task>;
  /** Whether a task has this key. @param key as the client sent it */
  isKnown(key: string): Promise<boolean>;
}

export const createIdempotencyKeys = (
  jobs: Pick<JobStore, 'findByKey' | 'exclusively'>,
  system: System,
): IdempotencyKeys => {
  const find = async (key: string): Promise<Task | undefined> => {
    const task = await jobs.findByKey(key);
    return task && system.nowMs() - task.createdAtMs < KEY_KEPT_MS ? task : undefined;
  };
  return {
    once: (idempotency, accept) =>
      idempotency
        ? jobs.exclusively(
            idempotency.key,
            async () => repeatedTask(await find(idempotency.key), idempotency) ?? (await accept()),
          )
        : accept(),
    isKnown: async (key) => (await find(await digestText(key, system))) !== undefined,
  };
};

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
  { file, given }: Submission,
  id: string,
  error: unknown,
  { jobs, storage, log }: AcceptPorts,
): Promise<void> => {
  await file.discard();
  await given?.file.discard();
  if (error instanceof StoreUnavailable) return;
  await removeFilesAfter(() => jobs.remove(id), id, { storage, taskStore: jobs }).catch((cause) =>
    log.error('The file of a refused upload was not removed; it is removed later.', cause),
  );
};

/**
 * Stores an upload as a task that is to be processed.
 *
 * @param request with a digest of its key, if it had one. `admit` throws if the load has grown meanwhile; undefined: the
 *   upload is accepted under any load
 * @returns the task, queued, and its job, once its file and its record are safe
 */
export const acceptUpload = async (
  submission: Submission,
  {
    idempotency,
    admit,
  }: { readonly idempotency: Idempotency | undefined; readonly admit: Admit | undefined },
  ports: AcceptPorts,
  settings: ServiceSettings,
): Promise<{ readonly task: Task; readonly job: Job }> => {
  const { jobs, system } = ports;
  const task = newTask(submission, idempotency, system);
  try {
    await jobs.setFilesInDoubt(task.id, true);
    await submission.file.moveTo(sourceKey(task.id, submission.format));
    await submission.given?.file.moveTo(givenKey(task.id));
    const job = await jobs.accept(
      { task, settings: workSettingsOf(settings), isUrgent: submission.isAwaited },
      { maxUnfinished: admit && maxUnfinishedOf(submission, settings) },
    );
    if (typeof job === 'object') return { task, job };
    if (job === 'known') throw new Error('A task with this id exists.');
    admit?.({ isBusy: true, isFull: true });
    throw new Error('An upload was not admitted by the store, but by the API.');
  } catch (error) {
    await discard(submission, task.id, error, ports);
    throw error;
  }
};
