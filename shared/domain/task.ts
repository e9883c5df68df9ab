import type { ImageOptions } from './options';
import type { VideoReport } from './video-report';
import { announce, cancelUnannounced, recordAttempt, type Webhook, type WebhookAttempt } from './webhook';

export const TASK_STATUSES = ['queued', 'processing', 'done', 'failed', 'deleted'] as const;
/** `deleted`: files removed, record kept (spec/compatibility: task states). */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** What only videos have. */
export interface VideoTask {
  readonly tracking: boolean;
  /** Absent on tasks of earlier versions: 1. */
  readonly detectEvery?: number;
  readonly keepBitRate: boolean;
  readonly framesDone: number;
  /** As stated in the file; null until it has been opened. */
  readonly framesTotal: number | null;
  /** How much of it is converted, 0..1; absent where it need not be. */
  readonly converted?: number;
  /** What is missing in the result; absent until there is one. */
  readonly leftOut?: LeftOut;
}

/** What of a video could not be kept. */
export type LeftOut = Pick<VideoReport, 'lostFrames' | 'droppedAudioTracks'> &
  // Absent in records of earlier versions.
  Partial<Pick<VideoReport, 'reencodedAudioTracks'>>;

/**
 * Links a task to a request that a client may repeat. Both are digests, because a key may be a secret of the client's.
 */
export interface Idempotency {
  /** Of the key. */
  readonly key: string;
  /** Of all that the request asked for, its file included. */
  readonly request: string;
}

/** One upload and its state. Plain data, so that any store can keep it. */
export interface Task {
  /** UUID; names the file as well as the task. */
  readonly id: string;
  readonly status: TaskStatus;
  /** 0..1 */
  readonly progress: number;
  readonly kind: 'image' | 'video';
  /** As detected from the file's content. */
  readonly contentType: string;
  /** As uploaded, without any folder. */
  readonly filename: string;
  readonly options: ImageOptions;
  /** Absent on images. */
  readonly video?: VideoTask;
  /** How often its processing began without an orderly end or stop. */
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** Public sentence. */
  readonly error: string | null;
  /** Absent where it has not failed, and in records of earlier versions. */
  readonly failure?: Failure;
  /** Null if the upload asked for none. */
  readonly webhook: Webhook | null;
  /** Absent while no edits wait, run or have failed. */
  readonly edit?: PendingEdit;
  /** Absent where the upload had no key, or its files are gone: they could not be had again. */
  readonly idempotency?: Idempotency;
}

export const EDIT_STATUSES = ['queued', 'processing', 'failed'] as const;

/** Edits of a done task's result that are not in force (yet). */
export interface PendingEdit {
  readonly status: (typeof EDIT_STATUSES)[number];
  /** 0..1 */
  readonly progress: number;
  /** Public sentence of failed edits. */
  readonly error: string | null;
}

/** Why a task failed: what decides how a repeated request is answered. */
export type Failure = 'unreadable' | 'timed-out' | 'unstorable' | 'fault';

export type TaskEvent =
  | { readonly type: 'started'; readonly atMs: number }
  | {
      readonly type: 'progressed';
      readonly progress: number;
      readonly frames?: { readonly done: number; readonly total: number };
      /** See `VideoTask`. */
      readonly converted?: number;
    }
  | { readonly type: 'left-out'; readonly leftOut: LeftOut }
  | { readonly type: 'finished'; readonly atMs: number }
  | { readonly type: 'failed'; readonly atMs: number; readonly error: string; readonly failure: Failure }
  | { readonly type: 'files-deleted' }
  /** The host went down while it was processed. */
  | { readonly type: 'interrupted' }
  /** The host stops in good order. */
  | { readonly type: 'put-off' }
  | { readonly type: 'webhook-attempted'; readonly attempt: WebhookAttempt }
  | EditEvent;

