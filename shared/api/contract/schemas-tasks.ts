import { Type, type Static, type TSchema } from 'typebox';
import { HDR_TRANSFERS } from '../../domain/hdr';
import { PROJECTIONS } from '../../domain/projection';
import { EDIT_STATUSES, TASK_STATUSES } from '../../domain/task';
import { WEBHOOK_STATUSES } from '../../domain/webhook';
import { ignoredParameters } from './schemas-upload';
import { UUID_PATTERN } from '../../catalogue/parameters';
import { LIMITS } from '../../domain/limits';

const scope = Type.Enum(['task-and-files', 'only-files'], {
  default: 'task-and-files',
  description: '`only-files` deletes the files and keeps the records, with status `deleted`.',
});

/** Query of `DELETE /v1/task/{id}`. */
export const DeleteTaskQuery = Type.Object({ 'delete-scope': scope });
export type DeleteTaskQuery = Static<typeof DeleteTaskQuery>;

/** Most tasks of one page. */
export const MAX_PAGE_TASKS = 1_000;

/** Query of `GET /v1/task/list`. */
export const TaskListQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_PAGE_TASKS,
      description:
        'Maximum number of tasks in the answer; the header `Link` contains the address of the next page. If absent, all tasks.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      title: 'a cursor of a `Link` header',
      description: 'Start of a page, from the header `Link`.',
    }),
  ),
});
export type TaskListQuery = Static<typeof TaskListQuery>;

/** Query of `DELETE /v1/task/list`. */
export const DeleteAllTasksQuery = Type.Object({
  confirm: Type.Boolean({ default: false, description: 'Must be true to confirm the action.' }),
  'delete-scope': scope,
});
export type DeleteAllTasksQuery = Static<typeof DeleteAllTasksQuery>;

/** The contract's generic answer. */
export const ResultResponse = Type.Object({ result: Type.String(), message: Type.String() });
export type ResultResponse = Static<typeof ResultResponse>;

export const orNull = <S extends TSchema>(schema: S, about: { readonly description?: string } = {}) =>
  Type.Union([schema, Type.Null()], about);

export const time = Type.String({ description: 'ISO 8601, UTC, without a zone.' });
export const timeOrNull = orNull(time);
const count = Type.Integer({ minimum: 0 });

/** Transfer of a source whose result was mapped to standard range. */
export const toneMapped = Type.Optional(
  Type.Enum([...HDR_TRANSFERS], {
    description:
      'Transfer of a source in high dynamic range, whose result was mapped to standard range; absent if it was in standard range.',
  }),
);

/** What a source says of the way in which it shows the surroundings. */
export const projection = Type.Optional(
  Type.Enum([...PROJECTIONS], {
    description:
      'What the source says of its projection: `sphere`, an equirectangular panorama all around; `part`, a part of one; `cube`, `lenses` or `stereo`; `contradictory`. Absent if it says nothing, and for videos without a result.',
  }),
);

/** State of one notification. */
const NotificationResponse = Type.Object({
  status: Type.Enum([...WEBHOOK_STATUSES], {
    description:
      '`waiting` until the task ends, `pending` until the receiver has accepted the notification, then `delivered` or `failed`; `cancelled` if the task was deleted before its end.',
  }),
  attempts: count,
  last_attempt_at: timeOrNull,
  last_outcome: orNull(Type.String()),
  next_attempt_at: timeOrNull,
});
export type NotificationResponse = Static<typeof NotificationResponse>;

const WebhookResponse = Type.Object({
  ...NotificationResponse.properties,
  edits: Type.Optional(
    Type.Array(NotificationResponse, {
      description: 'Notifications of edits that are pending, and the last one; absent if no edit has ended.',
    }),
  ),
});

