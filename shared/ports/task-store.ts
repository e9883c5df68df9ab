import type { Task } from '../tasks/task';

/** Task records. Writes are durable when they resolve. */
export interface TaskStore {
  put(task: Task): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  remove(id: string): Promise<void>;
}
