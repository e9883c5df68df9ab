import { NO_SUBJECT, type Subject } from '../../domain/subject';
import type { Task } from '../../domain/task';
import type { SubjectStore } from '../../ports/storage';
import { requireSubject } from './require-subject';

/**
 * The subject that stays visible after edits: the one that they name, or the one of the upload.
 *
 * @param show id of a subject, `NO_SUBJECT`, or undefined: as uploaded
 * @returns undefined for nobody, also if the subject of the upload was deleted: then all faces are hidden again
 * @throws FailureError if the edits name a subject that was deleted
 */
export const editedSubject = async (
  show: string | undefined,
  task: Pick<Task, 'options'> | undefined,
  subjects: SubjectStore | undefined,
): Promise<Subject | undefined> => {
  if (show === NO_SUBJECT) return undefined;
  if (show !== undefined) return requireSubject(subjects, show.toLowerCase());
  const uploaded = task?.options.show;
  return uploaded === undefined ? undefined : subjects?.get(uploaded);
};

/**
 * Whether the subject of edits was deleted. Edits that are in force already are then applied again, which hides all
 * faces.
 *
 * @param show id of a subject, `NO_SUBJECT`, or undefined: as uploaded
 */
export const hasLostSubject = async (
  show: string | undefined,
  task: Pick<Task, 'options'> | undefined,
  subjects: SubjectStore | undefined,
): Promise<boolean> => {
  const id = show?.toLowerCase() ?? task?.options.show;
  return id !== undefined && id !== NO_SUBJECT && (await subjects?.get(id)) === undefined;
};
