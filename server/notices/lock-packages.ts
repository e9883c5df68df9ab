/** A package of the lock file. */
export interface LockPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined if the lock file has none. */
  readonly licence: string | undefined;
  /** Path below the repository. */
  readonly path: string;
  /** Whether it may be missing on a machine. */
  readonly isOptional: boolean;
  /** Whether only tools and tests need it. */
  readonly isDev: boolean;
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dev?: boolean;
}

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** All packages that are installed on any machine. @param lock content of package-lock.json */
export const lockPackages = (lock: string): LockPackage[] => {
  const { packages } = JSON.parse(lock) as { packages: Record<string, LockEntry> };
  return Object.entries(packages)
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, { version = '', license, optional, devOptional, dev }]) => ({
      name: nameOf(path),
      version,
      licence: license,
      path,
      isOptional: optional === true || devOptional === true,
      isDev: dev === true,
    }));
};
