import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port';

export interface RunningServer {
  readonly origin: string;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;

/** Starts a server of a test's own, for what must not be done to the one that all share. */
export const startServer = async (flags: readonly string[] = []): Promise<RunningServer> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'veil-e2e-'));
  const folders = ['--input', join(folder, 'input'), '--output', join(folder, 'output')];
  const child = spawn(
    process.execPath,
    ['server/bin/veil.mjs', '--port', String(port), ...folders, ...flags],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const origin = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };

  const giveUpAt = Date.now() + START_LIMIT_MS;
  while (!(await fetch(`${origin}/v1/status`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error('The server did not start.');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { origin, stop };
};
