import { createHash } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { ResultFile } from '#shared/tasks/files/results';
import { isDiskFile, writeAt } from '../adapters/disk-file';
import { FileProblem, writeProblem } from './file-problem';
import { type MediaFile, allNames } from './media-file';

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

export const doResultsExist = async (folder: string, names: readonly string[]): Promise<boolean> => {
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
export const checkPlaces = async (file: MediaFile): Promise<void> => {
  const { folder, manifest } = file;
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

/** A text that is written piece by piece. @returns what appends a piece */
export const createText = (file: UnfinishedResult): ((text: string) => Promise<void>) => {
  let position = 0;
  return async (text) => {
    const bytes = new TextEncoder().encode(text);
    await file.write(position, bytes);
    position += bytes.byteLength;
  };
};

/** Who may read a result, as modes of its file and of folders that are created for it; absent: as usual. */
interface Access {
  readonly file: number;
  readonly folder: number;
}

/** Only the user who runs the program. */
export const OWNER_ONLY: Access = { file: 0o600, folder: 0o700 };

/** The results of one file while they are written. They have temporary names until all of them are complete. */
export interface UnfinishedResults {
  /** @param name path below the output folder. @throws FileProblem, DiskFull */
  create(name: string, access?: Access): Promise<UnfinishedResult>;
  /** Copies a file, or moves it if it may be moved. @throws FileProblem, DiskFull */
  put(name: string, file: ResultFile): Promise<void>;
  /** Removes a result that is not complete. */
  drop(name: string): Promise<void>;
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

async function* piecesOf(file: ResultFile): AsyncIterable<Uint8Array> {
  if (file instanceof Uint8Array) yield file;
  else yield* file.read(0, file.sizeBytes);
}

/** Moves a file. @returns false where its new place is on another disk */
const move = async (path: string, place: string): Promise<boolean> => {
  try {
    await rename(path, place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EXDEV') return false;
    throw error;
  }
};

/** @param moved a folder whose files may be moved into the results; undefined: all files stay where they are */
export const beginResults = (folder: string, moved?: string): UnfinishedResults => {
  const handles = new Map<string, FileHandle>();
  const openAt = async (name: string, flags: 'w' | 'r+', access?: Access): Promise<FileHandle> => {
    const path = join(folder, name);
    const handle = await open(unfinishedPath(path), flags, access?.file);
    handles.set(path, handle);
    return handle;
  };
  const create: UnfinishedResults['create'] = (name, access) =>
    reported(async () => {
      await mkdir(dirname(join(folder, name)), { recursive: true, ...(access && { mode: access.folder }) });
      const handle = await openAt(name, 'w', access);
      return { write: (position, bytes) => reported(() => writeAt(handle, position, bytes)) };
    });
  const isMoved = async (name: string, file: ResultFile): Promise<boolean> => {
    const { path } = 'handle' in file && isDiskFile(file.handle) ? file.handle : { path: '' };
    if (moved === undefined || !path.startsWith(resolve(moved) + sep)) return false;
    const place = join(folder, name);
    await mkdir(dirname(place), { recursive: true });
    if (!(await move(path, unfinishedPath(place)))) return false;
    await openAt(name, 'r+');
    return true;
  };
  const remove = async (path: string): Promise<void> => {
    await handles
      .get(path)
      ?.close()
      .catch(() => undefined); // already closed if the renaming failed
    await rm(unfinishedPath(path), { force: true }).catch(() => undefined);
    handles.delete(path);
  };
  return {
    create,
    drop: (name) => remove(join(folder, name)),
    put: async (name, file) => {
      if (await reported(() => isMoved(name, file))) return;
      const target = await create(name);
      let position = 0;
      for await (const piece of piecesOf(file)) {
        await target.write(position, piece);
        position += piece.byteLength;
      }
    },
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
      for (const path of [...handles.keys()]) await remove(path);
    },
  };
};

/** Removes results of an earlier run that this one did not write: such a mask would not match the image any more. */
export const removeResults = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true });
};
