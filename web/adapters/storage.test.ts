import { describe, expect, it } from 'vitest';
import type { Log } from '#shared/ports/system';
import { describeStorage } from '#shared/testing/storage-contract';
import { StorageUnavailable } from '#shared/tasks/base/service-unavailable';
import { memoryFolder } from '../testing/memory-folder';
import { createStorage } from './storage';

const LOG: Log = { info: () => undefined, error: () => undefined };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describeStorage('storage of the page in memory', async () => createStorage(LOG));
describeStorage('storage of the page on disk', async () => {
  const folder = memoryFolder();
  return createStorage(LOG, async () => folder);
});

describe('storage of the page on disk', () => {
  it('is adopted by a reloaded page, which keeps the wanted files and removes the rest', async () => {
    const files = new Map([['library.json', new Blob(['not a task’s'])]]);
    const folder = memoryFolder(files);
    const before = createStorage(LOG, async () => folder);
    await before.write('output/a/result.json', bytesOf('a'));
    await before.write('output/b/result.json', bytesOf('b'));

    const after = createStorage(LOG, async () => folder);
    await after.adopt(folder, (key) => key.startsWith('output/a/'));
    expect(await after.read('output/a/result.json')).toEqual(bytesOf('a'));
    expect(await after.read('output/b/result.json')).toBeUndefined();
    expect(files.size).toBe(2);

    await after.remove('output/a/');
    expect([...files.keys()]).toEqual(['library.json']);
  });

  it('keeps a file in memory if the disk is full', async () => {
    const full = { ...memoryFolder(), write: () => Promise.reject(new StorageUnavailable('full', null)) };
    const storage = createStorage(LOG, async () => full);
    await storage.write('output/a/result.json', bytesOf('a'));
    expect(await storage.read('output/a/result.json')).toEqual(bytesOf('a'));
  });

  it('reads a file that is replaced while it is read, and reports a file that stays unreadable', async () => {
    let failures = 1;
    const folder = memoryFolder();
    const unreadable = Object.assign(new Blob(['old']), {
      arrayBuffer: async () => {
        throw new DOMException('The file has changed.', 'NotReadableError');
      },
    });
    const file = (name: string) => (failures-- > 0 ? Promise.resolve(unreadable) : folder.file(name));
    const storage = createStorage(LOG, async () => ({ ...folder, file }));
    await storage.write('output/a/result.json', bytesOf('new'));
    expect(await storage.read('output/a/result.json')).toEqual(bytesOf('new'));
    failures = Infinity;
    await expect(storage.read('output/a/result.json')).rejects.toThrow('The file has changed.');
  });

  it('does not copy the user’s own file to the folder', async () => {
    const files = new Map<string, Blob>();
    const storage = createStorage(LOG, async () => memoryFolder(files));
    await storage.receive(new Blob(['photo'])).moveTo('input/a/source.jpg');
    expect(await storage.read('input/a/source.jpg')).toEqual(bytesOf('photo'));
    expect(files.size).toBe(0);
  });
});
