import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ByteSource } from '#shared/ports/video';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';

/** Error codes of Node and SQLite for a disk that cannot be written to, or not be reached. */
const REASONS = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  SQLITE_FULL: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  SQLITE_READONLY: 'read-only',
  // Of network file systems.
  ESTALE: 'unreachable',
  ENOTCONN: 'unreachable',
  EHOSTDOWN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
} as const satisfies Record<string, ConstructorParameters<typeof StorageUnavailable>[0]>;

const isRefusal = (code: unknown): code is keyof typeof REASONS =>
  typeof code === 'string' && Object.hasOwn(REASONS, code);

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Translates an error of a full, read-only or lost disk to {@link StorageUnavailable}; returns others unchanged. */
export const asDiskRefusal = (error: unknown): unknown => {
  const code = codeOf(error);
  return isRefusal(code) ? new StorageUnavailable(REASONS[code], error) : error;
};

/** Runs work on the disk and translates its errors by {@link asDiskRefusal}. */
export const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw asDiskRefusal(error);
  }
};

/** The same for reading, where only an unreachable disk is no fault of the service. */
export const whileReading = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw isRefusal(code) && REASONS[code] === 'unreachable' ? asDiskRefusal(error) : error;
  }
};

/** Writes all of `bytes`, because one write may be partial on a nearly full disk. @param position in bytes */
export const writeAt = async (file: FileHandle, position: number, bytes: Uint8Array): Promise<void> => {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
};

/** @param end exclusive, in bytes. @throws RangeError where the file ends before it */
export const readExactly = async (file: FileHandle, start: number, end: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start);
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesRead } = await file.read(bytes, done, bytes.byteLength - done, start + done);
    if (bytesRead === 0) throw new RangeError('The file ends before the requested bytes.');
    done += bytesRead;
  }
  return bytes;
};

/** The `handle` of a `ByteSource` on this host: paths for ffmpeg, which reads the file itself. */
export interface DiskFile {
  /** Absolute path of the file. */
  readonly path: string;
  /**
   * Path for a temporary converted copy, in a folder that only this user can read. On a server it is always the same,
   * so that a later run replaces a copy that was left behind. Audio that is converted alone has the same path with `.audio` appended.
   */
  readonly convertedPath: string;
}

export const isDiskFile = (handle: unknown): handle is DiskFile =>
  typeof handle === 'object' && handle !== null && 'convertedPath' in handle;

/** @throws Error where the source has no handle of this host */
export const diskFileOf = (handle: unknown): DiskFile => {
  if (isDiskFile(handle)) return handle;
  throw new Error('A video without a file on disk cannot be converted.');
};

/** A file of this machine. It is opened for each reading, so that nothing stays open. */
export const diskSource = (
  path: string,
  sizeBytes: number,
  convertedPath = `${path}.converted.mp4`,
): ByteSource => {
  const handle: DiskFile = { path: resolve(path), convertedPath: resolve(convertedPath) };
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const file = await open(path, 'r');
    try {
      return await readExactly(file, start, end);
    } finally {
      await file.close();
    }
  };
  return { sizeBytes, handle, read };
};
