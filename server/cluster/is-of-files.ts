import { ServiceUnavailable } from '#shared/tasks/base/service-unavailable';
import { StorageUnavailable } from '#shared/tasks/base/storage-unavailable';

/** Whether an error means that files or records cannot be read or written: the work is put back. */
export const isOfFiles = (error: unknown): boolean =>
  error instanceof StorageUnavailable || error instanceof ServiceUnavailable;
