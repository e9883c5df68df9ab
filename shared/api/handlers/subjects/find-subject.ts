import { NO_SUBJECT, type Subject } from '../../../domain/subject';
import type { SubjectStore } from '../../../ports/subject-store';
import { ApiError } from '../../contract/errors';
import type { ApiService } from '../service';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @throws ApiError 403 where the service does not recognise persons */
export const requireSubjects = ({ subjects }: ApiService): SubjectStore => {
  if (!subjects) throw new ApiError('subjects_disabled');
  return subjects;
};

/** What is no UUID never reaches a store. @throws ApiError 403, 404 */
export const findSubject = async (service: ApiService, id: string): Promise<Subject> => {
  const subjects = requireSubjects(service);
  const subject = UUID.test(id) ? await subjects.get(id.toLowerCase()) : undefined;
  if (!subject) throw new ApiError('unknown_subject');
  return subject;
};

/** Checks `show` of an upload or of edits before the work is accepted. @throws ApiError 403, 422 */
export const requireShown = async (service: ApiService, show: string | undefined): Promise<void> => {
  if (show === undefined || show === NO_SUBJECT) return;
  if (!(await requireSubjects(service).get(show.toLowerCase()))) throw new ApiError('unknown_shown_subject');
};
