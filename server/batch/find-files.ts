import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { readProblem } from './file-problem';

/** A file that may be an image or a video. */
export interface FoundFile {
  readonly path: string;
  /** Path of its result below the output folder, with `/` as the separator. */
  readonly name: string;
  /** Whether it is named on the command line; otherwise it was found in a folder. */
  readonly isNamed: boolean;
}

/** Why an entry is not processed. `failed` is an error; `left` is not. */
export interface NotTaken {
  readonly kind: 'failed' | 'left';
  readonly path: string;
  readonly reason: string;
}

type Found = FoundFile | NotTaken;
export const isFile = (found: Found): found is FoundFile => 'name' in found;

const joined = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);
const failed = (path: string, reason: string): NotTaken => ({ kind: 'failed', path, reason });
const left = (path: string, reason: string): NotTaken => ({ kind: 'left', path, reason });

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

/**
 * @param name path of the folder's results below the output folder, '' for the output folder itself
 * @param leftOut path of a folder that is skipped; undefined: none
 */
async function* walk(folder: string, name: string, leftOut: string | undefined): AsyncGenerator<Found> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    yield failed(folder, readProblem(error));
    return;
  }
  // Hidden entries are internal files of programs: thumbnails, caches, resource forks of other systems.
  const visible = entries.filter((entry) => !entry.name.startsWith('.'));
  visible.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of visible) {
    const path = join(folder, entry.name);
    const file: FoundFile = { path, name: joined(name, entry.name), isNamed: false };
    if (entry.isDirectory()) {
      if (path !== leftOut) yield* walk(path, file.name, leftOut);
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
 *
 * @param outputFolder an existing folder; skipped if it is inside an input. Undefined: results are beside their sources
 */
export async function* findFiles(
  inputs: readonly string[],
  outputFolder: string | undefined,
): AsyncGenerator<Found> {
  const output = outputFolder === undefined ? undefined : await realpath(outputFolder);
  for (const input of inputs) {
    try {
      const about = await stat(input);
      const name = basename(resolve(input));
      const leftOut = output === undefined ? undefined : join(input, relative(await realpath(input), output));
      if (about.isFile()) yield { path: input, name, isNamed: true };
      else if (!about.isDirectory()) yield failed(input, 'It is neither a file nor a folder.');
      else yield* walk(input, inputs.length === 1 ? '' : name, leftOut);
    } catch (error) {
      yield failed(input, readProblem(error));
    }
  }
}
