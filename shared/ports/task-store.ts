import type { Task } from '../domain/task';

/** A part of the task list. */
export interface TaskPage {
  /** Newest first. */
  readonly tasks: readonly Task[];
  /** Start of the next page, for `TaskStore.page`; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * Task records, and the tasks whose files are in doubt.
 *
 * Calls are atomic and take effect in the order in which they are made. A write is durable when it resolves.
 */
export interface TaskStore {
  put(task: Task): Promise<void>;
  /** Changes one record. No effect if it was removed. */
  update(id: string, change: (task: Task) => Task): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  /** Whether a task of a video keeps its files. Reads no task. */
  holdsVideo(): Promise<boolean>;
  /**
   * A page of the list, which is never read at once: a host may have a hundred thousand tasks, and before each further
   * page it does its other work.
   *
   * Pages neither repeat nor omit a task that exists all the time, whatever is added or removed.
   *
   * @param before `next` of the page before; undefined: the newest tasks
   * @returns undefined if `before` is not a start of a page
   */
  page(limit: number, before: string | undefined): Promise<TaskPage | undefined>;
  remove(id: string): Promise<void>;
  /**
   * Marks a task while its files are being stored or removed, or unmarks it.
   *
   * Files and records cannot change in one transaction. After a crash in between, the next start finds the task here
   * and keeps or removes its files according to the record.
   */
  setFilesInDoubt(id: string, inDoubt: boolean): Promise<void>;
  /** Ids of the marked tasks, in no particular order. */
  listFilesInDoubt(): Promise<readonly string[]>;
}
