import { listFiles } from '../adapters/list-files';
import type { StorageFolders } from '../adapters/storage';

/** Keys of all files of tasks. Folders without files are left out. */
export const keysIn = async (folders: StorageFolders): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const { key } of listFiles(folders)) if (!key.endsWith('/')) keys.push(key);
  return keys;
};
