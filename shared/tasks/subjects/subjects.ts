import { NO_SUBJECT, type Subject, SUBJECT_GONE } from '../../domain/subject';
import type { Task } from '../../domain/task';
import type { SubjectStore } from '../../ports/storage';
import { FailureError } from '../../domain/failure';

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

/** Subjects in memory. The page stores none anywhere else, so that biometric data ends with the visit. */
export const createMemorySubjects = (): SubjectStore => {
  const subjects = new Map<string, Subject>();
  return {
    put: async (subject) => void subjects.set(subject.id, subject),
    get: async (id) => subjects.get(id),
    list: async () => [...subjects.values()].reverse(),
    remove: async (id) => subjects.delete(id),
    removeCreatedBefore: async (atMs) => {
      for (const { id, createdAtMs } of subjects.values()) if (createdAtMs < atMs) subjects.delete(id);
    },
  };
};
