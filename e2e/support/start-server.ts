import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SERVER_LOGS } from '../run/reports';
import { freePort } from './free-port';

export interface RunningServer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** The first start after a change also builds the page and the server. */
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 5_000;

/** Opens the file for the log of a server. Its name is the port, so its first line is the command. */
const openLog = (path: string, args: readonly string[]): number => {
  mkdirSync(SERVER_LOGS, { recursive: true });
  const log = openSync(path, 'w');
  writeSync(log, `node ${args.join(' ')}\n`);
  return log;
};

/** Arguments of the launcher, which builds outdated files; with `product`, of the built server in that folder. */
const programOf = (product?: string): string[] =>
  product === undefined
    ? ['server/bin/veil.mjs']
    : [
        '--eval',
        `import('./dist/server/main.js').then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(product)}))`,
        '--',
      ];

/**
 * Starts a server from the sources, with its own folders.
 *
 * Its log is written to a file in `SERVER_LOGS`, because a line for each request would hide the output of tests and
 * benchmarks.
 *
 * @param product folder of another built product: see `createTinyProduct`
 * @throws if it does not answer in time; the message contains the path of the log
 */
export const startServer = async (
  flags: readonly string[] = [],
  product?: string,
): Promise<RunningServer> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'veil-e2e-'));
  const folders = ['--input', join(folder, 'input'), '--output', join(folder, 'output')];
  const args = [...programOf(product), '--port', String(port), ...folders, ...flags];
  const logPath = join(SERVER_LOGS, `${port}.log`);
  const log = openLog(logPath, args);
  const child = spawn(process.execPath, args, { stdio: ['ignore', log, log] });
  closeSync(log);
  // A benchmark whose output is piped to `head` ends without stopping its server.
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      process.off('exit', kill);
      resolve();
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const limit = setTimeout(kill, STOP_LIMIT_MS);
    await ended;
    clearTimeout(limit);
    rmSync(folder, { recursive: true, force: true });
  };

  const giveUpAt = Date.now() + START_LIMIT_MS;
  // A server with tokens answers as well, with a refusal.
  while (!(await fetch(`${origin}/v1/status`).catch(() => undefined))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || Date.now() > giveUpAt) {
      await stop();
      throw new Error(`The server did not start. Its log: ${logPath}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { origin, stop };
};
