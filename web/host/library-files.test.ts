import { expect, it } from 'vitest';
import type { Log } from '#shared/ports/system';
import { createMemoryTaskStore } from '#shared/tasks/base/task-records';
import { createStorage } from '../adapters/storage';
import { memoryFolder } from '../testing/memory-folder';
import { createLibraryFiles } from './library-files';

const LOG: Log = { info: () => undefined, error: () => undefined };

it('records that the page before replaces while they are read are read again', async () => {
  const folder = memoryFolder();
  await folder.write('library.json', new Blob(['new']));
  let failures = 1;
  const replaced = Object.assign(new Blob(['old']), {
    arrayBuffer: async () => {
      throw new DOMException('The file has changed.', 'NotReadableError');
    },
  });
  const changing = {
    ...folder,
    file: (name: string) => (failures-- > 0 ? Promise.resolve(replaced) : folder.file(name)),
  };
  const files = createLibraryFiles(
    { open: async () => changing, reopen: async () => changing },
    { storage: createStorage(LOG), taskStore: createMemoryTaskStore() },
  );
  expect(await files.readRecords()).toBe('new');
});
