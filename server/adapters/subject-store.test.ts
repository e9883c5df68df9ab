import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeSubjectStore } from '#shared/testing/subject-store-contract';
import { temporaryFolder } from '../testing/temporary-folder';
import { openTaskStore } from './task-store';

const open = async (folder = temporaryFolder()) => {
  const store = await openTaskStore(folder);
  onTestFinished(() => store.close());
  return store.subjects;
};

describeSubjectStore('on SQLite', () => open());

describe('a deleted subject', () => {
  it('leaves no byte of its embeddings in the files of the database', async () => {
    const folder = temporaryFolder();
    const subjects = await open(folder);
    const secret = 0.123456789012;
    await subjects.put({ id: 'a', createdAtMs: 1, embeddings: [[secret]] });
    const contents = async (): Promise<string> => {
      const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1'));
      return (await Promise.all(files)).join('');
    };
    expect(await contents()).toContain(String(secret));
    await subjects.remove('a');
    expect(await contents()).not.toContain(String(secret));
  });
});
