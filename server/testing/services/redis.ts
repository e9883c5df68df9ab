import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port';
import { findService } from './install';

const START_MS = 10_000;
const POLL_MS = 20;

/** A Redis server of its own, on a free port of this machine and with a temporary folder. */
export interface RedisServer {
  readonly port: number;
  /** `redis://…` */
  readonly url: string;
  /** Starts it again after `stop` or `kill`, on the same port. Data is kept only with `appendonly`. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it by SIGKILL. */
  kill(): Promise<void>;
  /** Suspends it: connections stay open, and nothing is answered. */
  suspend(): void;
  resume(): void;
  /** Ends it and deletes its folder. */
  remove(): Promise<void>;
}

export interface RedisServerOptions {
  /** Keeps data over a restart. */
  readonly keepsData?: boolean;
  /** More arguments of `redis-server`. */
  readonly args?: readonly string[];
}

/** The program; undefined, after a printed sentence, if tests with it must be skipped. */
export const findRedis = (): Promise<string | undefined> =>
  findService({ service: 'Redis', program: 'redis-server', aptPackage: 'redis-server' });

/** Whether something accepts connections. */
const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

const whenListening = async (port: number): Promise<void> => {
  for (const endMs = Date.now() + START_MS; Date.now() < endMs; await delay(POLL_MS)) {
    if (await isListening(port)) return;
  }
  throw new Error(`redis-server does not listen on port ${port}`);
};

/** Starts a Redis server. @param program see `findRedis` */
export const startRedis = async (
  program: string,
  { keepsData = false, args = [] }: RedisServerOptions = {},
): Promise<RedisServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'veil-redis-'));
  const port = await freePort();
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const appendonly = ['--appendonly', keepsData ? 'yes' : 'no'];
  let child: ChildProcess | undefined;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending?.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    await exited;
  };
  const start = async (): Promise<void> => {
    child = spawn(program, [...settings, ...appendonly, ...args], { stdio: 'ignore' });
    await whenListening(port);
  };
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    remove: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await start();
  return server;
};
