import type { BagOptions } from './bag';
import type { VideoOptions } from '../catalogue/derive-parameters';
import { withEarlierRecords, type RecordedDecision } from './decision';
import type { Failure } from './failure';
import type { ImageHeader, FileFacts } from './image-header';
import type { ImageOptions } from './options';
import type { VideoReport } from './plan';
import type { Projection } from './projection';
import {
  type TaskEnding,
  type Webhook,
  type WebhookAttempt,
  announce,
  announceEdit,
  cancelUnannounced,
  recordAttempt,
} from './webhook';

export const TASK_STATUSES = ['queued', 'processing', 'done', 'failed', 'deleted'] as const;
/** `deleted`: files removed, record kept. */
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Fields of a task that only videos have. */
export interface VideoTask extends VideoOptions {
  /** The file is a bag with several topics, of which this becomes; absent: it is a video. */
  readonly bag?: BagOptions;
  readonly framesDone: number;
  /** Number of frames according to the file; null until the file has been opened. */
  readonly framesTotal: number | null;
  /** Size of all frames, as its time limit counts it; absent until the file has been opened. */
  readonly megapixels?: number;
  /** Progress of the conversion, 0..1; absent where the video is not converted. */
  readonly converted?: number;
  /** Losses in the result; absent until there is a result. */
  readonly leftOut?: VideoLosses;
}

/** Parts of a video that could not be kept unchanged. */
export interface VideoLosses extends Pick<
  VideoReport,
  'lostFrames' | 'reencodedAudioTracks' | 'droppedAudioTracks' | 'droppedAudioCodecs' | 'toneMapped' | 'bag'
> {
  readonly isLossUncertain: boolean;
  /** What the video says of its projection; absent: nothing. */
  readonly projection?: Projection;
  /** Pixels that were added at the right and at the lower edge. */
  readonly padding: readonly [right: number, bottom: number];
}

/**
 * Links a task to a request that a client may repeat. Both fields are digests, because a key may be a client's secret.
 */
export interface Idempotency {
  /** Digest of the key. */
  readonly key: string;
  /** Digest of the whole request, including its file. */
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
  /** The name of the uploaded file, without folders. */
  readonly filename: string;
  readonly options: ImageOptions;
  /** Of an image, as it was read when the file was accepted. */
  readonly header?: ImageHeader;
  /** Parameters of the upload that the API does not have, as they were sent, cut; absent if there are none. */
  readonly ignoredParameters?: readonly string[];
  /** Absent on images. */
  readonly video?: VideoTask;
  /** How often processing started and was not stopped by a regular shutdown. */
  readonly attempts: number;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly finishedAtMs: number | null;
  /** Null if the task has not failed. */
  readonly failure: Failure | null;
  /** Null if the upload did not request one. */
  readonly webhook: Webhook | null;
  /** Absent if no edits wait, run or have failed. */
  readonly edit?: PendingEdit;
  /** Absent if the upload had no key, or after its files were deleted: a repeated request is then processed again. */
  readonly idempotency?: Idempotency;
  /** How often edits were accepted; absent: never. */
  readonly editsAccepted?: number;
  /** What persons decided about single objects of its result; absent: nothing. */
  readonly decisions?: readonly RecordedDecision[];
  /** That a reviewer lets others download its result; absent: nobody has since its last change. */
  readonly release?: Release;
  /** Of the detections that came with the upload: nothing is searched; absent: it is. */
  readonly given?: FileFacts;
  /** Of the upload; absent where the host did not compute it when it received the file. */
  readonly source?: FileFacts;
}

