import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Time limit: a program that runs longer has failed. */
const LIMIT_MS = 90_000;

/**
 * Runs a program to its end, in `folder` if given.
 * @returns its output
 * @throws with its error output if it fails
 */
export const runProgram = async (command: string, args: readonly string[], cwd?: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { timeout: LIMIT_MS, cwd });
  return stdout;
};
