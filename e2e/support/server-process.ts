import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port';

/** How a process ended, and what it said to stderr. */
export interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** The built server as a process that comes and goes, always with the same folders and address. */
export interface ServerProcess {
  readonly origin: string;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Of the process that runs now. */
  pid(): number;
  /** Starts it; where nothing else is waited for, it may not answer yet. */
  start(): void;
  /** @returns once it answers */
  ready(): Promise<void>;
  /** @returns once it answers and its models are loaded: from then on its memory is its own work's */
  loaded(): Promise<void>;
  /** @returns how it ended */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended>;
  /** @returns how it ends by itself */
  ended(): Promise<Ended>;
  /** Ends it, and removes its folders. */
  remove(): Promise<void>;
}

/** Not by way of `bin`, which would build first what somebody is changing. */
const RUN_BUILT = `import('./dist/server/main.js').then(({ main }) => main(process.argv.slice(1), process.cwd()))`;
const ANSWER_LIMIT_MS = 60_000;
const LOOK_AGAIN_MS = 20;

const spawnServer = (args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } => {
  const child = spawn(process.execPath, ['-e', RUN_BUILT, '--', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, said })));
  return { child, ended };
};

/** @param flags beside address and folders */
export const createServerProcess = async (
  flags: readonly string[],
  folder = mkdtempSync(join(tmpdir(), 'veil-e2e-')),
): Promise<ServerProcess> => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const [inputFolder, outputFolder] = [join(folder, 'input'), join(folder, 'output')];
  const args = ['--port', String(port), '--input', inputFolder, '--output', outputFolder, ...flags];
  let running: ReturnType<typeof spawnServer> | undefined;

  const current = (): ReturnType<typeof spawnServer> => {
    if (!running) throw new Error('The server was not started.');
    return running;
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> => {
    const { child, ended } = current();
    child.kill(signal);
    return ended;
  };
  /** @param path asked until it answers well */
  const answers = async (path: string): Promise<void> => {
    const { child, ended } = current();
    const giveUpAt = Date.now() + ANSWER_LIMIT_MS;
    while (!(await fetch(origin + path).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`The server ended: ${(await ended).said}`);
      if (Date.now() > giveUpAt) throw new Error('The server does not answer.');
      await sleep(LOOK_AGAIN_MS);
    }
  };
  return {
    origin,
    inputFolder,
    outputFolder,
    pid: () => current().child.pid ?? 0,
    start: () => void (running = spawnServer(args)),
    ready: () => answers('/v1/status'),
    loaded: () => answers('/readyz'),
    end,
    ended: () => current().ended,
    remove: async () => {
      if (running) await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
