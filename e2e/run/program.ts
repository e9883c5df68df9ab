import { type ChildProcess, spawn } from 'node:child_process';
import { descendantsOf } from '../support/descendants';

/** Prints a piece of a step's output. */
export type Print = (text: string) => void;

const MINUTE_MS = 60_000;

/** For hangs alone. */
export const LIMITS = {
  /** Nine times the slowest step of `npm test`. Others end a whole run after 90 minutes, without a reason. */
  runMs: 45 * MINUTE_MS,
  /** From SIGINT to SIGKILL. Playwright waits five minutes for its processes, reports, and stops its servers. */
  stopMs: 6 * MINUTE_MS,
  /** From the end to the end of the output, which a process that was left behind may keep open. */
  outputMs: 10_000,
};

/** Another Node than this one, variables of the environment, other limits, and what to say of a program that hangs. */
export interface Surroundings {
  readonly node?: string | undefined;
  readonly env?: NodeJS.ProcessEnv;
  readonly limits?: typeof LIMITS;
  readonly status?: () => string;
}

/** Ends a program and what it has started, which would disturb the next step. */
const stop = (child: ChildProcess, stopMs: number): void => {
  const family = descendantsOf(child.pid!);
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  child.once('exit', () => {
    clearTimeout(timer);
    for (const pid of family) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended as well.
      }
    }
  });
  child.kill('SIGINT');
};

/**
 * Runs a program with a Node, by default with this one.
 *
 * @returns its exit code
 * @throws with its status if it takes longer than the limit, or if a signal ends it
 */
export const program = (
  path: string,
  args: readonly string[],
  print: Print,
  { node = process.execPath, env = {}, limits = LIMITS, status = () => '' }: Surroundings = {},
) =>
  new Promise<number>((resolve, reject) => {
    const child = spawn(node, [path, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}), ...env },
    });
    // SIGINT, because Playwright then stops its server.
    const interrupt = (): void => void child.kill('SIGINT');
    process.once('exit', interrupt);
    const streams = [child.stdout, child.stderr];
    let printedMs = Date.now();
    for (const stream of streams) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printedMs = Date.now();
        print(text);
      });
    }
    let hang: Error | undefined;
    const limit = setTimeout(() => {
      const [ran, silent] = [limits.runMs, Date.now() - printedMs].map((ms) => Math.round(ms / MINUTE_MS));
      hang = new Error(`Ended after ${ran} minutes, the last ${silent} of them without output.${status()}`);
      stop(child, limits.stopMs);
    }, limits.runMs);
    child.once('error', (error) => {
      clearTimeout(limit);
      reject(error);
    });
    child.once('exit', () => {
      clearTimeout(limit);
      const timer = setTimeout(() => streams.forEach((stream) => stream.destroy()), limits.outputMs);
      child.once('close', () => clearTimeout(timer));
    });
    child.once('close', (code, signal) => {
      process.off('exit', interrupt);
      if (hang) reject(hang);
      else if (signal) reject(new Error(`Ended by ${signal}.${status()}`));
      else resolve(code ?? 1);
    });
  });
