import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf, requireAllowed } from './licences';
import { lockPackages, type LockPackage } from './lock-packages';

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

/** Names of the packages in a bundle, from the list that `bundled-packages.ts` writes. */
const readBundled = (root: string, bundle: 'page' | 'server'): ReadonlySet<string> =>
  new Set(JSON.parse(readFileSync(join(root, `server/notices/${bundle}-packages.json`), 'utf8')) as string[]);

/**
 * All packages that are distributed: those of a production install on any machine, and those that are bundled into the
 * page or the server.
 *
 * @param root path of the repository. @throws Error if a package has no licence, or one that is not allowed
 */
export const noticePackages = (root: string): NoticePackage[] => {
  const [page, server] = [readBundled(root, 'page'), readBundled(root, 'server')];
  const all = lockPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isIn = (bundle: ReadonlySet<string>, { name, path }: LockPackage): boolean =>
    bundle.has(name) && path === `node_modules/${name}`;
  const byVersion = new Map<string, NoticePackage>();
  for (const each of all.filter((one) => !one.isDev || isIn(page, one) || isIn(server, one))) {
    const licence = licenceOf(each);
    requireAllowed(each.name, licence);
    const key = `${each.name}@${each.version}`;
    if (byVersion.has(key)) continue;
    byVersion.set(key, {
      name: each.name,
      version: each.version,
      licence,
      isInPage: isIn(page, each),
      isOptional: each.isOptional,
      texts: textsOf(root, each),
      author: authorOf(root, each),
    });
  }
  return [...byVersion.values()].sort((a, b) =>
    `${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1,
  );
};
