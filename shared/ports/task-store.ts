import type { Task } from '../domain/task';

/**
 * Task records, and whose files are in doubt.
 *
 * Calls take effect in the order in which they are made, each as a whole; what a write did is durable when it resolves.
 */
export interface TaskStore {
  put(task: Task): Promise<void>;
  /** Changes one record; nothing happens where it is gone. */
  update(id: string, change: (task: Task) => Task): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  remove(id: string): Promise<void>;
  /**
   * Notes that a task's files are being filed or removed, or that they no longer are.
   *
   * Files and records change one after the other, never together. A host that goes down in between finds the task
   * here at its next start, and lets the record say whether its files stay.
   */
  setFilesInDoubt(id: string, inDoubt: boolean): Promise<void>;
  /** Ids of tasks, in no order. */
  listFilesInDoubt(): Promise<readonly string[]>;
}
