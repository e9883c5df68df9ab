import { open } from 'node:fs/promises';

/**
 * Flushes to disk once for all callers that ask while an earlier flush still runs.
 *
 * Each caller waits for a flush that began after its call, so that the flush includes what the caller wrote before.
 */
export const sharedFlush = (sync: () => Promise<void>): (() => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= last
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return sync();
      });
    last = next;
    return next;
  };
};

/**
 * Makes a folder's entries durable. Without this, a new name or a removal may be lost although the content is on disk.
 *
 * No effect on Windows, which cannot open folders.
 */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
};
