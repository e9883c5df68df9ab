import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
/** Has a process of its own in `vitest.config.ts`. */
const ALONE = ['models/packs/run-models.test.ts'];

it('no test loads modules anew or replaces them in a process that it shares', () => {
  // One class would exist twice there, or the next file would find the replacement.
  const { stdout } = spawnSync(
    'git',
    ['grep', '-lE', String.raw`vi\.(resetModules|doMock|mock)\(`, '--', '*.test.ts', '*.test.tsx'],
    { cwd: REPOSITORY, encoding: 'utf8' },
  );
  expect(stdout.trim().split('\n')).toEqual(ALONE);
});
