import { moment } from '../../tasks/base/moment';
import type { LeftOut, Task, VideoTask } from '../../domain/task';
import { outcomeSentence, type NotificationState, type Webhook } from '../../domain/webhook';
import type { NotificationResponse, ResultResponse, TaskResponse } from '../contract/schemas-tasks';

const momentOrNull = (ms: number | null): string | null => (ms === null ? null : moment(ms));

export const success = (message: string): ResultResponse => ({ result: 'success', message });

const notificationResponse = (state: NotificationState): NotificationResponse => ({
  status: state.status,
  attempts: state.attempts,
  last_attempt_at: momentOrNull(state.lastAttemptAtMs),
  last_outcome: state.lastOutcome && outcomeSentence(state.lastOutcome),
  next_attempt_at: momentOrNull(state.nextAttemptAtMs),
});

/** Neither address nor header: both may hold secrets. */
const webhookResponse = (webhook: Webhook): TaskResponse['webhook'] => ({
  ...notificationResponse(webhook),
  ...(webhook.edits && { edits: webhook.edits.map(notificationResponse) }),
});

/** Fields about changes in the result, before there is one. */
const NO_CHANGES_YET = {
  frames_lost: null,
  frames_lost_uncertain: null,
  audio_tracks_reencoded: null,
  audio_tracks_dropped: null,
  padding: null,
} as const;

const changesResponse = ({
  lostFrames,
  isLossUncertain,
  reencodedAudioTracks,
  droppedAudioTracks,
  padding,
}: LeftOut): Partial<TaskResponse> => ({
  frames_lost: lostFrames,
  frames_lost_uncertain: isLossUncertain,
  audio_tracks_reencoded: reencodedAudioTracks,
  audio_tracks_dropped: droppedAudioTracks,
  padding: [...padding],
});

const videoResponse = ({
  framesDone,
  framesTotal,
  converted,
  leftOut,
  audio,
}: VideoTask): Partial<TaskResponse> => ({
  frames_done: framesDone,
  frames_total: framesTotal,
  conversion_progress: converted ?? null,
  ...(leftOut ? changesResponse(leftOut) : NO_CHANGES_YET),
  ...(audio === 'mute' && { audio }),
});

/** A task's record in the contract's words. */
export const taskResponse = (task: Task): TaskResponse => ({
  ...success(`The task's status is ${task.status}.`),
  id: task.id,
  status: task.status,
  progress: task.progress,
  content_type: task.contentType,
  filename: task.filename,
  created_at: moment(task.createdAtMs),
  started_at: momentOrNull(task.startedAtMs),
  finished_at: momentOrNull(task.finishedAtMs),
  error: task.failure?.sentence ?? null,
  ...(task.video && videoResponse(task.video)),
  webhook: task.webhook && webhookResponse(task.webhook),
  ...(task.ignoredParameters && { ignored_parameters: [...task.ignoredParameters] }),
  ...(task.edit && { edit: task.edit }),
});
