import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
/** Tests and test support need no row. */
const NOT_DESCRIBED = /\.test\.tsx?$|\.d\.ts$|(^|\/)testing\//;
/** A table with names of files or folders in its first column. */
const FILE_TABLE = /^\| (?:File|Folder) /;
const SOURCE_NAME = /^[\w.-]+\.(?:ts|tsx|css)$/;

/** Tracked files and new files that are not ignored, below some folders. */
const filesIn = (...folders: readonly string[]): string[] => {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z', '--', ...folders];
  const { stdout } = spawnSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' });
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(REPOSITORY, path)));
};

interface Row {
  readonly name: string;
  readonly description: string;
}

/** The rows of a README's file tables; a cell may name several files. */
const rowsOf = (readme: string): Row[] => {
  const rows: Row[] = [];
  let isTable = false;
  for (const line of readFileSync(join(REPOSITORY, readme), 'utf8').split('\n')) {
    if (!line.startsWith('|')) isTable = false;
    else if (FILE_TABLE.test(line)) isTable = true;
    else if (isTable && !line.startsWith('| -')) {
      const [names = '', description = ''] = line.slice(1).split(/(?<!\\)\|/);
      for (const [, name = ''] of names.matchAll(/`([^`]+)`/g)) {
        rows.push({ name, description: description.trim() });
      }
    }
  }
  return rows;
};

const files = filesIn('shared', 'server', 'web');
/** The manual of a host is ordered by task, and its tables do not list files of its folder. */
const MANUALS = ['server/README.md', 'web/README.md'];
const readmes = files.filter((path) => basename(path) === 'README.md' && !MANUALS.includes(path));
const sources = files.filter((path) => SOURCE_NAME.test(basename(path)) && !NOT_DESCRIBED.test(path));
const tables = readmes
  .map((readme) => ({ readme, rows: rowsOf(readme) }))
  .filter(({ rows }) => rows.some(({ name }) => SOURCE_NAME.test(name)));

describe('the README of a folder', () => {
  it('exists in every folder of shared/ that holds source files', () => {
    const folders = new Set(
      sources.filter((path) => path.startsWith('shared/')).map((path) => dirname(path)),
    );
    expect([...folders].filter((folder) => !readmes.includes(`${folder}/README.md`))).toEqual([]);
  });

  it.each(tables)('has a row for each source file: $readme', ({ readme, rows }) => {
    const names = sources.filter((path) => dirname(path) === dirname(readme)).map((path) => basename(path));
    const described = rows.map(({ name }) => name);
    expect(names.filter((name) => !described.includes(name))).toEqual([]);
  });

  it.each(tables)('names no file that does not exist, and none twice: $readme', ({ readme, rows }) => {
    const names = rows.map(({ name }) => name);
    expect(names.filter((name) => !existsSync(join(REPOSITORY, dirname(readme), name)))).toEqual([]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(tables)('describes each file with different words: $readme', ({ rows }) => {
    const descriptions = rows.map(({ description }) => description);
    expect(
      rows.filter(({ description }, index) => !description || descriptions.indexOf(description) !== index),
    ).toEqual([]);
  });
});
