import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { EXCEPTIONS, RETIRED_WORDS } from './retired-words';

const REPOSITORY = join(import.meta.dirname, '../..');

const sourceFiles = (): string[] => {
  const args = [
    'ls-files',
    '--cached',
    '--others',
    '--exclude-standard',
    '-z',
    '--',
    'shared',
    'server',
    'web',
  ];
  const { stdout } = spawnSync('git', args, { cwd: REPOSITORY, encoding: 'utf8' });
  return stdout.split('\0').filter((path) => /\.tsx?$/.test(path) && existsSync(join(REPOSITORY, path)));
};

/** The identifiers that a file declares: variables, parameters, functions, types, properties, aliases of imports. */
const declaredIn = (fileName: string, text: string): string[] => {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node.parent) ? node : undefined;
    if (name && 'name' in name.parent && name.parent.name === name) names.push(name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
  return names;
};

/** `maxPxOf2Boxes` → max, px, of, 2, boxes. */
const wordsOf = (identifier: string): string[] =>
  identifier.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((word) => word.toLowerCase()) ?? [];

const retiredIn = (identifier: string): string[] =>
  wordsOf(identifier).filter((word) => Object.hasOwn(RETIRED_WORDS, word));

const declared = sourceFiles().flatMap((file) =>
  declaredIn(file, readFileSync(join(REPOSITORY, file), 'utf8')).map((name) => ({ file, name })),
);

describe('retired words', () => {
  it('occur in no identifier of shared/, server/ and web/', () => {
    const found = declared.flatMap(({ file, name }) =>
      Object.hasOwn(EXCEPTIONS, name) ? [] : retiredIn(name).map((word) => `${file}: ${name} (${word})`),
    );
    expect([...new Set(found)]).toEqual([]);
  });

  it('are excepted only in identifiers that exist and hold one', () => {
    const names = new Set(declared.map(({ name }) => name));
    const needless = Object.keys(EXCEPTIONS).filter(
      (name) => !names.has(name) || retiredIn(name).length === 0,
    );
    expect(needless).toEqual([]);
  });

  it('are recognised in every kind of declaration and every spelling', () => {
    const text = `
      import { plain as leastScore } from './other';
      interface JudgeOptions { readonly mostBoxes: number; recipeOf(told: string): void }
      const { outlook } = faces;
      const MAX_SIGHTINGS = 3, almost = 1, carriers2 = 2;`;
    expect(declaredIn('file.ts', text).flatMap(retiredIn)).toEqual([
      'least',
      'judge',
      'most',
      'recipe',
      'told',
      'outlook',
      'sightings',
      'carriers',
    ]);
  });
});
