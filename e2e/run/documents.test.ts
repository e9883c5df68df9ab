/**
 * Rules of the documents: all links between them lead somewhere, a reader of the README reaches each of them, and the
 * commands in them exist.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { readCommandLine } from '../../server/cli/command-line';

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

const FENCED = /^ *```(\w*)\n([\s\S]*?)^ *```/gm;

/** The lines of code in blocks of the language `sh`, and code in sentences. */
const codeIn = (path: string): readonly string[] => {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const blocks = [...text.matchAll(FENCED)].filter(([, language]) => language === 'sh');
  const inSentences = [...text.replaceAll(FENCED, '').matchAll(/`([^`\n]+)`/g)];
  return [
    ...blocks.flatMap(([, , block]) => (block as string).split(/\n|&&/)),
    ...inSentences.map(([, code]) => code as string),
  ];
};

/** What follows the name of the program, perhaps after variables: `VEIL_TOKEN=$(…) veil --host 0.0.0.0`. */
const COMMAND = /^\s*(?:[A-Z_]+=(?:\$\([^)]*\)|\S*) )*(?:veil|npm start --) (.*)$/;

/** Without comments, redirections and optional parts. Whatever stands for a name is one word. */
const argumentsIn = (line: string): readonly string[] =>
  line
    .replace(/ #.*$/, '')
    .replaceAll(/<[^<>]+>(?:\.\.\.)?|"[^"]*"/g, 'name')
    .replace(/ [>|].*$/, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .split(/\s+/)
    .filter(Boolean);

const unknownIn = (line: string): string | undefined => {
  const [, rest] = COMMAND.exec(line) ?? [];
  if (rest === undefined) return undefined;
  try {
    readCommandLine(argumentsIn(rest));
  } catch (error) {
    const { message } = error as Error;
    // A name of a command alone, as in a sentence, lacks arguments.
    return /^Name a /.test(message) ? undefined : message;
  }
  return undefined;
};

it('each command of veil in a document has a name and flags that exist', () => {
  const commands = [...new Set(documents.flatMap(codeIn).filter((line) => COMMAND.test(line)))];
  expect(commands.length).toBeGreaterThan(50);
  const problems = commands.map((line) => ({ line, problem: unknownIn(line) }));
  expect(problems.filter(({ problem }) => problem !== undefined)).toEqual([]);
});

it('each script of npm in a document exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const named = documents.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => ({
      path,
      name,
    })),
  );
  expect(named.filter(({ name }) => !((name as string) in scripts))).toEqual([]);
});
