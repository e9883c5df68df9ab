import type { Subject } from '#shared/domain/subject';
import type { SubjectStore } from '#shared/ports/subject-store';

/** Subjects of the open page, in memory: biometric data ends with the visit. */
export const createSubjectStore = (): SubjectStore => {
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
