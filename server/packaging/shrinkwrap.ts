/** Fields of a `package.json` that a release changes. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly [field: string]: unknown;
}

/** Fields that only a checkout uses. */
const OF_CHECKOUT = ['scripts', 'devDependencies', 'overrides', 'allowScripts', 'imports'];

/**
 * The overrides that set another version: with them alone `npm ci` finds package.json and lock in agreement. The others
 * replace parts of tools, and packages that the lock of a release leaves out.
 */
const versionsOf = ({ overrides = {} }: Manifest): NonNullable<Manifest['overrides']> =>
  Object.fromEntries(
    Object.entries(overrides).filter(([, parts]) =>
      Object.values(parts).every((version) => /^\d/.test(version)),
    ),
  );

/**
 * The `package.json` of a release, with which npm refuses to install it on other platforms than that of its onnxruntime
 * library.
 *
 * @param platform system and processor, for example `linux-arm64`
 */
export const releaseManifest = (manifest: Manifest, platform: string): Manifest => {
  const [os, cpu] = platform.split('-');
  const kept = Object.entries(manifest).filter(([field]) => !OF_CHECKOUT.includes(field));
  return {
    ...(Object.fromEntries(kept) as Manifest),
    overrides: versionsOf(manifest),
    os: [os],
    cpu: [cpu],
    // The library for Linux needs glibc.
    ...(os === 'linux' ? { libc: ['glibc'] } : {}),
  };
};

/** An entry of a lock file. */
export interface LockEntry {
  readonly version?: string;
  /** Hash of the package's archive, as npm checks it. */
  readonly integrity?: string;
  /** The package at this path, where its name is not that of the path. */
  readonly name?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** package-lock.json or npm-shrinkwrap.json. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
  readonly [field: string]: unknown;
}

/** Looks up the integrity value of a package. @returns undefined if the registry does not serve it */
export type FindIntegrity = (name: string, version: string) => string | undefined;

/** The only C library for which the package has an onnxruntime. */
const LIBC = 'glibc';
/** The end of the name of a package of one platform, such as `linux-arm64-musl` or `win32-x64-msvc`. */
const PLATFORM_END =
  /[-/](aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z\d]+)(?:-(\w+))?$/;
const MUSL = /^musl/;

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Whether a field such as `os` allows a value. A missing field allows all. */
const allows = (field: readonly string[] | undefined, value: string): boolean =>
  field === undefined || field.includes(value);

/**
 * Whether a machine of a platform installs an entry.
 *
 * Entries that were completed by hand, and packages that declare only a part of their platform, are judged by the
 * end of their names.
 *
 * @param platform system and processor, for example `linux-arm64`; on Linux with glibc
 */
export const isForPlatform = (path: string, entry: LockEntry, platform: string): boolean => {
  const [os = '', cpu = ''] = platform.split('-');
  const [, ownOs = os, ownCpu = cpu, abi = ''] = PLATFORM_END.exec(nameOf(path)) ?? [];
  const isDeclared = allows(entry.os, os) && allows(entry.cpu, cpu) && allows(entry.libc, LIBC);
  return isDeclared && ownOs === os && ownCpu === cpu && !MUSL.test(abi);
};

/**
 * An entry as a production install has it. It names no optional packages that are not installed: `npm ci` refuses a
 * lock that lacks a package which it names.
 */
const asInstalled = (
  { devOptional, optionalDependencies, ...entry }: LockEntry,
  installed: ReadonlySet<string>,
): LockEntry => {
  const optional = Object.entries(optionalDependencies ?? {}).filter(([name]) => installed.has(name));
  return {
    ...entry,
    ...(devOptional && { optional: true }),
    ...(optional.length > 0 && { optionalDependencies: Object.fromEntries(optional) }),
  };
};

/** @throws Error if the integrity value is neither in the entry nor found */
const integrityOf = (path: string, entry: LockEntry, findIntegrity: FindIntegrity): string => {
  const { name = nameOf(path), version = '' } = entry;
  const integrity = entry.integrity ?? findIntegrity(name, version);
  if (integrity !== undefined) return integrity;
  throw new Error(
    `${name}@${version} has no integrity value in package-lock.json, and the registry does not serve it.`,
  );
};

/**
 * Derives the npm-shrinkwrap.json of a package from package-lock.json: whoever installs the package gets the versions
 * and bytes with which it was tested, not the newest ones that its dependencies allow.
 *
 * It contains the packages of a production install on one platform. Optional packages that an override replaces are
 * left out.
 *
 * @throws Error if the integrity value of an entry is neither in the lock file nor found
 */
export const shrinkwrapOf = (lock: Lock, platform: string, findIntegrity: FindIntegrity): Lock => {
  const { '': { devDependencies: _tools, ...root } = {}, ...others } = lock.packages;
  const entries = Object.entries(others)
    .filter(([path, entry]) => entry.dev !== true && isForPlatform(path, entry, platform))
    .filter(([, { name, optional }]) => name === undefined || optional !== true);
  const installed = new Set(entries.map(([path]) => nameOf(path)));
  const locked = entries.map(([path, entry]) => [
    path,
    { ...asInstalled(entry, installed), integrity: integrityOf(path, entry, findIntegrity) },
  ]);
  return { ...lock, packages: { '': root, ...(Object.fromEntries(locked) as Lock['packages']) } };
};
