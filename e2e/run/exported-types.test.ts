import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
const EXPORTED_TYPE = /^export (?:interface|type) (\w+)/gm;

const sources = spawnSync('git', ['ls-files', 'shared/*.ts'], { cwd: REPOSITORY, encoding: 'utf8' })
  .stdout.split('\n')
  .filter((path) => path !== '' && !path.includes('.test.') && existsSync(join(REPOSITORY, path)));

it('no two files of shared/ export a type of the same name', () => {
  const files = new Map<string, string[]>();
  for (const path of sources) {
    for (const [, name = ''] of readFileSync(join(REPOSITORY, path), 'utf8').matchAll(EXPORTED_TYPE)) {
      files.set(name, [...(files.get(name) ?? []), path]);
    }
  }
  expect(files.size).toBeGreaterThan(100);
  expect([...files].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