export const TaskResponse = Type.Object({
  result: Type.String(),
  message: Type.String(),
  id: Type.String({ format: 'uuid' }),
  status: Type.Enum([...TASK_STATUSES]),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  content_type: Type.String(),
  filename: Type.String(),
  created_at: time,
  started_at: timeOrNull,
  finished_at: timeOrNull,
  error: orNull(Type.String()),
  frames_done: Type.Optional(Type.Integer({ minimum: 0, description: 'Videos only.' })),
  frames_total: Type.Optional(
    orNull(count, { description: 'Videos only; null until the video has been opened.' }),
  ),
  conversion_progress: Type.Optional(
    orNull(Type.Number({ minimum: 0, maximum: 1 }), {
      description:
        'Videos only: progress of the conversion to a readable format; null if no conversion is needed.',
    }),
  ),
  frames_lost: Type.Optional(
    orNull(count, {
      description:
        'Videos only: number of frames that could not be decoded and are missing from the result; null until the task is done.',
    }),
  ),
  frames_lost_uncertain: Type.Optional(
    orNull(Type.Boolean(), {
      description:
        'Videos only: whether `frames_lost` is an estimate, or more frames may be missing, because a damaged file does not state its number of frames; null until the task is done.',
    }),
  ),
  audio: Type.Optional(
    Type.Enum(['mute'], {
      description:
        'Videos that were uploaded with `audio=mute`: the result has no audio. Edits that remove the audio do not change this field.',
    }),
  ),
  preview: Type.Optional(
    Type.Number({
      description:
        'Videos that were uploaded with `preview`: the result ends after this number of seconds of the upload.',
    }),
  ),
  audio_tracks_reencoded: Type.Optional(
    orNull(count, {
      description:
        'Videos only: number of audio tracks that were encoded again because MP4 cannot store them as they are; null until the task is done.',
    }),
  ),
  audio_tracks_dropped: Type.Optional(
    orNull(count, {
      description:
        'Videos only: number of audio tracks that could be neither copied nor encoded and are missing from the result; null until the task is done.',
    }),
  ),
  padding: Type.Optional(
    orNull(Type.Tuple([count, count]), {
      description:
        'Videos only: [right, bottom], pixels that were added to the result because H.264 needs even sides. They repeat the redacted pixels next to them. The file declares them as cropped, but many players show them. Null until the task is done.',
    }),
  ),
  tone_mapped: toneMapped,
  projection,
  webhook: orNull(WebhookResponse, {
    description: 'State of the notification; null if the upload requested none.',
  }),
  ignored_parameters: ignoredParameters,
  edit: Type.Optional(
    Type.Object(
      {
        status: Type.Enum([...EDIT_STATUSES]),
        progress: Type.Number({ minimum: 0, maximum: 1 }),
        error: orNull(Type.String()),
      },
      { description: 'Edits that wait, run or have failed; absent otherwise. Failed edits change nothing.' },
    ),
  ),
  released_at: Type.Optional(
    orNull(time, {
      description:
        'Only with `--release-gate`: when a reviewer released the result; null until then, and again after a change.',
    }),
  ),
  released_by: Type.Optional(Type.String({ description: 'The reviewer, if the release named one.' })),
});
export type TaskResponse = Static<typeof TaskResponse>;

export const TaskListResponse = Type.Array(TaskResponse, { description: 'Newest first.' });
export type TaskListResponse = Static<typeof TaskListResponse>;

export const StatusResponse = Type.Object({
  ts: time,
  api_version: Type.String(),
  status: Type.String(),
});
export type StatusResponse = Static<typeof StatusResponse>;

export const ErrorResponse = Type.Object({ detail: Type.String() });
export type ErrorResponse = Static<typeof ErrorResponse>;

/** The field `show` of edits. */
export const shownByEdits = Type.Optional(
  Type.String({
    title: 'the id of a subject, or `none`',
    pattern: `${UUID_PATTERN}|^none$`,
    description: 'Subject whose face is not anonymised, or `none`; if absent, as uploaded.',
  }),
);

/** A person whose face stays visible where a request names it. The answer contains no biometric data. */
export const SubjectResponse = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: time,
  photos: Type.Integer({
    minimum: 1,
    maximum: LIMITS.maxSubjectPhotos,
    description: 'Number of sample photos. They are not kept.',
  }),
});
export type SubjectResponse = Static<typeof SubjectResponse>;

export const SubjectListResponse = Type.Array(SubjectResponse);
