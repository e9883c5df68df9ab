import { spawnSync } from 'node:child_process';

/**
 * Builds outdated files: threads of the engine run the built program, and a server that starts without its launcher has
 * only its own memory.
 */
export const buildOutdated = (): void =>
  void spawnSync(process.execPath, ['server/bin/veil.mjs', '--help'], { stdio: 'ignore' });
