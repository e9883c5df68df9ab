import type { Task } from '../../domain/task';
import type { Job, Work } from '../base/job-store';
import type { Outcome } from '../run/outcome';

/** Those who work on tasks: this process, or workers of a cluster. */
export interface WorkPool {
  /** Lets them know of work. It is on record: if they do not learn of it, it is done later. */
  add(task: Task, work: Work, job?: Job): void;
  /** How a task ends: once this process writes nothing more for it. Absent where others work. Never rejects. */
  outcome?(id: string): Promise<Outcome>;
  /** Resolves when this process does not work on the task at the moment. Absent where others work. */
  whenIdle?(id: string): Promise<void>;
  /**
   * Begins no work any more; what runs may end within a grace time. What is not done is on record.
   *
   * @param graceMs needs a timer
   * @param clients resolves when nobody waits for the work of others
   * @returns when nothing is written any more
   */
  stop(graceMs: number | undefined, clients: Promise<unknown>): Promise<void>;
}
