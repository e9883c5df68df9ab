import { createHash } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeAt } from '../adapters/write-at';
import { FileProblem, writeProblem } from './file-problem';
import type { Manifest } from './manifest';
import type { MediaFile } from './media-file';
import { allNames } from './output-names';

const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw writeProblem(error);
  }
};

/** Whether a result exists and is not empty: a full disk may leave empty files. */
const isWhole = async (path: string): Promise<boolean> => {
  try {
    const about = await lstat(path);
    return about.isFile() && about.size > 0;
  } catch {
    return false;
  }
};

export const areResultsThere = async (folder: string, names: readonly string[]): Promise<boolean> => {
  const there = await Promise.all(names.map((name) => isWhole(join(folder, name))));
  return there.every(Boolean);
};

/** The path of a file with all links resolved. Its folder need not exist yet. */
const realPlace = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
};

/**
 * Ensures that only earlier results of the same file are overwritten.
 *
 * @throws FileProblem
 */
export const checkPlaces = async (folder: string, file: MediaFile, manifest: Manifest): Promise<void> => {
  const entry = manifest.get(file.name);
  const input = await realPlace(file.path);
  for (const name of allNames(file.outputs)) {
    const path = join(folder, name);
    if (!(await exists(path))) continue;
    if ((await realPlace(path)) === input) {
      throw new FileProblem('Its result would overwrite it: choose another --output.');
    }
    if (manifest.ownerOf(name) !== file.name) {
      throw new FileProblem(`Its result ${name} cannot be written: another file has this name.`);
    }
    // A file with the same content and another path was moved together with its folder.
    if (entry && entry.from !== file.from && entry.source !== file.source) {
      throw new FileProblem(
        `Its result ${name} cannot be written: the result of another ${file.kind} has this name.`,
      );
    }
  }
};

/** Temporary path next to the result, so that it can be renamed. Always the same, so that a later run reuses it. */
const unfinishedPath = (path: string): string => {
  const tag = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(dirname(path), `.veil-${tag}.part`);
};

/** A result that is being written. */
export interface UnfinishedResult {
  /** @param position in bytes. @throws FileProblem, DiskFull */
  write(position: number, bytes: Uint8Array): Promise<void>;
}

/** The results of one file while they are written. They have temporary names until all of them are complete. */
export interface UnfinishedResults {
  /** @param name path below the output folder. @throws FileProblem, DiskFull */
  create(name: string): Promise<UnfinishedResult>;
  /** Renames all results to their final names. @throws FileProblem, DiskFull */
  commit(): Promise<void>;
  /** Removes results that were not committed. */
  discard(): Promise<void>;
}

const reported = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw writeProblem(error);
  }
};

export const beginResults = (folder: string): UnfinishedResults => {
  const handles = new Map<string, FileHandle>();
  return {
    create: (name) =>
      reported(async () => {
        const path = join(folder, name);
        await mkdir(dirname(path), { recursive: true });
        const handle = await open(unfinishedPath(path), 'w');
        handles.set(path, handle);
        return { write: (position, bytes) => reported(() => writeAt(handle, position, bytes)) };
      }),
    commit: () =>
      reported(async () => {
        for (const handle of handles.values()) await handle.sync();
        for (const [path, handle] of handles) {
          await handle.close();
          await rename(unfinishedPath(path), path);
          handles.delete(path);
        }
      }),
    discard: async () => {
      for (const [path, handle] of handles) {
        await handle.close().catch(() => undefined); // already closed if the renaming failed
        await rm(unfinishedPath(path), { force: true }).catch(() => undefined);
      }
      handles.clear();
    },
  };
};

/** Removes results of an earlier run that this one did not write: such a mask would not match the image any more. */
export const removeResults = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true });
};
