import { spawn } from 'node:child_process';
import { watchMemory } from '../process-memory';

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

/** Result of a command. */
export interface CommandRun {
  readonly seconds: number;
  /** NaN if the system does not report it. */
  readonly peakMiB: number;
  readonly output: string;
}

/** The last line with text, which usually contains the error. */
export const lastLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .at(-1) ?? '';

/** The environment without the user's own settings, which would change the comparison. */
const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VEIL_')));

/**
 * Runs a command and waits for its end.
 *
 * @throws Error with the last line of its output, if it cannot be started or its exit code is not 0
 */
export const runCommand = ({ file, args }: Command): Promise<CommandRun> =>
  new Promise((resolve, reject) => {
    const startMs = performance.now();
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'], env: plainEnvironment() });
    const memory = child.pid === undefined ? undefined : watchMemory(child.pid);
    let [output, errors] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    let seconds = Number.NaN;
    // Its memory is gone by then, but its output may still arrive.
    child.once('exit', () => (seconds = (performance.now() - startMs) / 1000));
    child.once('error', reject);
    child.once('close', (code) => {
      const peakMiB = memory?.stop() ?? Number.NaN;
      if (code === 0) resolve({ seconds, peakMiB, output });
      else reject(new Error(lastLine(errors) || `it ended with code ${code}`));
    });
  });
