import { open } from 'node:fs/promises';

/**
 * Makes a folder's entries durable: a new, renamed or removed file is otherwise safe only as far as its content goes.
 *
 * Nothing is done on Windows, which cannot open folders.
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
