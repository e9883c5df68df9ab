/** An installed package, as the lock file has it. */
export interface LockPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined: the lock file does not say. */
  readonly licence: string | undefined;
  /** Folder below the repository. */
  readonly path: string;
  /** A machine may lack it. */
  readonly isOptional: boolean;
  /** Only tools and tests need it. */
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

/** All packages that are ever installed, on any machine. @param lock content of package-lock.json */
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
