import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const LIMIT_MS = 420_000;

/** Runs an installer and shows its output. @returns whether it succeeded */
export const runToGet = (command: string, args: readonly string[], timeoutMs: number): boolean => {
  console.log(`  $ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], timeout: timeoutMs, env });
  return done.status === 0;
};

/** Installs Debian packages if that is possible without asking: for root on Debian. */
export const installByApt = (...packages: readonly string[]): boolean => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return false;
  }
  // `apt-get update` fails if one source is unreachable; the others may be enough.
  runToGet('apt-get', ['update', '-qq'], LIMIT_MS);
  return runToGet('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], LIMIT_MS);
};
