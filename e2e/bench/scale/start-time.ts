/** Time until a server without a role is ready. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROBES } from '../../../server/http/serve-probes';
import { freePort } from '../../../server/testing/services/free-port';
import { cpuMsOf } from './process-cpu';

export interface StartTime {
  readonly ms: number;
  /** CPU time of the process in ms. It depends less on other work of the machine. */
  readonly cpuMs: number;
}

export interface StartTimes {
  /** `veil --version`, to its end. */
  readonly version: StartTime;
  /** `veil`, until `/readyz` is answered with 200: models are loaded. */
  readonly ready: StartTime;
}

const POLL_MS = 10;
const LIMIT_MS = 120_000;

/** Not a module: threads would take over the option for that. @param folder contains `dist/server` and `models` */
const programOf = (folder: string): string => `
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write(' cpu ' + (user + system) / 1000);
  });
  import(${JSON.stringify(join(folder, 'dist/server/main.js'))})
    .then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(folder)}));`;

const argumentsOf = (folder: string, ...args: readonly string[]): string[] => [
  ...['--eval', programOf(folder), '--'],
  ...args,
];

const measureVersion = (folder: string): StartTime => {
  const startMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, argumentsOf(folder, '--version'), {
    encoding: 'utf8',
  });
  const ms = performance.now() - startMs;
  if (status !== 0) throw new Error(`veil --version failed: ${stderr}`);
  return { ms, cpuMs: Number(/ cpu (\S+)$/.exec(stderr)?.[1]) };
};

const measureReady = async (folder: string): Promise<StartTime> => {
  const data = mkdtempSync(join(tmpdir(), 'veil-bench-'));
  const port = await freePort();
  const folders = ['--input', join(data, 'input'), '--output', join(data, 'output')];
  const args = argumentsOf(folder, '--port', String(port), ...folders);
  const startMs = performance.now();
  const server = spawn(process.execPath, args, { stdio: 'ignore' });
  const kill = (): void => void server.kill('SIGKILL');
  process.once('exit', kill);
  try {
    const address = `http://127.0.0.1:${port}${PROBES.readiness}`;
    while (!(await fetch(address).catch(() => undefined))?.ok) {
      if (performance.now() - startMs > LIMIT_MS) throw new Error(`The server in ${folder} is not ready.`);
      await sleep(POLL_MS);
    }
    return { ms: performance.now() - startMs, cpuMs: cpuMsOf(server.pid) };
  } finally {
    process.off('exit', kill);
    const ended = once(server, 'exit');
    kill();
    await ended;
    rmSync(data, { recursive: true, force: true });
  }
};

/** Measures programs in turn. @param folders of programs @returns the runs of each program */
export const measureStarts = async (
  folders: readonly string[],
  runs: number,
): Promise<readonly (readonly StartTimes[])[]> => {
  const measured = folders.map((): StartTimes[] => []);
  for (let run = 0; run < runs; run += 1) {
    for (const [index, folder] of folders.entries()) {
      measured[index]?.push({ version: measureVersion(folder), ready: await measureReady(folder) });
    }
  }
  return measured;
};
