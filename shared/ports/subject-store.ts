import type { Subject } from '../domain/subject';

/**
 * Persons who stay visible. A subject consists of biometric data: a store keeps no copy of a subject that was removed.
 *
 * Calls are atomic. A write is durable when it resolves.
 */
export interface SubjectStore {
  put(subject: Subject): Promise<void>;
  get(id: string): Promise<Subject | undefined>;
  /** Newest first. */
  list(): Promise<readonly Subject[]>;
  /** @returns whether there was such a subject */
  remove(id: string): Promise<boolean>;
  removeCreatedBefore(atMs: number): Promise<void>;
}
