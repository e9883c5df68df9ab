import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { FileSettings } from '../cli/file-settings';
import { FileProblem, readProblem } from './file-problem';
import { readFolderSettings, SETTINGS_NAME } from './folder-settings';

/** A file that may be an image or a video. */
export interface FoundFile {
  readonly path: string;
  /** Path of its result below the output folder, with `/` as the separator. */
  readonly name: string;
  /** Whether it is named on the command line; otherwise it was found in a folder. */
  readonly isNamed: boolean;
  /** Those of its folder; absent: those of the command line. */
  readonly settings?: FileSettings;
}

/** Why an entry is not processed. `failed` is an error; `left` is not. */
export interface SkippedEntry {
  readonly kind: 'failed' | 'left';
  readonly path: string;
  readonly reason: string;
}

type Found = FoundFile | SkippedEntry;
export const isFile = (found: Found): found is FoundFile => 'name' in found;

const problemOf = (error: unknown): string =>
  error instanceof FileProblem ? error.message : readProblem(error);
const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const failed = (path: string, reason: string): SkippedEntry => ({ kind: 'failed', path, reason });
const left = (path: string, reason: string): SkippedEntry => ({ kind: 'left', path, reason });

/** Follows links to files. Links to folders are not followed: they may be circular or lead to other places. */
const followLink = async (file: FoundFile): Promise<Found> => {
  try {
    const target = await stat(file.path);
    if (target.isFile()) return file;
    return left(
      file.path,
      'It is a link to a folder; such links are followed only if they are given as inputs.',
    );
  } catch (error) {
    return failed(file.path, readProblem(error));
  }
};

/** How the folders of a run are searched. */
export interface Search {
  /** An existing folder; skipped if it is inside an input. Undefined: results are next to their sources. */
  readonly outputFolder: string | undefined;
  /** Settings of files that those of folders change; absent: folders have none. */
  readonly settings?: FileSettings | undefined;
}

interface Place extends Pick<Search, 'settings'> {
  /** Path of the folder's results below the output folder, '' for the output folder itself. */
  readonly name: string;
  /** Path of a folder that is skipped; undefined: none. */
  readonly leftOut: string | undefined;
}

/** The settings of a folder for the files and folders in it. @throws FileProblem */
const within = async (
  folder: string,
  { settings }: Pick<Search, 'settings'>,
): Promise<Pick<FoundFile, 'settings'>> =>
  settings ? { settings: await readFolderSettings(folder, settings) } : {};

async function* walk(folder: string, { name, leftOut, ...above }: Place): AsyncGenerator<Found> {
  let entries;
  let own: Pick<FoundFile, 'settings'>;
  try {
    entries = await readdir(folder, { withFileTypes: true });
    own = await within(folder, above);
  } catch (error) {
    yield failed(folder, problemOf(error));
    return;
  }
  // Hidden entries are internal files of programs: thumbnails, caches, resource forks of other systems.
  const visible = entries.filter(
    (entry) => !entry.name.startsWith('.') && !(own.settings && entry.name === SETTINGS_NAME),
  );
  visible.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of visible) {
    const path = join(folder, entry.name);
    const file: FoundFile = { path, name: joined(name, entry.name), isNamed: false, ...own };
    if (entry.isDirectory()) {
      if (path !== leftOut) yield* walk(path, { name: file.name, leftOut, ...own });
    } else if (entry.isSymbolicLink()) yield followLink(file);
    else if (entry.isFile()) yield file;
    else yield left(path, 'It is neither a file nor a folder.');
  }
}

/**
 * Finds all files of the inputs, in a stable order.
 *
 * The tree of a single folder is kept in the output folder. Several inputs keep their own names there, so that
 * `photos/*` gives the same tree as `photos`.
 */
export async function* findFiles(
  inputs: readonly string[],
  { outputFolder, ...given }: Search,
): AsyncGenerator<Found> {
  const output = outputFolder === undefined ? undefined : await realpath(outputFolder);
  for (const input of inputs) {
    try {
      const about = await stat(input);
      const name = basename(resolve(input));
      const leftOut = output === undefined ? undefined : join(input, relative(await realpath(input), output));
      if (about.isFile()) {
        yield { path: input, name, isNamed: true, ...(await within(dirname(input), given)) };
      } else if (!about.isDirectory()) yield failed(input, 'It is neither a file nor a folder.');
      else yield* walk(input, { name: inputs.length === 1 ? '' : name, leftOut, ...given });
    } catch (error) {
      yield failed(input, problemOf(error));
    }
  }
}
