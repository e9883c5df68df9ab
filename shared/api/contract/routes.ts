import { Type, type TObject, type TSchema } from 'typebox';
import { FORMATS, IMAGE_RESULT_FORMATS } from '../../catalogue/formats';
import type { ErrorCode } from './errors';
import { EVENT_STREAM_TYPE, OPENAPI_ALIAS } from './basics';
import {
  AnonymisedQuery,
  ForReview,
  ImageMetadata,
  MaskQuery,
  VideoMetadata,
  VideoMetadataQuery,
} from './schemas-results';
import {
  DeleteAllTasksQuery,
  DeleteTaskQuery,
  ResultResponse,
  StatusResponse,
  TaskListQuery,
  TaskListResponse,
  TaskResponse,
} from './schemas-tasks';
import { Report, ReportQuery } from './schemas-report';
import { RedactionLog, RedactionsQuery } from './schemas-redactions';
import {
  DECISION_ROUTES,
  EDIT_ROUTES,
  FILE_ERRORS,
  RELEASE_ROUTES,
  RESULT_ERRORS,
  SUBJECT_ROUTES,
} from './routes-edits';
import { UploadResponse, uploadSchema, VideoUploadResponse } from './schemas-upload';

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for the one variable segment. */
  readonly path: string;
  /** A second path with the same answer, which is not in the OpenAPI description. */
  readonly alias?: string;
  readonly summary: string;
  /** What it does. Only the OpenAPI document has these texts: the build of the page empties them. */
  readonly description: string;
  /** Absent: it has no parameters. */
  readonly query?: TObject;
  /** JSON body of the request; absent if it has none or contains a file. */
  readonly body?: TObject;
  /** Whether `x-is-async` answers at once. */
  readonly canBeAsync?: true;
  /** The answer names its content by an `ETag`, and a request can depend on it by `If-Match`. */
  readonly isVersioned?: true;
  /** Body of the answer: the schema of its JSON, or the media types of a file. */
  readonly answer: TSchema | readonly string[];
  /** Media type of the same answer in another form, for clients that ask for it. */
  readonly otherForm?: 'text/csv';
  /** The answer is a file of a result with a name and an entity tag, and supports ranges; it may wait for a release. */
  readonly isDownload?: true;
  /** Errors in addition to a bad query and internal errors. */
  readonly errors: readonly ErrorCode[];
}

