import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findFiles, isFile } from '../batch/find-files';
import type { Entry } from '../batch/manifest';
import { fingerprint } from '../batch/plan-batch';
import { StartProblem } from '../cli/start-problem';

/** Whether a path is that of the source, and whether its content is still the same. */
type Match = 'same' | 'changed' | 'other';

const matchOf = async (path: string, { from, source }: Entry): Promise<Match> => {
  try {
    const { size, mtimeMs } = await stat(path);
    if (fingerprint([size, mtimeMs]) === source) return 'same';
    return fingerprint(await realpath(path)) === from ? 'changed' : 'other';
  } catch {
    return 'other';
  }
};

/** Possible paths of a source, by the name of its result. */
type Places = (name: string) => readonly string[];

const subfolders = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name));
};

/**
 * Places in and near the working directory and the result folder.
 *
 * The manifest contains no paths, because the folder may be given to other people. Its hashes confirm a path.
 */
const nearPlaces = async (resultFolder: string): Promise<Places> => {
  const roots = [...new Set([process.cwd(), dirname(resolve(resultFolder))])];
  const folders = [...roots, ...(await Promise.all(roots.map(subfolders))).flat()];
  const searched = folders.filter((folder) => folder !== resolve(resultFolder));
  return (name) => searched.map((folder) => join(folder, name));
};

const givenPlaces = async (sources: readonly string[], resultFolder: string): Promise<Places> => {
  const paths = new Map<string, string>();
  for await (const found of findFiles(sources, resultFolder)) {
    if (isFile(found)) paths.set(found.name, found.path);
  }
  return (name) => [paths.get(name)].filter((path) => path !== undefined);
};

const sourceOf = async (entry: Entry, places: Places, resultFolder: string): Promise<string> => {
  const { name } = entry;
  let hasChanged = false;
  for (const path of places(name)) {
    const match = await matchOf(path, entry);
    if (match === 'same') return path;
    hasChanged ||= match === 'changed';
  }
  throw new StartProblem(
    hasChanged
      ? `The source of ${name} has changed since its result was written: process it again first.`
      : `The source of ${name} was not found: name its file or folder after the result folder, as in "veil review ${resultFolder} photos".`,
  );
};

/**
 * Finds the sources of results.
 *
 * @param sources files and folders of the run, as typed; none: they are searched
 * @returns paths by the names of the entries
 * @throws StartProblem if one is missing or has changed
 */
export const findSources = async (
  entries: readonly Entry[],
  sources: readonly string[],
  resultFolder: string,
): Promise<ReadonlyMap<string, string>> => {
  const places =
    sources.length > 0 ? await givenPlaces(sources, resultFolder) : await nearPlaces(resultFolder);
  const found = new Map<string, string>();
  for (const entry of entries) found.set(entry.name, await sourceOf(entry, places, resultFolder));
  return found;
};
