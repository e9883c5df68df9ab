import { renameSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';

const writeDurably = async (path: string, content: string | Uint8Array): Promise<void> => {
  const handle = await open(path, 'w');
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const temporary = (path: string): string => `${path}.new`;

/**
 * Replaces files that belong together, so that an interrupted command leaves the old ones or the new ones.
 *
 * All content is on disk before the first file is renamed, and the renames happen without interruption in this process.
 * A power cut between them is possible, so put the file that describes the others last.
 *
 * @param files content by path
 */
export const replaceFiles = async (files: ReadonlyMap<string, string | Uint8Array>): Promise<void> => {
  const paths = [...files.keys()];
  try {
    for (const [path, content] of files) await writeDurably(temporary(path), content);
    for (const path of paths) renameSync(temporary(path), path);
  } finally {
    await Promise.all(paths.map((path) => rm(temporary(path), { force: true })));
  }
};

/** Writes a file so that it is there whole or as it was. */
export const replaceFile = (path: string, content: string | Uint8Array): Promise<void> =>
  replaceFiles(new Map([[path, content]]));
