import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const LIMIT_MS = 420_000;

/** Runs a program that gets something, in sight of who waits for it. @returns whether it went well */
export const runToGet = (command: string, args: readonly string[], timeoutMs: number): boolean => {
  console.log(`  $ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: timeoutMs, env });
  return done.status === 0;
};

/** Installs Debian packages, where that is possible without asking anybody: for root on Debian. */
export const installByApt = (...packages: readonly string[]): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return false;
  }
  // One source that cannot be reached makes it fail; the others may do.
  runToGet('apt-get', ['update', '-qq'], LIMIT_MS);
  return runToGet('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], LIMIT_MS);
};
