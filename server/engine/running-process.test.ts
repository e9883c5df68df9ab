import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { countOomKills } from './running-process';

it('the number of processes that were ended for lack of memory is read from the kernel', () => {
  const path = join(temporaryFolder(), 'vmstat');
  writeFileSync(path, 'pgfault 12\noom_kill 3\noom_kill_other 9\n');
  expect(countOomKills(path)).toBe(3);
});

it('a system that does not count them gives no number', () => {
  expect(countOomKills('/no-such-file')).toBeUndefined();
});
