import { FailureError } from '../../domain/failure';
import { SUBJECT_GONE, type Subject } from '../../domain/subject';
import type { SubjectStore } from '../../ports/storage';

/**
 * The subject that a task names.
 *
 * @param subjects undefined where the host keeps no subjects
 * @throws FailureError if it was deleted: a result without the subject would look as if the face was not recognised
 */
export const requireSubject = async (subjects: SubjectStore | undefined, id: string): Promise<Subject> => {
  const subject = await subjects?.get(id);
  if (!subject) throw new FailureError({ kind: 'subject-gone', sentence: SUBJECT_GONE });
  return subject;
};
