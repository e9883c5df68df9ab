import { Type, type TObject, type TSchema } from 'typebox';
import type { ErrorCode } from './errors';
import { OPENAPI_ALIAS } from './prefix';
import {
  AnonymisedQuery,
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
import { DECISION_ROUTES, EDIT_ROUTES, RESULT_ERRORS, SUBJECT_ROUTES } from './routes-edits';
import { UploadResponse, uploadSchema, VideoUploadResponse } from './schemas-upload';

/** One endpoint. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for the one variable segment. */
  readonly path: string;
  /** A second path with the same answer, which is not in the OpenAPI description. */
  readonly alias?: string;
  readonly summary: string;
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
  /** The answer is a file with a name and an entity tag, and supports ranges. */
  readonly isDownload?: true;
  /** Errors in addition to a bad query and internal errors. */
  readonly errors: readonly ErrorCode[];
}

/** Server-sent events (HTML standard, section 9.2). */
export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Statuses of successful answers: of all routes, and in addition those of downloads. */
export const STATUS = { success: 200, partial: 206, notModified: 304 } as const;

/** The list of endpoints, from which both hosts, the client and the OpenAPI description are built. */
export const ROUTES = {
  uploadFile: {
    method: 'POST',
    path: '/v1/file',
    summary: 'Upload a file and process it',
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
      'wrong_part_name',
      'empty_file',
      'upload_too_large',
      'image_too_large',
      'upload_broken',
      'upload_too_slow',
      'unreadable_file',
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
    query: AnonymisedQuery,
    answer: ['image/jpeg', 'image/png'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'nothing_anonymised'],
  },
  getBinaryMask: {
    method: 'GET',
    path: '/v1/file/{id}/binary-mask',
    summary: 'Download the binary segmentation mask',
    query: MaskQuery,
    answer: ['image/png'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'mask_not_saved'],
  },
  getInstanceMask: {
    method: 'GET',
    path: '/v1/file/{id}/instance-mask',
    summary: 'Download the instance segmentation mask',
    query: MaskQuery,
    answer: ['image/png'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'mask_not_saved'],
  },
  getMetadata: {
    method: 'GET',
    path: '/v1/file/{id}/metadata',
    summary: "Download an image's metadata",
    answer: ImageMetadata,
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getAnonymisedVideo: {
    method: 'GET',
    path: '/v1/file/{id}/video/anonymised',
    summary: 'Download the anonymised video',
    answer: ['video/mp4'],
    isDownload: true,
    errors: [...RESULT_ERRORS, 'image_not_video', 'nothing_anonymised'],
  },
  getVideoMetadata: {
    method: 'GET',
    path: '/v1/file/{id}/video/metadata',
    summary: "Download the metadata of a range of a video's frames",
    query: VideoMetadataQuery,
    answer: VideoMetadata,
    isDownload: true,
    errors: [...RESULT_ERRORS, 'no_video_yet', 'video_metadata_of_image', 'frame_out_of_range'],
  },
  getReport: {
    method: 'GET',
    path: '/v1/file/{id}/report',
    summary: 'Download a verifiable report of how a file was processed',
    query: ReportQuery,
    answer: Report,
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getReportPage: {
    method: 'GET',
    path: '/v1/file/{id}/report.html',
    summary: 'Download the same report as a page for printing',
    query: ReportQuery,
    answer: ['text/html'],
    isDownload: true,
    errors: RESULT_ERRORS,
  },
  getOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    alias: OPENAPI_ALIAS,
    summary: 'OpenAPI description of this API',
    answer: ['application/json'],
    errors: [],
  },
  getStatus: {
    method: 'GET',
    path: '/v1/status',
    summary: 'Health of the service',
    answer: StatusResponse,
    errors: [],
  },
  listTasks: {
    method: 'GET',
    path: '/v1/task/list',
    summary: 'List all tasks, newest first, or a page of them',
    query: TaskListQuery,
    answer: TaskListResponse,
    errors: [],
  },
  deleteAllTasks: {
    method: 'DELETE',
    path: '/v1/task/list',
    summary: 'Delete all tasks',
    query: DeleteAllTasksQuery,
    answer: ResultResponse,
    errors: ['not_confirmed'],
  },
  getTask: {
    method: 'GET',
    path: '/v1/task/{id}',
    summary: 'Information about a task',
    answer: TaskResponse,
    errors: ['unknown_task'],
  },
  deleteTask: {
    method: 'DELETE',
    path: '/v1/task/{id}',
    summary: 'Delete a task; a running task is stopped',
    query: DeleteTaskQuery,
    answer: ResultResponse,
    errors: ['unknown_task'],
  },
  ...EDIT_ROUTES,
  watchTask: {
    method: 'GET',
    path: '/v1/task/{id}/events',
    summary: 'Stream the record of a task after each change, until the task and its edits have ended',
    answer: [EVENT_STREAM_TYPE],
    errors: ['unknown_task', 'too_many_event_streams'],
  },
  ...DECISION_ROUTES,
  ...SUBJECT_ROUTES,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof ROUTES;

export const API_VERSION = 'v1';
/** Name of the multipart part that carries the upload. */
export const FILE_PART = 'fileobject';

export const ROUTE_NAMES = Object.keys(ROUTES) as RouteName[];

const NO_QUERY = Type.Object({});

/** The parameters of a route. */
export const queryOf = (name: RouteName): TObject => (ROUTES[name] as Route).query ?? NO_QUERY;

/** The path of a route for one task. */
export const pathOf = (name: RouteName, id = ''): string => ROUTES[name].path.replace('{id}', id);
