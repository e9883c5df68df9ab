import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TINY_PRODUCT } from '../run/reports';

const ROOT = join(import.meta.dirname, '../..');
const PROGRAM = pathToFileURL(join(ROOT, 'dist/server/main.js')).href;
const LAUNCH = `import('${PROGRAM}').then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(join(ROOT, TINY_PRODUCT))}))`;

/** A run of the tiny product on the command line. */
export interface ProductRun {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly printed: () => string;
  readonly ended: Promise<number | null>;
}

/** Starts the tiny product (see `createTinyProduct`) in a working directory. */
export const runProduct = (
  cwd: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): ProductRun => {
  const child = spawn(process.execPath, ['--eval', LAUNCH, '--', ...args], {
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, printed: () => text, ended };
};
