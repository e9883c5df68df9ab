import { describe, expect, it } from 'vitest';
import type { Log } from '#shared/ports/log';
import { describeStorage } from '#shared/testing/storage-contract';
import { StorageUnavailable } from '#shared/tasks/base/storage-unavailable';
import { memoryFolder } from '../testing/memory-folder';
import { createStorage } from './storage';

const LOG: Log = { info: () => undefined, error: () => undefined };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describeStorage('storage in the page', async () => createStorage(LOG));
describeStorage('storage on the page’s disk', async () => {
  const folder = memoryFolder();
  return createStorage(LOG, async () => folder);
});

describe('storage on the page’s disk', () => {
  it('is found again by another page, which keeps what it wants and removes the rest', async () => {
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

  it('keeps in memory what the disk does not take', async () => {
    const full = { ...memoryFolder(), write: () => Promise.reject(new StorageUnavailable('full', null)) };
    const storage = createStorage(LOG, async () => full);
    await storage.write('output/a/result.json', bytesOf('a'));
    expect(await storage.read('output/a/result.json')).toEqual(bytesOf('a'));
  });

  it('never copies the user’s own file', async () => {
    const files = new Map<string, Blob>();
    const storage = createStorage(LOG, async () => memoryFolder(files));
    await storage.receive(new Blob(['photo'])).moveTo('input/a/source.jpg');
    expect(await storage.read('input/a/source.jpg')).toEqual(bytesOf('photo'));
    expect(files.size).toBe(0);
  });
});
