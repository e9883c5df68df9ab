/**
 * Rules of the documents: all links between them lead somewhere, and a reader of the README reaches each of them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

const textOf = (path: string): string =>
  readFileSync(join(ROOT, path), 'utf8')
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ' '));

/** The addresses of headings, as GitHub makes them: lower case, no punctuation, dashes for spaces. */
const anchorsOf = (path: string): readonly string[] =>
  [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    (title as string)
      .replaceAll(/\]\([^)]*\)/g, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

interface Link {
  readonly from: string;
  readonly target: string;
  readonly path: string;
  readonly anchor: string | undefined;
}

const linksOf = (from: string): readonly Link[] =>
  [...textOf(from).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map((match) => (match[1] ?? match[2]) as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file, anchor] = target.split('#') as [string, string?];
      return {
        from,
        target,
        anchor,
        path: file === '' ? from : relative(ROOT, join(ROOT, dirname(from), file)),
      };
    });

const isBroken = ({ path, anchor }: Link): boolean =>
  !existsSync(join(ROOT, path)) ||
  (anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor));

it('each link between documents leads to a file and a heading', () => {
  const broken = documents.flatMap(linksOf).filter(isBroken);
  expect(broken.map(({ from, target }) => `${from}: ${target}`)).toEqual([]);
});

/** A linked folder stands for its README. */
const documentAt = (path: string): string =>
  existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory() ? join(path, 'README.md') : path;

it('each document in docs is at most two links from the README', () => {
  const reach = (from: readonly string[]): readonly string[] =>
    from
      .filter((path) => path.endsWith('.md') && existsSync(join(ROOT, path)))
      .flatMap(linksOf)
      .map(({ path }) => documentAt(path));
  const first = reach(['README.md']);
  const near = new Set([...first, ...reach(first)]);
  const isForReaders = (path: string): boolean =>
    path.startsWith('docs/') && !path.startsWith('docs/decisions/0');
  expect(documents.filter((path) => isForReaders(path) && !near.has(path))).toEqual([]);
});
