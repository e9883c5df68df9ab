import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Time limit: a program that runs longer has failed. */
const LIMIT_MS = 90_000;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 2;

interface Surroundings {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/**
 * Runs a program to its end.
 * @returns its output
 * @throws with its error output if it fails
 */
export const runProgram = async (
  command: string,
  args: readonly string[],
  { cwd, env, timeoutMs = LIMIT_MS }: Surroundings = {},
): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, {
    ...{ timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES },
    ...{ cwd, env },
  });
  return stdout;
};
