import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A program that hangs has failed. */
const LIMIT_MS = 90_000;

/** Runs a program to its end, in a folder where one is given. @returns what it printed @throws with what it said, where it fails */
export const runProgram = async (command: string, args: readonly string[], cwd?: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, { timeout: LIMIT_MS, cwd });
  return stdout;
};
