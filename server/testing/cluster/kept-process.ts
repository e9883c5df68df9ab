import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const RESTART_MS = 500;
const POLL_MS = 50;
const READY_MS = 60_000;
/** Printed by both roles. */
const READY = /is ready/;

/** A process that is started again when it ends by itself, as service managers do. */
export interface KeptProcess {
  readonly name: string;
  readonly origin: string;
  /** Process id; undefined if it does not run. */
  pid(): number | undefined;
  start(): void;
  /** Resolves when a request to a path is successful. */
  answers(path: string): Promise<void>;
  /** Ends it by SIGKILL. It stays ended. */
  kill(): Promise<void>;
  /** Ends it by SIGTERM. It stays ended. @returns its exit code */
  terminate(): Promise<number | null>;
  /** Suspends it: connections stay open, and nothing is answered. */
  suspend(): void;
  resume(): void;
  /** How often it ended by itself after it had been ready. Before that, it ends if its services cannot be reached. */
  crashes(): number;
  /** What it has written, over all its starts. */
  output(): string;
}

export interface KeptProcessOptions {
  readonly name: string;
  readonly origin: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The only core on which it runs (Linux); undefined: all. */
  readonly core?: number;
  /** Path of the file to which its output is appended. */
  readonly logPath: string;
}

/** Processes that run. A test that is aborted leaves none. */
const kept = new Set<{ readonly killNow: () => void }>();
process.once('exit', () => kept.forEach(({ killNow }) => killNow()));

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

/** @returns a process that is not started yet */
export const createKeptProcess = (options: KeptProcessOptions): KeptProcess => {
  const { name, origin, args, env, core, logPath } = options;
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  let child: ChildProcess | undefined;
  let isWanted = false;
  let crashes = 0;
  const self = { killNow: () => void child?.kill('SIGKILL') };

  const run = (): void => {
    const log = openSync(logPath, 'a');
    const { size } = fstatSync(log);
    const [program = '', ...rest] = [...pinned, process.execPath, ...args];
    child = spawn(program, rest, { env, stdio: ['ignore', log, log] });
    closeSync(log);
    child.once('exit', () => {
      if (!isWanted) return;
      if (READY.test(readFileSync(logPath).subarray(size).toString())) crashes += 1;
      setTimeout(() => {
        if (isWanted) run();
      }, RESTART_MS);
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    isWanted = false;
    kept.delete(self);
    if (!child || hasEnded(child)) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  return {
    name,
    origin,
    pid: () => (child && !hasEnded(child) ? child.pid : undefined),
    start: () => {
      isWanted = true;
      kept.add(self);
      run();
    },
    answers: async (path) => {
      for (const endMs = performance.now() + READY_MS; performance.now() < endMs; await sleep(POLL_MS)) {
        if ((await fetch(origin + path).catch(() => undefined))?.ok) return;
      }
      throw new Error(`${name} does not answer:\n${readFileSync(logPath, 'utf8').slice(-2000)}`);
    },
    kill: async () => void (await end('SIGKILL')),
    terminate: () => end('SIGTERM'),
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    crashes: () => crashes,
    output: () => readFileSync(logPath, 'utf8'),
  };
};
