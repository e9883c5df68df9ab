import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bytesOf } from '#shared/api/http/http';
import type { Storage } from '#shared/ports/storage';
import { createMemoryStorage } from '#shared/testing/memory-storage';
import { describeStorage } from '#shared/testing/storage-contract';
import { diskFileOf } from '../adapters/disk-file';
import { createStorage } from '../adapters/storage';
import { temporaryFolder } from '../testing/temporary-folder';
import { withLocalSources } from './local-sources';

const KEY = 'input/a/source.avi';
const BYTES = Uint8Array.from({ length: 5000 }, (_, index) => index);

describeStorage('storage with local sources', async () =>
  withLocalSources(createMemoryStorage(), temporaryFolder()),
);

const openStored = async (storage: Storage) => {
  await storage.write(KEY, BYTES);
  const jobFolder = temporaryFolder();
  return { jobFolder, local: withLocalSources(storage, jobFolder) };
};

it('a source on the disk is used where it is, with a converted copy in the folder of the job', async () => {
  const root = temporaryFolder();
  const folders = { input: join(root, 'input'), output: join(root, 'output') };
  const storage = createStorage(folders);
  const [one, other] = [await openStored(storage), await openStored(storage)];
  const [first, second] = await Promise.all(
    [one, other].map(async ({ local }) => diskFileOf((await local.open(KEY))!.handle)),
  );
  expect(first!.path).toBe(join(root, KEY));
  expect(second!.path).toBe(first!.path);
  expect(first!.convertedPath.startsWith(one.jobFolder)).toBe(true);
  expect(second!.convertedPath.startsWith(other.jobFolder)).toBe(true);
  expect(readdirSync(one.jobFolder)).toEqual([]);
});

it('a source on a service is downloaded when it is opened, and once', async () => {
  const storage = createMemoryStorage();
  const { local, jobFolder } = await openStored(storage);
  await local.read(KEY);
  expect(readdirSync(jobFolder)).toEqual([]);
  const [file] = await Promise.all([local.open(KEY), local.open(KEY)]);
  const { path, convertedPath } = diskFileOf(file!.handle);
  expect(readFileSync(path)).toEqual(Buffer.from(BYTES));
  expect(path.startsWith(jobFolder) && convertedPath.startsWith(jobFolder)).toBe(true);
  expect(await bytesOf(file!.read(10, 3000))).toEqual(BYTES.subarray(10, 3000));
  expect(readdirSync(jobFolder)).toHaveLength(1);
});

it('a download that breaks leaves no file, and is tried again', async () => {
  const storage = createMemoryStorage();
  let isBroken = true;
  const breaking: Storage = {
    ...storage,
    open: async (key) => {
      const file = await storage.open(key);
      if (!file || !isBroken) return file;
      return {
        ...file,
        async *read() {
          yield BYTES.subarray(0, 10);
          throw new Error('broken');
        },
      };
    },
  };
  const { local, jobFolder } = await openStored(breaking);
  await expect(local.open(KEY)).rejects.toThrow('broken');
  expect(readdirSync(jobFolder)).toEqual([]);
  isBroken = false;
  expect((await local.open(KEY))!.sizeBytes).toBe(BYTES.byteLength);
});

it('a source that does not exist is reported as such, and results are not copied', async () => {
  const { local, jobFolder } = await openStored(createMemoryStorage());
  expect(await local.open('input/b/source.avi')).toBeUndefined();
  await local.write('output/a/x', BYTES);
  expect((await local.open('output/a/x'))!.handle).toBeUndefined();
  expect(readdirSync(jobFolder)).toEqual([]);
});
