import type { Failure, FailureKind } from '../../domain/failure';
import { LIMITS } from '../../domain/limits';

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

/** Errors of one status. */
const withStatus = <T extends Readonly<Record<string, (...facts: never[]) => string>>>(
  status: number,
  sentences: T,
) =>
  Object.fromEntries(Object.entries(sentences).map(([code, sentence]) => [code, { status, sentence }])) as {
    readonly [C in keyof T]: { readonly status: number; readonly sentence: T[C] };
  };

/**
 * All errors of the API, each with its status and its public sentence.
 *
 * Sentences contain only words of the contract and facts that the client sent or may know, and never a path on the
 * host, a stack or an internal cause.
 */
export const ERRORS = {
  ...withStatus(401, {
    not_admitted: () => 'The service requires its token: send `Authorization: Bearer <token>`.',
  }),
  ...withStatus(403, {
    scope_missing: (scope: string) => `The token lacks the scope \`${scope}\`: use a token that has it.`,
    host_not_allowed: (name: string) =>
      `The service does not accept the host name ${name}: to allow it, start the service with \`--allow-host\` and this name.`,
    origin_not_allowed: (origin: string) =>
      `The service does not accept requests from pages of ${origin}: to allow them, start the service with \`--allow-origin\` and this origin.`,
    subjects_disabled: () =>
      'This service does not recognise persons: it was started with `--no-subjects`, and hides all faces.',
  }),
  ...withStatus(404, {
    unknown_path: () => 'This path does not exist.',
    unknown_task: () => 'There is no task with this id.',
    unknown_subject: () => 'There is no subject with this id.',
    mask_not_saved: (kind: string) =>
      `There is no ${kind} mask: the service was started without \`--save-mask all\` or \`--save-mask ${kind}\`.`,
  }),
  ...withStatus(405, {
    method_not_allowed: (allowed: string) => `This path accepts only ${allowed}.`,
  }),
  ...withStatus(409, {
    busy: () =>
      'Another file is being processed: try again later, or send `x-is-async: true` to queue this one.',
  }),
  ...withStatus(412, {
    edits_changed: () =>
      'The edits were changed in the meantime: read them again, and repeat the request with their `ETag`.',
  }),
  ...withStatus(413, {
    body_too_large: (maxBytes: number) => `The body is too large: the limit is ${readableBytes(maxBytes)}.`,
    upload_too_large: (maxBytes: number = LIMITS.maxUploadBytes) =>
      `The file is too large: the limit is ${readableBytes(maxBytes)}.`,
    detections_too_large: (maxBytes: number) =>
      `The file of detections is too large: the limit is ${readableBytes(maxBytes)}.`,
    image_too_large: (maxBytes: number) =>
      `The image file is too large: the limit is ${readableBytes(maxBytes)}.`,
  }),
  ...withStatus(416, {
    range_unsatisfiable: (sizeBytes: number) =>
      `\`Range\` is outside of the file: it has ${sizeBytes} bytes.`,
  }),
  ...withStatus(422, {
    unknown_shown_subject: () => '`show` must be the id of a subject, and there is none with this id.',
    no_photo: (maxPhotos: number) =>
      `The request contains no photo: send 1 to ${maxPhotos} photos, each in a part named \`fileobject\`.`,
    too_many_photos: (count: number, maxPhotos: number) =>
      `The request contains ${count} photos: send at most ${maxPhotos}.`,
    photo_without_face: (photo: number) => `Photo ${photo} shows no face: send photos of the person's face.`,
    photo_with_faces: (photo: number, faces: number) =>
      `Photo ${photo} shows ${faces} faces: send photos that show only one person.`,
    photo_of_small_face: (photo: number, sidePx: number, minPx: number) =>
      `The face in photo ${photo} is too small: it has ${sidePx} pixels, and at least ${minPx} are needed.`,
    photo_of_turned_face: (photo: number) =>
      `The face in photo ${photo} is seen from the side: send photos that show it from the front.`,
    subject_gone: (reason: string) => reason,
    bad_query: () => 'The query is not valid percent-encoded UTF-8 text.',
    bad_parameter: (name: string, allowed: string, came: string) =>
      `\`${name}\` must be ${allowed}, not ${came}.`,
    contradictory_parameter: (name: string) => `\`${name}\` is given more than once, with different values.`,
    misspelt_parameter: (came: string, name: string) =>
      `${came} is not a parameter: did you mean \`${name}\`?`,
    unknown_parameter: (came: string) => `${came} is not a known parameter.`,
    unknown_field: (name: string) => `\`${name}\` is not a known field.`,
    missing_field: (name: string) => `\`${name}\` is missing.`,
    not_json: () => 'The body must be a JSON object, as UTF-8 text.',
    class_not_offered: (objectClass: string, offered: string) =>
      `\`${objectClass}\` is not available: the service was started with ${offered}.`,
    no_class_left: (offered: string) => `No class is selected: select at least one of ${offered}.`,
    text_not_selected: () =>
      '`text-match` and `text-keep` need `text`: add `text=true`, so that text is anonymised at all.',
    webhook_not_offered: () =>
      '`webhook` is not available: this service sends no notifications; poll the status of the task instead.',
    webhook_with_credentials: () =>
      '`webhook` must not contain a user name or password: send them as `webhook-auth-header-name` and `webhook-auth-header-value`.',
    webhook_address_refused: () =>
      '`webhook` must not point to a private, local or reserved address: the service was started without `--webhook-allow` for it.',
    webhook_header_refused: (name: string) =>
      `\`webhook-auth-header-name\` must not be ${name}: the notification sets this header itself.`,
    webhook_header_incomplete: () =>
      '`webhook-auth-header-name` and `webhook-auth-header-value` must be given together, or neither.',
    not_multipart: () => 'Send the file as multipart/form-data, in one part named `fileobject`.',
    no_file: () => 'The request contains no file: send one part named `fileobject`.',
    several_files: (count: number) =>
      `The request contains ${count} files: send exactly one, named \`fileobject\`.`,
    several_detections: (count: number) =>
      `The request contains ${count} files of detections: send at most one, named \`detections\`.`,
    wrong_part_name: (name: string) => `The part with the file must be named \`fileobject\`, not ${name}.`,
    empty_file: () => 'The file is empty.',
    upload_broken: () => 'The upload ended before it was complete.',
    upload_too_slow: (idleS: number, bytesPerS: number) =>
      `The upload arrives too slowly: send data at least every ${idleS} s, and ${readableBytes(bytesPerS)} per second on average.`,
    unreadable_file: (reason: string) => reason,
    task_timed_out: (reason: string) => reason,
    deleted_meanwhile: () => 'The task was deleted before it finished.',
    task_not_done: (status: string) => `The task is not done: its status is \`${status}\`.`,
    idempotency_key_reused: () =>
      'The `Idempotency-Key` was already used with another file or other parameters: use a new key for a new request.',
    task_failed: (reason: string) => `The task's status is \`failed\`: ${reason}`,
    files_deleted: () => "The task's files were deleted: its status is `deleted`.",
    not_released: () =>
      'The result is not released: a reviewer must release it first with `POST /v1/file/{id}/release`.',
    no_release_gate: () => 'Results need no release here: the service was started without `--release-gate`.',
    edits_pending: () => 'Edits of the file wait or run: release it after they have ended.',
    nothing_anonymised: () =>
      'The file was uploaded with `method=detect`, which produces masks and metadata but no anonymised file.',
    image_not_video: (path: string) => `The file is an image, not a video: use ${path}.`,
    video_not_image: (path: string) => `The file is a video, not an image: use ${path}.`,
    no_masks_of_video: (path: string) => `The file is a video, and videos have no masks: use ${path}.`,
    frame_out_of_range: (name: string, first: number, last: number, came: number) =>
      `\`${name}\` must be a whole number from ${first} to ${last}, not ${came}.`,
    no_video_yet: () => 'No video has been uploaded: please upload a video file at v1/file first.',
    video_metadata_of_image: () =>
      'The file is an image: anonymised video metadata is available only after a video upload; please upload a video file at v1/file first.',
    no_candidates_of_video: () => 'The file is a video: candidates are available only for images.',
    /** Videos without an anonymised file. */
    not_editable: () =>
      'This result cannot be edited, because its redaction plan was not stored: upload the file again.',
    /** Videos and images differ in what can be edited. */
    not_in_videos: (name: string) => `\`${name}\` is available only for images.`,
    only_in_videos: (name: string) => `\`${name}\` is available only for videos.`,
    class_not_searched: (name: string, objectClass: string, searched: string) =>
      `\`${name}\` must not contain ${objectClass}: the file was searched only for ${searched}.`,
    not_in_frame: (name: string) =>
      `\`${name}\` needs a frame in which the object was found: name another \`frame\` or \`at\`.`,
    edits_too_large: (shapes: string, maxPixels: number) =>
      `The edits cover too many pixels: all ${shapes} together may cover at most ${maxPixels}.`,
    unknown_object: (name: string, id: number) =>
      `\`${name}\` must be the id of a detected object, not ${id}.`,
    object_named_twice: (name: string, id: number) =>
      `\`${name}\` repeats the id ${id}: name each object once.`,
    audio_not_mutable: (codecs: string) =>
      `\`mute\` is not possible here for audio of the coding ${codecs}: send \`"audio": "mute"\` to remove all of its audio.`,
    audio_not_bleepable: (codecs: string) =>
      `A bleep is not possible here for audio of the coding ${codecs}: leave out \`as\` to mute these parts.`,
    muted_differently: (name: string, other: string) =>
      `\`${name}\` must not overlap \`${other}\`: they differ in \`as\` or \`reason\`.`,
    edit_stopped: () => 'The edits were stopped before they were applied, and the result is unchanged.',
    not_confirmed: () => 'This deletes all tasks: confirm it with `confirm=true`.',
  }),
  ...withStatus(500, {
    edit_failed: (reason: string) => `The edits were not applied, and the result is unchanged: ${reason}`,
    put_off: () => 'The service is shutting down: it resumes the task after its next start.',
    unstorable: (reason: string) => reason,
    internal: () => 'An internal error occurred; the service has logged its cause.',
  }),
  ...withStatus(503, {
    queue_full: () => 'The queue is full: try again after some of its files have been processed.',
    disk_reserve: () =>
      'The service has too little free disk space for this file: delete tasks that are no longer needed, then try again.',
    too_many_connections: () => 'The service has as many connections as it may have: try again in a moment.',
    too_many_event_streams: () =>
      'As many clients follow tasks as may do so: poll the status of the task, or try again in a moment.',
    stopping: () => 'The service is shutting down and accepts no more files: try again in a moment.',
    /** Only in the page: its service worker finds no open page that could answer the request. */
    no_page: () => 'No open page answers the API at the moment, and nothing was sent: try again.',
    /** Only with several processes: their database or file store does not answer. */
    unavailable: (reason: string) => reason,
  }),
};

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
