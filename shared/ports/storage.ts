/** Files of tasks by key: `<folder>/<task id>/<name>`, relative to the host's root for that folder. */
export interface Storage {
  /** Whole or not at all: a reader never sees half a file. */
  write(key: string, bytes: Uint8Array): Promise<void>;
  /** @returns undefined where there is no such file */
  read(key: string): Promise<Uint8Array | undefined>;
  /** Removes every file whose key begins with `prefix`. */
  remove(prefix: string): Promise<void>;
}

/** A file that a host has received and not yet filed. */
export interface ReceivedFile {
  readonly sizeBytes: number;
  read(): Promise<Uint8Array>;
  /** Files it under `key`; the received copy is gone afterwards. */
  moveTo(key: string): Promise<void>;
  discard(): Promise<void>;
}
