import { SubjectListResponse, SubjectResponse } from './schemas-subjects';
import { NoQuery, ResultResponse } from './schemas-tasks';

/** The endpoints of subjects, the persons who stay visible: a part of the list of endpoints. */
export const SUBJECT_ROUTES = {
  createSubject: {
    method: 'POST',
    path: '/v1/subjects',
    summary: 'Create a subject, a person who stays visible, from sample photos',
    query: NoQuery,
    answer: SubjectResponse,
    status: 200,
    errors: [
      'subjects_disabled',
      'not_multipart',
      'no_photo',
      'too_many_photos',
      'wrong_part_name',
      'empty_file',
      'upload_too_large',
      'image_too_large',
      'upload_broken',
      'upload_too_slow',
      'unreadable_file',
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
    query: NoQuery,
    answer: SubjectListResponse,
    status: 200,
    errors: ['subjects_disabled'],
  },
  getSubject: {
    method: 'GET',
    path: '/v1/subjects/{id}',
    summary: 'Information about a subject',
    query: NoQuery,
    answer: SubjectResponse,
    status: 200,
    errors: ['subjects_disabled', 'unknown_subject'],
  },
  deleteSubject: {
    method: 'DELETE',
    path: '/v1/subjects/{id}',
    summary: 'Delete a subject with its biometric data; results that show the person stay as they are',
    query: NoQuery,
    answer: ResultResponse,
    status: 200,
    errors: ['subjects_disabled', 'unknown_subject'],
  },
} as const;
