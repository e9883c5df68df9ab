import { inPages, TASKS_PER_PAGE } from '../../tasks/base/task-records';
import type { HdrTransfer } from '../../domain/hdr';
import { hdrOf } from '../../domain/image-header';
import type { Task, VideoLosses, VideoTask } from '../../domain/task';
import type { Projection } from '../../domain/projection';
import { isoTime } from '../../tasks/base/iso-time';
import { ApiError } from '../contract/errors';
import { findTask } from './find-task';
import { badParameter } from '../http/query';
import type { HandlerAnswer, LongArray } from '../http/http';
import { API_VERSION, ROUTES, pathOf } from '../contract/routes';
import {
  MAX_PAGE_TASKS,
  type StatusResponse,
  type NotificationResponse,
  type ResultResponse,
  type TaskResponse,
} from '../contract/schemas-tasks';
import type { ApiService, Handler } from './service';
import { outcomeMessage, type NotificationState, type Webhook } from '../../domain/webhook';
import type { UploadResponse, VideoUploadResponse } from '../contract/schemas-upload';

export const isoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export const success = (message: string): ResultResponse => ({ result: 'success', message });

const notificationResponse = (state: NotificationState): NotificationResponse => ({
  status: state.status,
  attempts: state.attempts,
  last_attempt_at: isoTimeOrNull(state.lastAttemptAtMs),
  last_outcome: state.lastOutcome && outcomeMessage(state.lastOutcome),
  next_attempt_at: isoTimeOrNull(state.nextAttemptAtMs),
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
}: VideoLosses): Partial<TaskResponse> => ({
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
  preview,
}: VideoTask): Partial<TaskResponse> => ({
  frames_done: framesDone,
  frames_total: framesTotal,
  conversion_progress: converted ?? null,
  ...(leftOut ? changesResponse(leftOut) : NO_CHANGES_YET),
  ...(audio === 'mute' && { audio }),
  ...(preview !== undefined && { preview }),
});

/** Transfer of a source that was mapped from high dynamic range to standard range; of a video once that is known. */
export const toneMappedOf = ({ header, video }: Task): HdrTransfer | undefined =>
  video?.leftOut?.toneMapped ?? (header && hdrOf(header)?.transfer);

/** What the source says of its projection; of a video once that is known. */
export const projectionOf = ({ header, video }: Task): Projection | undefined =>
  video?.leftOut?.projection ?? header?.projection;

/** Whether a result is released, where that is asked for. */
const releaseResponse = ({ release }: Task): Partial<TaskResponse> => ({
  released_at: release ? isoTime(release.atMs) : null,
  ...(release?.reviewer !== undefined && { released_by: release.reviewer }),
});

/** A task's record in the contract's words. */
const taskResponse = (task: Task, { settings }: Pick<ApiService, 'settings'>): TaskResponse => {
  const toneMapped = toneMappedOf(task);
  const projection = projectionOf(task);
  return {
    ...success(`The task's status is ${task.status}.`),
    id: task.id,
    status: task.status,
    progress: task.progress,
    content_type: task.contentType,
    filename: task.filename,
    created_at: isoTime(task.createdAtMs),
    started_at: isoTimeOrNull(task.startedAtMs),
    finished_at: isoTimeOrNull(task.finishedAtMs),
    error: task.failure?.sentence ?? null,
    ...(task.video && videoResponse(task.video)),
    ...(toneMapped && { tone_mapped: toneMapped }),
    ...(projection && { projection }),
    webhook: task.webhook && webhookResponse(task.webhook),
    ...(task.ignoredParameters && { ignored_parameters: [...task.ignoredParameters] }),
    ...(task.edit && { edit: task.edit }),
    ...(settings.releaseGate && releaseResponse(task)),
  };
};

/**
 * The answer to an upload, with the links to its results.
 *
 * @param baseUrl base of the links, without a trailing slash
 */
