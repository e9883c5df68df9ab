import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder';
import { refusePacks } from './refuse-packs';

const installed = (list: string): string => {
  const folder = join(temporaryFolder(), 'installed');
  mkdirSync(folder);
  writeFileSync(join(folder, 'packs.json'), list);
  return folder;
};

describe('a package', () => {
  it('is built if no pack of models is installed', async () => {
    await expect(refusePacks('/nowhere')).resolves.toBeUndefined();
    await expect(refusePacks(installed('{"packs":[]}'))).resolves.toBeUndefined();
  });

  it('is refused if a pack of models is installed', async () => {
    await expect(refusePacks(installed('{"packs":[{"id":"theirs"}]}'))).rejects.toThrow('remove them first');
  });
});
