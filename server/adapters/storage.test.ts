import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeStorage } from '#shared/testing/storage-contract';
import { createStorage, pathOfKey, type StorageFolders } from './storage';
import { temporaryFolder } from '../testing/temporary-folder';

const foldersIn = (root: string): StorageFolders => ({
  input: join(root, 'in'),
  output: join(root, 'out'),
});

describeStorage('storage on disk', async () => createStorage(foldersIn(temporaryFolder())));

describe('storage on disk', () => {
  it('leaves no temporary file after a write', async () => {
    const root = temporaryFolder();
    await createStorage(foldersIn(root)).write('output/a/x', new Uint8Array([1]));
    expect(readdirSync(join(root, 'out/a'))).toEqual(['x']);
  });

  it('leaves no temporary file after a failed write', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'out/a/x'), { recursive: true });
    writeFileSync(join(root, 'out/a/x/inside'), '');
    await expect(createStorage(foldersIn(root)).write('output/a/x', new Uint8Array([1]))).rejects.toThrow();
    expect(readdirSync(join(root, 'out/a'))).toEqual(['x']);
  });

  it('leaves no file after a discard, and only the file itself after a commit', async () => {
    const root = temporaryFolder();
    const storage = createStorage(foldersIn(root));
    for (const end of ['discard', 'commit'] as const) {
      const file = await storage.create('output/a/x');
      await file.write(0, new Uint8Array([1]));
      await file[end]();
      expect(readdirSync(join(root, 'out/a'))).toEqual(end === 'discard' ? [] : ['x']);
    }
  });

  it.skipIf(process.platform === 'win32')('denies access to other users of the machine', async () => {
    const root = temporaryFolder();
    await createStorage(foldersIn(root)).write('output/a/x', new Uint8Array([1]));
    expect(statSync(join(root, 'out/a/x')).mode & 0o077).toBe(0);
    expect(statSync(join(root, 'out/a')).mode & 0o077).toBe(0);
  });

  it.each([
    'output/../secret',
    'output/a/../../secret',
    'output/./a',
    'output//a',
    'output/',
    'output',
    '/etc/passwd',
    'etc/passwd',
    'output/a\\..\\b',
    'output/a\0b',
    'output/.hidden',
    `output/${'a'.repeat(200)}`,
    '__proto__/a',
    '',
  ])('refuses the key %j', async (key) => {
    const folders = foldersIn(temporaryFolder());
    expect(() => pathOfKey(folders, key)).toThrow();
  });
});
