import { createHash } from 'node:crypto';
import { lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { PictureProblem, writeProblem } from './file-problem';
import type { Manifest } from './manifest';
import { allNames } from './output-names';
import type { Picture } from './picture';

/** File names below the output folder, and what goes into each. */
export type ResultFiles = ReadonlyMap<string, Uint8Array | string>;

const exists = async (path: string): Promise<boolean> => {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw writeProblem(error);
  }
};

/** Empty files are what a full disk leaves. */
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

/** Where the file would stand if all links were followed; its folder may not be there yet. */
const realPlace = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
};

/**
 * Makes sure that nothing is written over but earlier results of the same picture.
 *
 * @throws PictureProblem
 */
export const checkPlaces = async (folder: string, picture: Picture, manifest: Manifest): Promise<void> => {
  const entry = manifest.get(picture.name);
  const input = await realPlace(picture.path);
  for (const name of allNames(picture.outputs)) {
    const path = join(folder, name);
    if (!(await exists(path))) continue;
    if ((await realPlace(path)) === input) {
      throw new PictureProblem('Its result would be written over it: choose another --output.');
    }
    if (manifest.ownerOf(name) !== picture.name) {
      throw new PictureProblem(`Its result ${name} cannot be written: another file of that name is there.`);
    }
    // The same file elsewhere was moved together with its folder.
    if (entry && entry.from !== picture.from && entry.source !== picture.source) {
      throw new PictureProblem(`Its result ${name} cannot be written: another picture's is there.`);
    }
  }
};

/** Beside the result, so that it can be renamed; the same at each try, so that none is left behind. */
const unfinishedPath = (path: string): string => {
  const tag = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(dirname(path), `.veil-${tag}.part`);
};

const writeDurably = async (path: string, content: Uint8Array | string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'w');
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
};

/**
 * Writes a picture's results: first all of them under other names, then each gets its own.
 *
 * @throws PictureProblem, DiskFull
 */
export const writeResults = async (folder: string, files: ResultFiles): Promise<void> => {
  const paths = [...files.keys()].map((name) => join(folder, name));
  try {
    for (const [name, content] of files) await writeDurably(unfinishedPath(join(folder, name)), content);
    for (const path of paths) await rename(unfinishedPath(path), path);
  } catch (error) {
    for (const path of paths) await rm(unfinishedPath(path), { force: true }).catch(() => undefined);
    throw writeProblem(error);
  }
};

/** Removes what an earlier run wrote for a picture and this one did not: a mask would no longer fit it. */
export const removeResults = async (folder: string, names: readonly string[]): Promise<void> => {
  for (const name of names) await rm(join(folder, name), { force: true });
};
