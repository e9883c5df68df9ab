import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
/** These have processes of their own in `vitest.config.ts`. */
const LOADS_ANEW = ['models/packs/run-models.test.ts'];
const IMPORTS_OTHERS = ['server/adapters/ffmpeg-video-codec.test.ts'];

/** Test files with a line that matches. */
const testsWith = (pattern: string): string[] =>
  spawnSync('git', ['grep', '-lE', pattern, '--', '*.test.ts', '*.test.tsx'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  })
    .stdout.trim()
    .split('\n');

it('no test loads modules anew or replaces them in a process that it shares', () => {
  // One class would exist twice there, or the next file would find the replacement.
  expect(testsWith(String.raw`vi\.(resetModules|doMock|mock)\(`)).toEqual(LOADS_ANEW);
});

it('no test imports others, or has clips read with another codec, in a process that it shares', () => {
  // The tests of a file that is loaded already are not registered again, and the next file would use that codec.
  expect(testsWith(String.raw`import\('.*\.test'\)|readWith\(`)).toEqual(IMPORTS_OTHERS);
});
