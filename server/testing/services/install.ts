import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { withLock } from '../with-lock';

/** A program of a service that tests start. */
export interface ServiceProgram {
  /** For people. */
  readonly service: string;
  readonly program: string;
  /** Debian package. */
  readonly aptPackage: string;
  /** Folders next to those of PATH; `*` stands for each folder in the one before it. */
  readonly folders?: readonly string[];
}

const INSTALL_MS = 420_000;
/** Several test files may need services at the same time; apt works for one caller at a time. */
const LOCK_FOLDER = join(tmpdir(), 'veil-test-install.lock');

const isRoot = (): boolean => process.getuid?.() === 0;

const expand = (folder: string): string[] => {
  const [above, below] = folder.split('*');
  if (below === undefined || above === undefined) return [folder];
  if (!existsSync(above)) return [];
  return readdirSync(above).map((name) => above + name + below);
};

const find = ({ program, folders = [] }: ServiceProgram): string | undefined =>
  [...(process.env.PATH ?? '').split(delimiter), ...folders.flatMap(expand)]
    .map((folder) => join(folder, program))
    .find(existsSync);

const installByApt = (aptPackage: string): void => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: 'ignore', timeout: INSTALL_MS, env } as const;
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', aptPackage], options);
};

/**
 * Finds the program of a service, or installs it if that is possible without asking: for root on Debian.
 *
 * @returns its path; undefined if it is not there, which a printed sentence reports: tests are then skipped
 */
export const findService = async (service: ServiceProgram): Promise<string | undefined> => {
  if (!find(service) && isRoot() && existsSync('/usr/bin/apt-get')) {
    await withLock(LOCK_FOLDER, () => {
      if (!find(service)) installByApt(service.aptPackage);
    });
  }
  const path = find(service);
  if (path === undefined) {
    const { service: name, aptPackage } = service;
    console.log(`Tests with ${name} are skipped: install the package ${aptPackage} to run them.`);
  }
  return path;
};
