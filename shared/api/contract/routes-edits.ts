import {
  CandidatesResponse,
  Decisions,
  DecisionsResponse,
  Edits,
  ReleaseQuery,
  StoppedEditsResponse,
} from './schemas-edits';
import { ResultResponse, SubjectListResponse, SubjectResponse } from './schemas-tasks';
import { UploadResponse, VideoUploadResponse } from './schemas-upload';
import { Type } from 'typebox';

/** Errors of downloads. */
export const RESULT_ERRORS = [
  'unknown_task',
  'task_not_done',
  'task_failed',
  'files_deleted',
  'not_released',
  'range_unsatisfiable',
] as const;

/** Errors of what an upload contains. */
export const FILE_ERRORS = [
  'wrong_part_name',
  'empty_file',
  'upload_too_large',
  'image_too_large',
  'upload_broken',
  'upload_too_slow',
  'unreadable_file',
] as const;

/** Errors of a JSON body about objects. */
const BODY_ERRORS = [
  'not_json',
  'body_too_large',
  'upload_broken',
  'upload_too_slow',
  'unknown_field',
  'missing_field',
  'unknown_object',
] as const;

/** Errors of edits. */
export const EDIT_ERRORS = [
  'unknown_task',
  'task_not_done',
  'task_failed',
  'files_deleted',
  'not_editable',
] as const;

/** The endpoints of edits: a part of the list of endpoints. */
export const EDIT_ROUTES = {
  getEdits: {
    method: 'GET',
    path: '/v1/task/{id}/edits',
    summary: 'Edits that the result shows',
    description:
      'The edits that the result contains; the lists are empty at first. The header `ETag` is for `If-Match` in a later change.',
    isVersioned: true,
    answer: Edits,
    errors: EDIT_ERRORS,
  },
  putEdits: {
    method: 'PUT',
    path: '/v1/task/{id}/edits',
    summary: 'Replace all edits, and render the result again without any detector',
    description:
      'Replaces all earlier edits and renders the result from the stored upload, without a detector. The response comes when the result is replaced, or with `x-is-async` when the edits are queued; edits that fail change nothing.',
    body: Edits,
    canBeAsync: true,
    isVersioned: true,
    answer: Type.Union([UploadResponse, VideoUploadResponse]),
    errors: [
      ...EDIT_ERRORS,
      'subjects_disabled',
      'unknown_shown_subject',
      'subject_gone',
      ...BODY_ERRORS,
      'object_named_twice',
      'not_in_videos',
      'only_in_videos',
      'class_not_searched',
      'edits_too_large',
      'frame_out_of_range',
      'not_in_frame',
      'edits_changed',
      'stopping',
      'put_off',
      'deleted_meanwhile',
      'edit_stopped',
      'edit_failed',
    ],
  },
  stopEdits: {
    method: 'DELETE',
    path: '/v1/task/{id}/edits',
    summary: 'Stop edits that wait or run; the result, with the edits that it shows, stays as it is',
    description:
      'Stops edits that wait or run. The result stays as it is, and `stopped` states whether there was anything to stop.',
    isVersioned: true,
    answer: StoppedEditsResponse,
    errors: [...EDIT_ERRORS, 'edits_changed'],
  },
  getCandidates: {
    method: 'GET',
    path: '/v1/task/{id}/candidates',
    summary: 'All objects that the detectors found in an image, also those below the thresholds',
    description:
      'All objects that the detectors found in an image, also those whose score is below the threshold. Edits refer to them by `id`.',
    answer: CandidatesResponse,
    errors: [...EDIT_ERRORS, 'no_candidates_of_video'],
  },
} as const;

/** The endpoint of releases: a part of the list of endpoints. */
export const RELEASE_ROUTES = {
  releaseFile: {
    method: 'POST',
    path: '/v1/file/{id}/release',
    summary: 'Release a result for download',
    description:
      'Lets everybody with the scope `read` download the result of a task, if the service was started with `--release-gate`. Edits and decisions that are accepted later revoke it. `If-Match` with the `ETag` of the edits releases only the result that was reviewed.',
    query: ReleaseQuery,
    isVersioned: true,
    answer: ResultResponse,
    errors: [
      'no_release_gate',
      'unknown_task',
      'task_not_done',
      'task_failed',
      'files_deleted',
      'edits_pending',
      'edits_changed',
      'stopping',
    ],
  },
} as const;

/** The endpoints of decisions about single objects: a part of the list of endpoints. */
export const DECISION_ROUTES = {
  getDecisions: {
    method: 'GET',
    path: '/v1/task/{id}/decisions',
    summary: 'Decisions about single objects, with times and reviewers',
    description:
      'What persons decided about single objects and places of a file, each with its time and its reviewer.',
    answer: DecisionsResponse,
    errors: EDIT_ERRORS,
  },
  putDecisions: {
    method: 'PUT',
    path: '/v1/task/{id}/decisions',
    summary: 'Record what a person decided about single objects; it changes the report, and not the result',
    description:
      'Replaces the list of what persons decided about single objects and places; a decision that was in the list keeps its time and reviewer. The report contains the list, and the result stays as it is.',
    body: Decisions,
    answer: ResultResponse,
    errors: [...EDIT_ERRORS, ...BODY_ERRORS, 'only_in_videos', 'stopping'],
  },
} as const;

/** The endpoints of subjects, the persons who stay visible: a part of the list of endpoints. */
export const SUBJECT_ROUTES = {
  createSubject: {
    method: 'POST',
    path: '/v1/subjects',
    summary: 'Create a subject, a person who stays visible, from sample photos',
    description:
      'Creates a subject from photos that each show the face of one person. Uploads and edits that name its id in `show` do not anonymise this face; the photos are not kept.',
    answer: SubjectResponse,
    errors: [
      'subjects_disabled',
      'not_multipart',
      'no_photo',
      'too_many_photos',
      ...FILE_ERRORS,
      'disk_reserve',
      'photo_without_face',
      'photo_with_faces',
      'photo_of_small_face',
      'photo_of_turned_face',
      'stopping',
    ],
  },
  listSubjects: {
    method: 'GET',
    path: '/v1/subjects',
    summary: 'List all subjects, newest first',
    description:
      'The subjects, each with its id, its time and its number of photos. No biometric data is returned.',
    answer: SubjectListResponse,
    errors: ['subjects_disabled'],
  },
  getSubject: {
    method: 'GET',
    path: '/v1/subjects/{id}',
    summary: 'Information about a subject',
    description: 'One subject with its time and its number of photos. No biometric data is returned.',
    answer: SubjectResponse,
    errors: ['subjects_disabled', 'unknown_subject'],
  },
  deleteSubject: {
    method: 'DELETE',
    path: '/v1/subjects/{id}',
    summary: 'Delete a subject with its biometric data; results that show the person stay as they are',
    description:
      'Deletes a subject and its biometric data. Tasks that name it and have not ended fail; finished results stay as they are.',
    answer: ResultResponse,
    errors: ['subjects_disabled', 'unknown_subject'],
  },
} as const;