/** Events of edits, which only a done task has. */
export type EditEvent =
  | { readonly type: 'edit-queued' }
  | { readonly type: 'edit-started' }
  | { readonly type: 'edit-progressed'; readonly progress: number }
  | { readonly type: 'edit-applied' }
  | { readonly type: 'edit-failed'; readonly error: string };

/** Whether its files stay until somebody deletes them. */
export const keepsFiles = ({ status }: Task): boolean => status !== 'failed' && status !== 'deleted';

type Progressed = Extract<TaskEvent, { readonly type: 'progressed' }>;

const videoProgress = ({ frames, converted }: Progressed): Partial<VideoTask> => ({
  ...(frames && { framesDone: frames.done, framesTotal: frames.total }),
  ...(converted === undefined ? {} : { converted }),
});

const withoutConversion = ({ converted: _startedAgain, ...video }: VideoTask): VideoTask => video;

const queuedAgain = (task: Task): Task => ({
  ...task,
  ...(task.video && { video: { ...withoutConversion(task.video), framesDone: 0, framesTotal: null } }),
  status: 'queued',
  startedAtMs: null,
  progress: 0,
});

/** Events of a task before it has ended. */
type RunEvent = Exclude<TaskEvent, EditEvent | { readonly type: 'files-deleted' | 'webhook-attempted' }>;

const withFilesDeleted = ({ idempotency: _freed, edit: _gone, ...task }: Task): Task => ({
  ...task,
  status: 'deleted',
  webhook: cancelUnannounced(task.webhook),
});

const reduceRun = (task: Task, event: RunEvent): Task => {
  switch (event.type) {
    case 'started':
      return { ...task, status: 'processing', startedAtMs: event.atMs, attempts: task.attempts + 1 };
    case 'interrupted':
      return queuedAgain(task);
    case 'put-off':
      return { ...queuedAgain(task), attempts: Math.max(0, task.attempts - 1) };
    case 'progressed':
      return {
        ...task,
        ...(task.video && { video: { ...task.video, ...videoProgress(event) } }),
        progress: Math.min(1, Math.max(task.progress, event.progress)),
      };
    case 'left-out':
      return task.video ? { ...task, video: { ...task.video, leftOut: event.leftOut } } : task;
    case 'finished':
      return {
        ...task,
        status: 'done',
        progress: 1,
        finishedAtMs: event.atMs,
        webhook: announce(task.webhook, { status: 'done', atMs: event.atMs }),
      };
    case 'failed':
      return {
        ...task,
        status: 'failed',
        finishedAtMs: event.atMs,
        error: event.error,
        failure: event.failure,
        webhook: announce(task.webhook, { status: 'failed', atMs: event.atMs }),
      };
  }
};

const isEditEvent = (event: TaskEvent): event is EditEvent => event.type.startsWith('edit-');

const reduceEdit = ({ edit, ...task }: Task, event: EditEvent): Task => {
  switch (event.type) {
    case 'edit-queued':
      return { ...task, edit: { status: 'queued', progress: 0, error: null } };
    case 'edit-started':
      return { ...task, edit: { status: 'processing', progress: 0, error: null } };
    case 'edit-progressed': {
      const progress = Math.min(1, Math.max(edit?.progress ?? 0, event.progress));
      return { ...task, edit: { status: 'processing', progress, error: null } };
    }
    case 'edit-applied':
      return task;
    case 'edit-failed':
      return { ...task, edit: { status: 'failed', progress: edit?.progress ?? 0, error: event.error } };
  }
};

/** The task after an event. A task that has ended stays as it is: a late progress report never revives it. */
export const reduceTask = (task: Task, event: TaskEvent): Task => {
  if (event.type === 'files-deleted') return withFilesDeleted(task);
  if (event.type === 'webhook-attempted') {
    return { ...task, webhook: recordAttempt(task.webhook, event.attempt) };
  }
  if (isEditEvent(event)) return task.status === 'done' ? reduceEdit(task, event) : task;
  const hasEnded = task.status !== 'queued' && task.status !== 'processing';
  return hasEnded ? task : reduceRun(task, event);
};