/** The list of endpoints, from which both hosts, the client and the OpenAPI description are built. */
export const ROUTES = {
  uploadFile: {
    method: 'POST',
    path: '/v1/file',
    summary: 'Upload a file and process it',
    description:
      'Stores an image or a video as a new task and anonymises it. The response comes when the task is done, or with `x-is-async` when the file is queued, and contains the id of the task and the addresses of its results.',
    query: uploadSchema,
    canBeAsync: true,
    answer: Type.Union([UploadResponse, VideoUploadResponse]),
    errors: [
      'unknown_parameter',
      'subjects_disabled',
      'unknown_shown_subject',
      'subject_gone',
      'class_not_offered',
      'no_class_left',
      'webhook_not_offered',
      'webhook_with_credentials',
      'webhook_address_refused',
      'webhook_header_refused',
      'webhook_header_incomplete',
      'not_multipart',
      'no_file',
      'several_files',
      'several_detections',
      'detections_too_large',
      ...FILE_ERRORS,
      'idempotency_key_reused',
      'busy',
      'queue_full',
      'disk_reserve',
      'stopping',
      'task_timed_out',
      'deleted_meanwhile',
      'internal',
    ],
  },
  getAnonymised: {
    method: 'GET',
    path: '/v1/file/{id}/anonymised',
    summary: 'Download the anonymised image',
    description:
      'The image with all selected objects anonymised, in the format of `result-format`. It is refused until the task is done, and for uploads with `method=detect`.',
    query: AnonymisedQuery,
    answer: IMAGE_RESULT_FORMATS.map((format) => FORMATS[format].mediaType),
    isDownload: true,
    errors: [...RESULT_ERRORS, 'nothing_anonymised'],
  },
  getBinaryMask: {
    method: 'GET',
    path: '/v1/file/{id}/binary-mask',
    summary: 'Download the binary segmentation mask',
    description:
      'A PNG of the image that is white where objects are anonymised and black elsewhere. It exists only if the service saves binary masks.',
    query: MaskQuery,
    answer: ['image/png'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'mask_not_saved'],
  },
  getInstanceMask: {
    method: 'GET',
    path: '/v1/file/{id}/instance-mask',
    summary: 'Download the instance segmentation mask',
    description:
      'A PNG of the image in which each anonymised object has the colour that is its `color` in the metadata. It exists only if the service saves instance masks.',
    query: MaskQuery,
    answer: ['image/png'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'mask_not_saved'],
  },
  getMetadata: {
    method: 'GET',
    path: '/v1/file/{id}/metadata',
    summary: "Download an image's metadata",
    description:
      'The objects that were detected in an image, each with class, score and box, and the size of the image.',
    query: ForReview,
    answer: ImageMetadata,
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getAnonymisedVideo: {
    method: 'GET',
    path: '/v1/file/{id}/video/anonymised',
    summary: 'Download the anonymised video',
    description:
      'The video with all selected objects anonymised, as MP4 (H.264). It is refused until the task is done, and for uploads with `method=detect`.',
    query: ForReview,
    answer: ['video/mp4'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'image_not_video', 'nothing_anonymised'],
  },
  getVideoMetadata: {
    method: 'GET',
    path: '/v1/file/{id}/video/metadata',
    summary: "Download the metadata of a range of a video's frames",
    description:
      'The objects of each frame from `start_frame` to `end_frame`, each with class, score and box. A range that the video does not have is refused.',
    query: VideoMetadataQuery,
    answer: VideoMetadata,
    isDownload: true,
    errors: [...RESULT_ERRORS, 'no_video_yet', 'video_metadata_of_image', 'frame_out_of_range'],
  },
  getReport: {
    method: 'GET',
    path: '/v1/file/{id}/report',
    summary: 'Download a verifiable report of how a file was processed',
    description:
      'A JSON report with SHA-256 and size of source and result, models, parameters, counts, edits and warnings. It is signed if the service has a key; `download`, `quality` and `compress-level` name the download that it describes.',
    query: ReportQuery,
    answer: Report,
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getReportPage: {
    method: 'GET',
    path: '/v1/file/{id}/report.html',
    summary: 'Download the same report as a page for printing',
    description: 'The facts of the JSON report as an HTML page, with the same parameters.',
    query: ReportQuery,
    answer: ['text/html'],
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getRedactions: {
    method: 'GET',
    path: '/v1/file/{id}/redactions',
    summary: 'Download the log of all redactions of a file',
    description:
      'One row for each redaction: where and when, class, method, reason with its legal basis, and whether a person decided it. As JSON, or as CSV (RFC 4180) in which no text is a formula. The report contains the SHA-256 of both forms.',
    query: RedactionsQuery,
    answer: RedactionLog,
    otherForm: 'text/csv',
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    alias: OPENAPI_ALIAS,
    summary: 'OpenAPI description of this API',
    description:
      'This document, for generators of clients and other tools. It has a second address: `/openapi.json`.',
    answer: ['application/json'],
    errors: [],
  },
  getStatus: {
    method: 'GET',
    path: '/v1/status',
    summary: 'Health of the service',
    description:
      'The time of the service, the version of the API and the status `RUNNING`. It responds also while files are processed.',
    answer: StatusResponse,
    errors: [],
  },
  listTasks: {
    method: 'GET',
    path: '/v1/task/list',
    summary: 'List all tasks, newest first, or a page of them',
    description:
      'The records of all tasks, newest first. With `limit` the response is one page, and its header `Link` has the address of the next one.',
    query: TaskListQuery,
    answer: TaskListResponse,
    errors: [],
  },
  deleteAllTasks: {
    method: 'DELETE',
    path: '/v1/task/list',
    summary: 'Delete all tasks',
    description:
      'Deletes all tasks with their files, or with `delete-scope=only-files` their files alone. It is refused without `confirm=true`.',
    query: DeleteAllTasksQuery,
    answer: ResultResponse,
    errors: ['not_confirmed'],
  },
  getTask: {
    method: 'GET',
    path: '/v1/task/{id}',
    summary: 'Information about a task',
    description:
      'The record of a task: status, progress, times, and the error if it failed. Poll it until `status` is `done`, `failed` or `deleted`.',
    answer: TaskResponse,
    errors: ['unknown_task'],
  },
  deleteTask: {
    method: 'DELETE',
    path: '/v1/task/{id}',
    summary: 'Delete a task; a running task is stopped',
    description:
      'Deletes a task with its files, or with `delete-scope=only-files` its files alone. A task that is queued or processed is stopped.',
    query: DeleteTaskQuery,
    answer: ResultResponse,
    errors: ['unknown_task'],
  },
  ...EDIT_ROUTES,
  watchTask: {
    method: 'GET',
    path: '/v1/task/{id}/events',
    summary: 'Stream the record of a task after each change, until the task and its edits have ended',
    description:
      'Server-sent events: each is the record of the task as JSON, sent at once and after each change. The stream ends when the task and its edits have ended.',
    answer: [EVENT_STREAM_TYPE],
    errors: ['unknown_task', 'too_many_event_streams'],
  },
  ...DECISION_ROUTES,
  ...RELEASE_ROUTES,
  ...SUBJECT_ROUTES,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

export const API_VERSION = 'v1';
/** Name of the multipart part that carries the upload. */
export const FILE_PART = 'fileobject';
/** Name of the part with what others have detected in that file. */
export const DETECTIONS_PART = 'detections';

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

const NO_QUERY = Type.Object({});

/** The parameters of a route. */
export const queryOf = (name: RouteName): TObject => (ROUTES[name] as Route).query ?? NO_QUERY;

/** The path of a route for one task. */
export const pathOf = (name: RouteName, id = ''): string => ROUTES[name].path.replace('{id}', id);