export const uploadResponse = (
  { id, kind, contentType }: Task,
  baseUrl: string,
): UploadResponse | VideoUploadResponse =>
  kind === 'video'
    ? {
        content_type: contentType,
        id,
        anonymized_video: baseUrl + pathOf('getAnonymisedVideo', id),
        metadata_url: baseUrl + pathOf('getVideoMetadata', id),
      }
    : {
        content_type: contentType,
        id,
        metadata_url: baseUrl + pathOf('getMetadata', id),
        binary_mask_url: baseUrl + pathOf('getBinaryMask', id),
        instance_mask_url: baseUrl + pathOf('getInstanceMask', id),
        anonymised_url: baseUrl + pathOf('getAnonymised', id),
      };

/** `GET /v1/status` */
export const getStatus: Handler<'getStatus'> = async ({ service }) => {
  const value: StatusResponse = {
    ts: isoTime(service.system.nowMs()),
    api_version: API_VERSION,
    status: 'RUNNING',
  };
  return { value };
};

/** `GET /v1/openapi.json`. Loaded where it is asked for: the first load of a page must stay small. */
export const getOpenApi: Handler<'getOpenApi'> = async () => ({
  value: (await import('../contract/openapi.json')).default,
});

/** All tasks, read while they are sent. Their number of bytes is known only where they are one page. */
const listAll = async (service: ApiService): Promise<HandlerAnswer> => {
  const { tasks, nextTurn } = service;
  const write = (task: Task): TaskResponse => taskResponse(task, service);
  const first = await tasks.page(TASKS_PER_PAGE, undefined);
  if (first?.next === undefined) return { value: (first?.tasks ?? []).map(write) };
  const groups = () => inPages(tasks.page, first);
  return { list: { groups, write, nextTurn } satisfies LongArray<Task> };
};

/** `GET /v1/task/list` */
export const listTasks: Handler<'listTasks'> = async ({ query, service }) => {
  const { limit, cursor } = query;
  if (limit === undefined && cursor === undefined) return listAll(service);
  const size = limit ?? MAX_PAGE_TASKS;
  const page = await service.tasks.page(size, cursor);
  if (!page) throw badParameter('cursor', 'a cursor of a `Link` header', cursor ?? '');
  const value = page.tasks.map((task) => taskResponse(task, service));
  if (page.next === undefined) return { value };
  const next = `${service.settings.baseUrl}${ROUTES.listTasks.path}?limit=${size}&cursor=${page.next}`;
  // RFC 8288
  return { value, headers: { link: `<${next}>; rel="next"` } };
};

/** `GET /v1/task/{id}` */
export const getTask: Handler<'getTask'> = async ({ id, service }) => ({
  value: taskResponse(await findTask(service, id), service),
});

async function* records(tasks: AsyncIterable<Task>, service: ApiService): AsyncGenerator<unknown> {
  for await (const task of tasks) yield taskResponse(task, service);
}

/** `GET /v1/task/{id}/events` */
export const watchTask: Handler<'watchTask'> = async ({ id, request, service }) => {
  const task = await findTask(service, id);
  return { events: records(service.tasks.watch(task.id, request.signal), service) };
};

/** `DELETE /v1/task/{id}` */
export const deleteTask: Handler<'deleteTask'> = async ({ id, query, service }) => {
  const task = await findTask(service, id);
  const wasThere = await service.tasks.delete(task.id, query['delete-scope']);
  if (!wasThere) throw new ApiError('unknown_task');
  const areFiles = query['delete-scope'] === 'only-files';
  return { value: success(areFiles ? 'The files were deleted.' : 'The task and its files were deleted.') };
};

/** `DELETE /v1/task/list` */
export const deleteAllTasks: Handler<'deleteAllTasks'> = async ({ query, service }) => {
  if (!query.confirm) throw new ApiError('not_confirmed');
  await service.tasks.deleteAll(query['delete-scope']);
  const areFiles = query['delete-scope'] === 'only-files';
  const message = areFiles
    ? 'The files of all tasks were deleted.'
    : 'All tasks and their files were deleted.';
  return { value: success(message) };
};