/** A reviewer's word that a result may be downloaded, where a host asks for one (`--release-gate`). */
export interface Release {
  readonly atMs: number;
  readonly reviewer?: string;
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

/** Whether accepted edits are not applied yet. */
export const hasPendingEdits = ({ edit }: Pick<Task, 'edit'>): boolean =>
  edit !== undefined && edit.status !== 'failed';

export type TaskEvent =
  | { readonly type: 'started'; readonly atMs: number }
  | {
      readonly type: 'progressed';
      readonly progress: number;
      readonly frames?: { readonly done: number; readonly total: number };
      /** See `VideoTask`. */
      readonly megapixels?: number;
      /** See `VideoTask`. */
      readonly converted?: number;
    }
  | { readonly type: 'left-out'; readonly leftOut: VideoLosses }
  | { readonly type: 'finished'; readonly atMs: number }
  | { readonly type: 'failed'; readonly atMs: number; readonly failure: Failure }
  | { readonly type: 'files-deleted' }
  /** The host crashed during processing. */
  | { readonly type: 'interrupted' }
  /** The host shuts down regularly. */
  | { readonly type: 'put-off' }
  | { readonly type: 'webhook-attempted'; readonly attempt: WebhookAttempt }
  /** All decisions about a done task; those that were recorded before keep their times and reviewers. */
  | { readonly type: 'decided'; readonly decisions: readonly RecordedDecision[] }
  /** Ignored unless the result still is that of so many accepted edits, and no others wait. */
  | { readonly type: 'released'; readonly release: Release; readonly editsAccepted: number }
  | EditEvent;

/** Events of edits, which only a done task has. */
export type EditEvent =
  | { readonly type: 'edit-queued' }
  | { readonly type: 'edit-started' }
  /** Stored only where several processes share the records; elsewhere, progress is in memory. */
  | { readonly type: 'edit-progressed'; readonly progress: number }
  | ({ readonly type: 'edit-applied' } & EndedEdits)
  | ({ readonly type: 'edit-failed'; readonly error: string } & EndedEdits)
  /** A client stopped them before they were applied. */
  | ({ readonly type: 'edit-stopped' } & Pick<EndedEdits, 'laterWait'>);

/** End of edits. */
interface EndedEdits {
  readonly atMs: number;
  /** Later edits have been accepted: the record shows them, and not those that ended. */
  readonly laterWait: boolean;
}

/** Whether the task's files are kept until a user or the retention time deletes them. */
export const keepsFiles = ({ status }: Task): boolean => status !== 'failed' && status !== 'deleted';

type Progressed = Extract<TaskEvent, { readonly type: 'progressed' }>;

const videoProgress = ({ frames, converted, megapixels }: Progressed): Partial<VideoTask> => ({
  ...(frames && { framesDone: frames.done, framesTotal: frames.total }),
  ...(megapixels === undefined ? {} : { megapixels }),
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
type RunEvent = Exclude<
  TaskEvent,
  EditEvent | { readonly type: 'files-deleted' | 'webhook-attempted' | 'decided' | 'released' }
>;

const withFilesDeleted = ({
  idempotency: _freed,
  edit: _gone,
  decisions: _named,
  release: _ended,
  header: _read,
  ...task
}: Task): Task => ({
  ...task,
  status: 'deleted',
  webhook: cancelUnannounced(task.webhook),
});

const withoutRelease = ({ release: _revoked, ...task }: Task): Task => task;

const released = (task: Task, { release, editsAccepted }: Extract<TaskEvent, { type: 'released' }>): Task => {
  const isSame = (task.editsAccepted ?? 0) === editsAccepted;
  if (task.status !== 'done' || !isSame || hasPendingEdits(task)) return task;
  const ending = { status: 'done', atMs: release.atMs, isRelease: true } as const;
  return { ...task, release, webhook: announceEdit(task.webhook, ending) };
};

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
        failure: event.failure,
        webhook: announce(task.webhook, { status: 'failed', atMs: event.atMs }),
      };
  }
};

const isEditEvent = (event: TaskEvent): event is EditEvent => event.type.startsWith('edit-');

const withEdit = ({ edit: _before, ...task }: Task, edit?: PendingEdit): Task => ({
  ...task,
  ...(edit && { edit }),
});

const withEndedEdits = (
  task: Task,
  { atMs, laterWait }: EndedEdits,
  status: TaskEnding['status'],
  left?: PendingEdit,
): Task => ({
  ...(laterWait ? task : withEdit(task, left)),
  webhook: announceEdit(task.webhook, { status, atMs }),
});

const reduceEdit = (task: Task, event: EditEvent): Task => {
  const { progress = 0 } = task.edit ?? {};
  switch (event.type) {
    case 'edit-queued': {
      const queued = withEdit(withoutRelease(task), { status: 'queued', progress: 0, error: null });
      return { ...queued, editsAccepted: (task.editsAccepted ?? 0) + 1 };
    }
    case 'edit-started':
      return withEdit(task, { status: 'processing', progress: 0, error: null });
    case 'edit-progressed': {
      const share = Math.min(1, Math.max(progress, event.progress));
      return withEdit(task, { status: 'processing', progress: share, error: null });
    }
    case 'edit-applied':
      return withEndedEdits(task, event, 'done');
    case 'edit-failed':
      return withEndedEdits(task, event, 'failed', { status: 'failed', progress, error: event.error });
    case 'edit-stopped':
      return event.laterWait ? task : withEdit(task);
  }
};

/** The task after an event. A task that has ended never runs again: late events of its processing are ignored. */
export const reduceTask = (task: Task, event: TaskEvent): Task => {
  if (event.type === 'files-deleted') return withFilesDeleted(task);
  if (event.type === 'webhook-attempted') {
    return { ...task, webhook: recordAttempt(task.webhook, event.attempt, task.status === 'done') };
  }
  if (event.type === 'decided') {
    const decisions = withEarlierRecords(task.decisions, event.decisions);
    return task.status === 'done' ? { ...withoutRelease(task), decisions } : task;
  }
  if (event.type === 'released') return released(task, event);
  if (isEditEvent(event)) return task.status === 'done' ? reduceEdit(task, event) : task;
  const hasEnded = task.status !== 'queued' && task.status !== 'processing';
  return hasEnded ? task : reduceRun(task, event);
};
