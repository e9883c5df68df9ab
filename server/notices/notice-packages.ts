import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Licences that are allowed in the product. All others are refused until they are reviewed. */
const ALLOWED: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'Zlib'],
  ...['FTL', 'HPND-sell-variant', 'IJG', 'WTFPL', 'blessing', 'curl', 'libpng-2.0', 'libtiff', 'Unlicense'],
  // Copyleft: for unchanged files (MPL), replaceable libraries (LGPL) and programs (GPL).
  ...[
    'MPL-1.1',
    'MPL-2.0',
    'LGPL-2.0-or-later',
    'LGPL-2.1-or-later',
    // As old packages write it.
    'LGPL-3.0',
    'LGPL-3.0-or-later',
    'GPL-2.0-or-later',
  ],
]);

/** Packages that may be under the GPL. Each can be left out of the product by removing its files. */
const GPL_ALLOWED: readonly string[] = ['@ffmpeg/core', '@napi-rs/webcodecs-'];

/** Licences of packages without one in the lock file, as declared in another package of the same project. */
const DECLARED_ELSEWHERE: readonly (readonly [prefix: string, licence: string])[] = [
  ['@napi-rs/webcodecs-', 'MIT'],
];

/** The identifiers in an SPDX expression. */
const identifiers = (expression: string): string[] =>
  expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((part) => part.trim() !== '');

/** The licence of a package. @throws Error if it is unknown */
export const licenceOf = ({ name, licence }: Pick<LockPackage, 'name' | 'licence'>): string => {
  const found = licence ?? DECLARED_ELSEWHERE.find(([prefix]) => name.startsWith(prefix))?.[1];
  if (found === undefined) throw new Error(`${name} states no licence.`);
  return found;
};

/** @param owner name of the package. @throws Error if the licence is not allowed in the product */
export const requireAllowed = (owner: string, expression: string): void => {
  for (const id of identifiers(expression)) {
    if (!ALLOWED.has(id)) throw new Error(`${owner} is under ${id}, which is not allowed.`);
  }
  const isGpl = identifiers(expression).some((id) => id.startsWith('GPL')) && !expression.includes(' OR ');
  if (isGpl && !GPL_ALLOWED.some((allowed) => owner.startsWith(allowed))) {
    throw new Error(`${owner} is under the GPL, which is allowed for ${GPL_ALLOWED.join(', ')} alone.`);
  }
};

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

/** A package that is distributed or installed with the product. */
export interface NoticePackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Whether it is bundled into the page. */
  readonly isInPage: boolean;
  readonly isOptional: boolean;
  /** Licence texts and copyright notices of the package itself. */
  readonly texts: readonly string[];
  /** Its author, if the package contains no text. */
  readonly author: string | undefined;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Removes differences between packages in the form of the same text. */
const normalise = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();

/** Texts in a package. Optional packages, which some machines lack, get standard texts on all machines instead. */
const textsOf = (root: string, { path, isOptional }: LockPackage): string[] => {
  const folder = join(root, path);
  if (isOptional || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map(({ name }) => normalise(readFileSync(join(folder, name), 'utf8')))
    .sort();
};

type Author = string | { readonly name?: string };

const authorOf = (root: string, { path, isOptional }: LockPackage): string | undefined => {
  const file = join(root, path, 'package.json');
  if (isOptional || !existsSync(file)) return undefined;
  const { author } = JSON.parse(readFileSync(file, 'utf8')) as { author?: Author };
  return typeof author === 'string' ? author : author?.name;
};

/** The packages in a bundle, as paths below `node_modules`, from the list that `bundled-packages.ts` writes. */
const readBundled = (root: string, bundle: 'page' | 'server'): ReadonlySet<string> =>
  new Set(JSON.parse(readFileSync(join(root, `server/notices/${bundle}-packages.json`), 'utf8')) as string[]);

/** Packages of which the page contains a copied part: the drawings of its icons. */
const COPIED: readonly LockPackage[] = [
  {
    ...{ name: 'lucide-react', version: '1.77.0', licence: 'ISC', path: 'web/app/ui/lucide' },
    ...{ isOptional: false, isDev: true },
  },
];

/**
 * All packages that are distributed: those of a production install on any machine, those that are bundled into the
 * page or the server, and copied ones.
 *
 * @param root path of the repository. @throws Error if a package has no licence, or one that is not allowed
 */
export const noticePackages = (root: string): NoticePackage[] => {
  const [page, server] = [readBundled(root, 'page'), readBundled(root, 'server')];
  const all = lockPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isIn = (bundle: ReadonlySet<string>, { path }: LockPackage): boolean =>
    bundle.has(path.replace(/^node_modules\//, ''));
  const isBundled = (each: LockPackage): boolean => isIn(page, each) || isIn(server, each);
  const byVersion = new Map<string, NoticePackage>();
  const distributed = all
    .filter((one) => !one.isDev || isBundled(one))
    // No machine lacks what is bundled, even if some lack what else needs it.
    .map((one) => (isBundled(one) ? { ...one, isOptional: false } : one));
  for (const each of [...distributed, ...COPIED]) {
    const licence = licenceOf(each);
    requireAllowed(each.name, licence);
    const key = `${each.name}@${each.version}`;
    if (byVersion.has(key)) continue;
    byVersion.set(key, {
      name: each.name,
      version: each.version,
      licence,
      isInPage: isIn(page, each) || COPIED.includes(each),
      isOptional: each.isOptional,
      texts: textsOf(root, each),
      author: authorOf(root, each),
    });
  }
  return [...byVersion.values()].sort((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
};
