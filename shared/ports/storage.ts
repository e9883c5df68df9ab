import type { ByteSource } from './video';
import type { Task } from '../domain/task';
import type { Subject } from '../domain/subject';

/**
 * A file that is read in pieces, so that it may be larger than memory. Each reader opens the file and closes it again.
 */
export interface StoredFile {
  readonly sizeBytes: number;
  /**
   * The bytes from `start` up to, not including, `end`, in pieces of bounded size.
   *
   * The file is opened when the first piece is requested, so that a reader which never starts leaves nothing open. It
   * is closed when the reader stops. Rejects if the file has been removed meanwhile.
   *
   * @param end at most `sizeBytes`
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** See `ByteSource`. */
  readonly handle?: unknown;
}

/** A file that is being written. It is not visible before it is committed. */
export interface UnfinishedFile {
  /** @param position in bytes; earlier parts may be overwritten */
  write(position: number, bytes: Uint8Array): Promise<void>;
  /** Makes the complete file durable and visible under its key. */
  commit(): Promise<void>;
  /** Removes the file. No effect after `commit`. */
  discard(): Promise<void>;
}

/** Files of tasks by key: `<folder>/<task id>/<name>`, relative to the host's root for that folder. */
export interface Storage {
  /** Writes a file atomically: a reader never sees a part of it. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns undefined where there is no such file */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Opens a file that is passed on in pieces. @returns undefined where there is no such file */
  open(key: string): Promise<StoredFile | undefined>;
  /** Creates a file that is too large for memory. */
  create(key: string): Promise<UnfinishedFile>;
  /** Removes every file whose key begins with `prefix`. */
  remove(prefix: string): Promise<void>;
}

/** A file that a host has received and that is not stored yet. */
export interface ReceivedFile {
  readonly sizeBytes: number;
  /** Of all bytes; absent where the host did not compute it while it received them. */
  readonly sha256?: string;
  readonly source: ByteSource;
  /** As many of its first bytes as decide its format (`HEAD_BYTES`), or all of a shorter file. */
  head(): Promise<Uint8Array>;
  /** See `digestPieces`. Rejects where the host was not asked for it when it received the file. */
  digest(): Promise<string>;
  /** Moves the file to `key` in the storage. */
  moveTo(key: string): Promise<void>;
  discard(): Promise<void>;
}

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
