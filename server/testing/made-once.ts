import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './with-lock';

/** Variable with the folder of a run of Vitest, which its processes inherit. */
const RUN_FOLDER = 'VEIL_TEST_RUN';
/** Inside the repository, so that built programs find the packages that are not bundled. */
export const CACHE = join(import.meta.dirname, '../../node_modules/.cache');

/**
 * Creates the folder of a run before its first test.
 *
 * @returns a function that deletes it after the last one
 */
export default function openRun(): () => void {
  // Each of the projects opens it.
  if (process.env[RUN_FOLDER] !== undefined) return () => undefined;
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'veil-run-'));
  process.env[RUN_FOLDER] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Makes files that many test files need once in a run, by the first that needs them: a build of the server takes four
 * seconds of a core.
 *
 * @param name of the folder; may contain slashes
 * @param make fills a folder, which may not exist yet
 * @returns the folder, which nobody changes; undefined outside of Vitest, where each program makes its own
 */
export const madeOnce = async (
  name: string,
  make: (folder: string) => void | Promise<void>,
): Promise<string | undefined> => {
  const run = process.env[RUN_FOLDER];
  if (run === undefined) return undefined;
  const folder = join(run, name);
  mkdirSync(dirname(folder), { recursive: true });
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(folder)) return;
    await make(`${folder}.new`);
    renameSync(`${folder}.new`, folder);
  });
  return folder;
};
