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
