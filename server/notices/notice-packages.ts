import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOf, requireAllowed } from './licences';
import { lockPackages, type LockPackage } from './lock-packages';

/** A package that is distributed or installed with the product. */
export interface NoticePackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** Inside of the page's files. */
  readonly isInPage: boolean;
  readonly isOptional: boolean;
  /** Licence texts and copyright notices of the package itself. */
  readonly texts: readonly string[];
  /** Its author, where it brings no text. */
  readonly author: string | undefined;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** One form for the same text in different packages. */
const normalise = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();

/** Optional packages are missing on some machines, and notices are the same on all: their text is the standard one. */
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

/** Names of the packages that became part of a bundle: `bundled-packages.ts` writes them down. */
const readBundled = (root: string, bundle: 'page' | 'server'): ReadonlySet<string> =>
  new Set(JSON.parse(readFileSync(join(root, `server/notices/${bundle}-packages.json`), 'utf8')) as string[]);

/**
 * Every package that users get: those of a production install on any machine, and those inside of the page's and the
 * server's files.
 *
 * @param root of the repository. @throws where one has no licence, or one that is not allowed
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
