/**
 * A file that can be read piece by piece, however large it is. Each reading opens it again, and closes it at its end.
 */
export interface StoredFile {
  readonly sizeBytes: number;
  /**
   * The bytes from `start` up to, not including, `end`, in pieces of bounded size.
   *
   * Nothing is opened before the first piece is asked for, so that a reading which never begins leaves nothing open; it
   * is closed when the reader stops. Rejects where the file has been removed meanwhile.
   *
   * @param end at most `sizeBytes`
   */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
  /** See `ByteSource`. */
  readonly handle?: unknown;
}

/** A file that is being written: it is not visible before it is committed. */
export interface UnfinishedFile {
  /** @param position in bytes; writers may overwrite earlier parts */
  write(position: number, bytes: Uint8Array): Promise<void>;
  /** Gives the file its key, whole and durable. */
  commit(): Promise<void>;
  /** Removes it; nothing happens where it has been committed. */
  discard(): Promise<void>;
}

/** Files of tasks by key: `<folder>/<task id>/<name>`, relative to the host's root for that folder. */
export interface Storage {
  /** Whole or not at all: a reader never sees half a file. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns undefined where there is no such file */
  read(key: string): Promise<Uint8Array | undefined>;
  /** For files that are passed on unread. @returns undefined where there is no such file */
  open(key: string): Promise<StoredFile | undefined>;
  /** For files that are too large for memory. */
  create(key: string): Promise<UnfinishedFile>;
  /** Removes every file whose key begins with `prefix`. */
  remove(prefix: string): Promise<void>;
}

/** A file that a host has received and not yet stored. */
export interface ReceivedFile {
  readonly sizeBytes: number;
  read(): Promise<Uint8Array>;
  /** As many of its first bytes as decide its format (`VIDEO_HEAD_BYTES`), or all of a shorter file. */
  head(): Promise<Uint8Array>;
  /** See `digestPieces`. Rejects where the host was not asked for it when it received the file. */
  digest(): Promise<string>;
  /** Stores it under `key`; the received copy is gone afterwards. */
  moveTo(key: string): Promise<void>;
  discard(): Promise<void>;
}
