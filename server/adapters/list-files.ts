import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageFolders } from './storage';
import { KEY_FOLDERS } from './storage-key';

/** A stored file, or a folder without files. */
export interface ListedFile {
  /** With a slash at its end for a folder. */
  readonly key: string;
  readonly sizeBytes: number;
  /** Milliseconds since the epoch, by the clock of the file store. */
  readonly modifiedMs: number;
}

/** Ids of tasks, and names of folders of attempts. Nothing else is looked into: it belongs to somebody else. */
export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const noneIfMissing = (error: unknown): [] => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
  throw error;
};

const entriesOf = (path: string): Promise<readonly Dirent[]> =>
  readdir(path, { withFileTypes: true }).catch(noneIfMissing);

async function* listEntry(path: string, key: string): AsyncGenerator<ListedFile> {
  const [found] = await lstat(path).then((stats) => [stats], noneIfMissing);
  if (found) yield { key, sizeBytes: found.size, modifiedMs: found.mtimeMs };
}

/** Links are listed and not followed. */
async function* listFolder(path: string, key: string): AsyncGenerator<ListedFile> {
  const entries = await entriesOf(path);
  for (const entry of entries) {
    const [inner, name] = [join(path, entry.name), key + entry.name];
    if (entry.isDirectory()) yield* listFolder(inner, `${name}/`);
    else yield* listEntry(inner, name);
  }
  if (entries.length === 0) yield* listEntry(path, key);
}

/** Lists the files in all folders that are named like tasks. */
export async function* listFiles(folders: StorageFolders): AsyncGenerator<ListedFile> {
  for (const root of KEY_FOLDERS) {
    for (const entry of await entriesOf(folders[root])) {
      if (!entry.isDirectory() || !UUID.test(entry.name)) continue;
      yield* listFolder(join(folders[root], entry.name), `${root}/${entry.name}/`);
    }
  }
}
