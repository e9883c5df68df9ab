import type { ReceivedFile } from '../ports/storage';
import type { Engine, ImageEncoding, ImageFormat, MaskKind } from '../ports/engine';
import type { Log } from '../ports/log';
import type { Storage } from '../ports/storage';
import type { System } from '../ports/system';
import type { TaskStore } from '../ports/task-store';
import type { ImageOptions } from '../pipeline/options';
import type { ImageReport } from '../pipeline/image-report';
import type { ServiceSettings } from './settings';
import type { Task } from './task';

export interface TaskPorts {
  readonly engine: Engine;
  readonly storage: Storage;
  readonly taskStore: TaskStore;
  readonly system: System;
  readonly log: Log;
}

/** A checked upload. */
export interface Submission {
  readonly file: ReceivedFile;
  readonly filename: string;
  readonly format: ImageFormat;
  readonly options: ImageOptions;
}

/** How a task ended: what a synchronous upload answers. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreadable'; readonly sentence: string }
  | { readonly kind: 'fault' }
  | { readonly kind: 'deleted' };

/** A done image task's result, without its files. */
export interface StoredResult {
  readonly report: ImageReport;
  readonly sourceFormat: ImageFormat;
  /** False with `detect`. */
  readonly anonymised: boolean;
  readonly masks: readonly MaskKind[];
}

export type DeleteScope = 'task-and-files' | 'only-files';

/** The tasks of one host: accepted, queued, run, kept and deleted. */
export interface TaskService {
  /** Something is being processed or waits for it. */
  isBusy(): boolean;
  /** Files the upload and queues its task. Resolves when both are safe; `outcome` never rejects. */
  submit(submission: Submission): Promise<{ readonly task: Task; readonly outcome: Promise<Outcome> }>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** Stops the task if it runs. @returns false where there is no such task */
  delete(id: string, scope: DeleteScope): Promise<boolean>;
  deleteAll(scope: DeleteScope): Promise<void>;
  /** The four below: undefined where the task has no such file (any more). */
  result(id: string): Promise<StoredResult | undefined>;
  anonymised(id: string, encoding: ImageEncoding): Promise<Uint8Array | undefined>;
  mask(id: string, kind: MaskKind, scalePercent: number): Promise<Uint8Array | undefined>;
  /** Queues again what an earlier run of the host left unfinished. Call once, at start. */
  resume(): Promise<void>;
}

export const createTaskService = (_ports: TaskPorts, _settings: ServiceSettings): TaskService => {
  throw new Error('being written');
};
