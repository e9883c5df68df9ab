import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port';

/** Exit code of a process, and its output to stderr. */
export interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

/** The built server as a process that can be started and ended repeatedly, always with the same folders and address. */
export interface ServerProcess {
  readonly origin: string;
  readonly inputFolder: string;
  readonly outputFolder: string;
  /** Process id of the running process. */
  pid(): number;
  /** Starts the server without waiting for its first response. */
  start(): void;
  /** @returns when the server answers */
  ready(): Promise<void>;
  /** @returns when the server answers and its models are loaded; from then on its memory depends only on its work */
  loaded(): Promise<void>;
  /** @returns how the process ended */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended>;
  /** @returns how the process ends by itself */
  ended(): Promise<Ended>;
  /** Ends the process, and removes its folders. */
  remove(): Promise<void>;
}

/** Not by `bin`, which would build changed sources first. @param product folder with `models` */
const runBuilt = (product: string): string =>
  `import('./dist/server/main.js').then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(resolve(product))}))`;
const ANSWER_LIMIT_MS = 60_000;
const POLL_MS = 20;

const spawnServer = (
  product: string,
  args: readonly string[],
): { child: ChildProcess; ended: Promise<Ended> } => {
  const child = spawn(process.execPath, ['-e', runBuilt(product), '--', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stderr })));
  return { child, ended };
};

export interface ProcessOptions {
  /** Folder of the server's folders; default: a new one. */
  readonly folder?: string;
  /** Folder of the built product; default: that of this repository. */
  readonly product?: string;
}

/** @param flags in addition to address and folders */
export const createServerProcess = async (
  flags: readonly string[],
  { folder = mkdtempSync(join(tmpdir(), 'veil-e2e-')), product = process.cwd() }: ProcessOptions = {},
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
  /** @param path requested until the response is successful */
  const answers = async (path: string): Promise<void> => {
    const { child, ended } = current();
    const giveUpAt = Date.now() + ANSWER_LIMIT_MS;
    while (!(await fetch(origin + path).catch(() => undefined))?.ok) {
      if (child.exitCode !== null) throw new Error(`The server ended: ${(await ended).stderr}`);
      if (Date.now() > giveUpAt) throw new Error('The server does not answer.');
      await sleep(POLL_MS);
    }
  };
  return {
    origin,
    inputFolder,
    outputFolder,
    pid: () => current().child.pid ?? 0,
    start: () => void (running = spawnServer(product, args)),
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
