import type { Failure, FailureKind } from '../../domain/failure';
import { LIMITS } from '../../domain/limits';
import { LOAD_ERRORS } from './errors-load';
import { SUBJECT_ERRORS } from './errors-subjects';

const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB'] as const;
/** `268435456` → `256 MiB`. A unit is used only if the number is exact in it. */
const readableBytes = (bytes: number): string => {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && value % 1024 === 0 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value} ${SIZE_UNITS[unit]}`;
};

/**
 * All errors of the API, each with its status and its public sentence.
 *
 * Sentences contain only words of the contract and facts that the client sent or may know, and never a path on the
 * host, a stack or an internal cause.
 */
export const ERRORS = {
  not_admitted: {
    status: 401,
    sentence: () => 'The service requires its token: send `Authorization: Bearer <token>`.',
  },
  scope_missing: {
    status: 403,
    sentence: (scope: string) => `The token lacks the scope \`${scope}\`: use a token that has it.`,
  },
  host_not_allowed: {
    status: 403,
    sentence: (name: string) =>
      `The service does not accept the host name ${name}: to allow it, start the service with \`--allow-host\` and this name.`,
  },
  origin_not_allowed: {
    status: 403,
    sentence: (origin: string) =>
      `The service does not accept requests from pages of ${origin}: to allow them, start the service with \`--allow-origin\` and this origin.`,
  },
  unknown_path: { status: 404, sentence: () => 'This path does not exist.' },
  method_not_allowed: {
    status: 405,
    sentence: (allowed: string) => `This path accepts only ${allowed}.`,
  },
  unknown_task: { status: 404, sentence: () => 'There is no task with this id.' },
  ...SUBJECT_ERRORS,
  bad_query: { status: 422, sentence: () => 'The query is not valid percent-encoded UTF-8 text.' },
  bad_parameter: {
    status: 422,
    sentence: (name: string, allowed: string, came: string) => `\`${name}\` must be ${allowed}, not ${came}.`,
  },
  contradictory_parameter: {
    status: 422,
    sentence: (name: string) => `\`${name}\` is given more than once, with different values.`,
  },
  misspelt_parameter: {
    status: 422,
    sentence: (came: string, name: string) => `${came} is not a parameter: did you mean \`${name}\`?`,
  },
  unknown_parameter: { status: 422, sentence: (came: string) => `${came} is not a known parameter.` },
  unknown_field: { status: 422, sentence: (name: string) => `\`${name}\` is not a known field.` },
  missing_field: { status: 422, sentence: (name: string) => `\`${name}\` is missing.` },
  not_json: { status: 422, sentence: () => 'The body must be a JSON object, as UTF-8 text.' },
  body_too_large: {
    status: 413,
    sentence: (maxBytes: number) => `The body is too large: the limit is ${readableBytes(maxBytes)}.`,
  },
  class_not_offered: {
    status: 422,
    sentence: (objectClass: string, offered: string) =>
      `\`${objectClass}\` is not available: the service was started with ${offered}.`,
  },
  no_class_left: {
    status: 422,
    sentence: (offered: string) => `No class is selected: select at least one of ${offered}.`,
  },
  webhook_not_offered: {
    status: 422,
    sentence: () =>
      '`webhook` is not available: this service sends no notifications; poll the status of the task instead.',
  },
  webhook_with_credentials: {
    status: 422,
    sentence: () =>
      '`webhook` must not contain a user name or password: send them as `webhook-auth-header-name` and `webhook-auth-header-value`.',
  },
  webhook_address_refused: {
    status: 422,
    sentence: () =>
      '`webhook` must not point to a private, local or reserved address: the service was started without `--webhook-allow` for it.',
  },
  webhook_header_refused: {
    status: 422,
    sentence: (name: string) =>
      `\`webhook-auth-header-name\` must not be ${name}: the notification sets this header itself.`,
  },
  webhook_header_incomplete: {
    status: 422,
    sentence: () =>
      '`webhook-auth-header-name` and `webhook-auth-header-value` must be given together, or neither.',
  },

  not_multipart: {
    status: 422,
    sentence: () => 'Send the file as multipart/form-data, in one part named `fileobject`.',
  },
  no_file: { status: 422, sentence: () => 'The request contains no file: send one part named `fileobject`.' },
  several_files: {
    status: 422,
    sentence: (count: number) =>
      `The request contains ${count} files: send exactly one, named \`fileobject\`.`,
  },
  wrong_part_name: {
    status: 422,
    sentence: (name: string) => `The part with the file must be named \`fileobject\`, not ${name}.`,
  },
  empty_file: { status: 422, sentence: () => 'The file is empty.' },
  upload_too_large: {
    status: 413,
    sentence: (maxBytes: number = LIMITS.maxUploadBytes) =>
      `The file is too large: the limit is ${readableBytes(maxBytes)}.`,
  },
  image_too_large: {
    status: 413,
    sentence: (maxBytes: number) => `The image file is too large: the limit is ${readableBytes(maxBytes)}.`,
  },
  upload_broken: { status: 422, sentence: () => 'The upload ended before it was complete.' },
  upload_too_slow: {
    status: 422,
    sentence: (idleS: number, bytesPerS: number) =>
      `The upload arrives too slowly: send data at least every ${idleS} s, and ${readableBytes(bytesPerS)} per second on average.`,
  },
  unreadable_file: { status: 422, sentence: (reason: string) => reason },

  busy: {
    status: 409,
    sentence: () =>
      'Another file is being processed: try again later, or send `x-is-async: true` to queue this one.',
  },
  ...LOAD_ERRORS,
  stopping: {
    status: 503,
    sentence: () => 'The service is shutting down and accepts no more files: try again in a moment.',
  },
  /** Only in the page: its service worker finds no open page that could answer the request. */
  no_page: {
    status: 503,
    sentence: () => 'No open page answers the API at the moment, and nothing was sent: try again.',
  },
  task_timed_out: { status: 422, sentence: (reason: string) => reason },
  deleted_meanwhile: {
    status: 422,
    sentence: () => 'The task was deleted before it finished.',
  },
  task_not_done: {
    status: 422,
    sentence: (status: string) => `The task is not done: its status is \`${status}\`.`,
  },
  idempotency_key_reused: {
    status: 422,
    sentence: () =>
      'The `Idempotency-Key` was already used with another file or other parameters: use a new key for a new request.',
  },
  task_failed: {
    status: 422,
    sentence: (reason: string) => `The task's status is \`failed\`: ${reason}`,
  },
  files_deleted: {
    status: 422,
    sentence: () => "The task's files were deleted: its status is `deleted`.",
  },
  nothing_anonymised: {
    status: 422,
    sentence: () =>
      'The file was uploaded with `method=detect`, which produces masks and metadata but no anonymised file.',
  },
  mask_not_saved: {
    status: 404,
    sentence: (kind: string) =>
      `There is no ${kind} mask: the service was started without \`--save-mask all\` or \`--save-mask ${kind}\`.`,
  },
  range_unsatisfiable: {
    status: 416,
    sentence: (sizeBytes: number) => `\`Range\` is outside of the file: it has ${sizeBytes} bytes.`,
  },
  image_not_video: {
    status: 422,
    sentence: (path: string) => `The file is an image, not a video: use ${path}.`,
  },
  video_not_image: {
    status: 422,
    sentence: (path: string) => `The file is a video, not an image: use ${path}.`,
  },
  no_masks_of_video: {
    status: 422,
    sentence: (path: string) => `The file is a video, and videos have no masks: use ${path}.`,
  },
  frame_out_of_range: {
    status: 422,
    sentence: (name: string, first: number, last: number, came: number) =>
      `\`${name}\` must be a whole number from ${first} to ${last}, not ${came}.`,
  },
  no_video_yet: {
    status: 422,
    sentence: () => 'No video has been uploaded: please upload a video file at v1/file first.',
  },
  video_metadata_of_image: {
    status: 422,
    sentence: () =>
      'The file is an image: anonymised video metadata is available only after a video upload; please upload a video file at v1/file first.',
  },
  no_candidates_of_video: {
    status: 422,
    sentence: () => 'The file is a video: candidates are available only for images.',
  },
  /** Videos without an anonymised file. */
  not_editable: {
    status: 422,
    sentence: () =>
      'This result cannot be edited, because its redaction plan was not stored: upload the file again.',
  },
  /** Videos and images differ in what can be edited. */
  not_in_videos: { status: 422, sentence: (name: string) => `\`${name}\` is available only for images.` },
  only_in_videos: { status: 422, sentence: (name: string) => `\`${name}\` is available only for videos.` },
  class_not_searched: {
    status: 422,
    sentence: (name: string, objectClass: string, searched: string) =>
      `\`${name}\` must not contain ${objectClass}: the file was searched only for ${searched}.`,
  },
  edits_too_large: {
    status: 422,
    sentence: (shapes: string, maxPixels: number) =>
      `The edits cover too many pixels: all ${shapes} together may cover at most ${maxPixels}.`,
  },
  unknown_object: {
    status: 422,
    sentence: (name: string, id: number) => `\`${name}\` must be the id of a detected object, not ${id}.`,
  },
  object_named_twice: {
    status: 422,
    sentence: (name: string, id: number) => `\`${name}\` repeats the id ${id}: name each object once.`,
  },
  audio_not_mutable: {
    status: 422,
    sentence: (codecs: string) =>
      `\`mute\` is not possible here for audio of the coding ${codecs}: send \`"audio": "mute"\` to remove all of its audio.`,
  },
  edit_failed: {
    status: 500,
    sentence: (reason: string) => `The edits were not applied, and the result is unchanged: ${reason}`,
  },
  edit_stopped: {
    status: 422,
    sentence: () => 'The edits were stopped before they were applied, and the result is unchanged.',
  },
  edits_changed: {
    status: 412,
    sentence: () =>
      'The edits were changed in the meantime: read them again, and repeat the request with their `ETag`.',
  },
  not_confirmed: {
    status: 422,
    sentence: () => 'This deletes all tasks: confirm it with `confirm=true`.',
  },
  put_off: {
    status: 500,
    sentence: () => 'The service is shutting down: it resumes the task after its next start.',
  },
  /** Only with several processes: their database or file store does not answer. */
  unavailable: { status: 503, sentence: (reason: string) => reason },
  unstorable: { status: 500, sentence: (reason: string) => reason },
  internal: { status: 500, sentence: () => 'An internal error occurred; the service has logged its cause.' },
} as const satisfies Record<string, { status: number; sentence: (...facts: never[]) => string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Additional headers of errors. */
const HEADERS: { readonly [C in ErrorCode]?: (...facts: Facts<C>) => Readonly<Record<string, string>> } = {
  method_not_allowed: (allowed) => ({ allow: allowed }),
  // In seconds: about the processing time of an image.
  busy: () => ({ 'retry-after': '2' }),
  // In seconds: about the processing time of a few images.
  queue_full: () => ({ 'retry-after': '10' }),
  // In seconds: about the time in which people or the retention free some space.
  disk_reserve: () => ({ 'retry-after': '60' }),
  // In seconds: connections of clients that are served end soon.
  too_many_connections: () => ({ 'retry-after': '5' }),
  // In seconds: about the processing time of a short video.
  too_many_event_streams: () => ({ 'retry-after': '30' }),
  // In seconds: about the restart of a database.
  unavailable: () => ({ 'retry-after': '5' }),
  range_unsatisfiable: (sizeBytes) => ({ 'content-range': `bytes */${sizeBytes}` }),
  not_admitted: () => ({ 'www-authenticate': 'Bearer' }),
  // RFC 6750, section 3.1.
  scope_missing: (scope) => ({ 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }),
};
type Facts<C extends ErrorCode> = Parameters<(typeof ERRORS)[C]['sentence']>;

/** A request that is refused with a row of {@link ERRORS}. `message` is the public sentence. */
export class ApiError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: C,
    ...facts: Facts<C>
  ) {
    const { status, sentence } = ERRORS[code];
    super((sentence as (...facts: Facts<C>) => string)(...facts));
    this.status = status;
    this.headers = HEADERS[code]?.(...facts) ?? {};
  }
}

/** The answer to an upload whose task failed, by the kind of its failure. */
const FAILURE_CODES = {
  'bad-file': 'unreadable_file',
  'out-of-memory': 'unreadable_file',
  interrupted: 'unreadable_file',
  timeout: 'task_timed_out',
  'subject-gone': 'subject_gone',
  'no-storage': 'unstorable',
  fault: 'internal',
} as const satisfies Record<FailureKind, ErrorCode>;

export const errorOfFailure = ({ kind, sentence }: Failure): ApiError =>
  new ApiError(FAILURE_CODES[kind], sentence);
