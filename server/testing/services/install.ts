import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const INSTALL_MS = 300_000;
/** Debian's folder of system programs is not always in the path. */
const MORE_FOLDERS = ['/usr/bin', '/usr/sbin'];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

const find = (program: string): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...MORE_FOLDERS]
    .map((folder) => join(folder, program))
    .find(isExecutable);

const install = (debianPackage: string): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: 'ignore', timeout: INSTALL_MS, env } as const;
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', debianPackage], options);
};

/**
 * Finds a program, and installs its Debian package if this process may do so.
 *
 * @returns its path; undefined, after a printed sentence, if tests with it must be skipped
 */
export const installOrSkip = (program: string, debianPackage: string): string | undefined => {
  const existing = find(program);
  if (existing !== undefined) return existing;
  if (process.platform === 'linux' && process.getuid?.() === 0 && find('apt-get') !== undefined) {
    install(debianPackage);
  }
  const installed = find(program);
  if (installed === undefined) console.log(`Skipped tests: ${program} is not installed (${debianPackage}).`);
  return installed;
};
