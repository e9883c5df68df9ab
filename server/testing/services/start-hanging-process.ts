import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { HangingProcess } from '../work-queue-contract';

const PROGRAM = join(import.meta.dirname, 'hang-with-job.ts');

/** Starts a process that takes one job of a queue and never finishes it. */
export const startHangingProcess = (
  url: string,
  namespace: string,
  lockMs: number,
  variables: NodeJS.ProcessEnv = {},
): HangingProcess => {
  const args = ['--import', 'tsx', PROGRAM, url, namespace, String(lockMs)];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const taken = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once('exit', () => reject(new Error('the process ended without a job')));
  });
  taken.catch(() => undefined);
  return { taken, kill: () => void child.kill('SIGKILL') };
};
