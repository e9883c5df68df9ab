import { open } from 'node:fs/promises';

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
