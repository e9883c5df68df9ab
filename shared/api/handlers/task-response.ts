import { moment } from '../../tasks/base/moment';
import type { Task, VideoTask } from '../../domain/task';
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

const videoResponse = ({
  framesDone,
  framesTotal,
  converted,
  leftOut,
  mutesAudio = false,
}: VideoTask): Partial<TaskResponse> => ({
  frames_done: framesDone,
  frames_total: framesTotal,
  conversion_progress: converted ?? null,
  frames_lost: leftOut?.lostFrames ?? null,
  frames_lost_uncertain: leftOut ? leftOut.isLossUncertain === true : null,
  audio_tracks_reencoded: leftOut?.reencodedAudioTracks ?? null,
  audio_tracks_dropped: leftOut?.droppedAudioTracks ?? null,
  padding: leftOut ? [...(leftOut.padding ?? [0, 0])] : null,
  ...(mutesAudio && { audio: 'mute' }),
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
  ...(task.edit && { edit: task.edit }),
});
