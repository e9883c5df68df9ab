import { StorageUnavailable } from '#shared/tasks/base/storage-unavailable';

/** Error codes of Node and SQLite for a disk that cannot be written to. */
const REASONS = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  SQLITE_FULL: 'full',
  EROFS: 'read-only',
  EACCES: 'read-only',
  EPERM: 'read-only',
  SQLITE_READONLY: 'read-only',
} as const satisfies Record<string, ConstructorParameters<typeof StorageUnavailable>[0]>;

const isRefusal = (code: unknown): code is keyof typeof REASONS =>
  typeof code === 'string' && Object.hasOwn(REASONS, code);

/** Translates an error of a full or read-only disk to {@link StorageUnavailable}; returns other errors unchanged. */
export const asDiskRefusal = (error: unknown): unknown => {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
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
