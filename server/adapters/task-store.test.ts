import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newWebhook } from '#shared/domain/webhook';
import type { Task } from '#shared/domain/task';
import { describeFilesInDoubt, describeTaskStore, taskRecord } from '#shared/testing/task-store-contract';
import { allTasks } from '#shared/tasks/base/task-records';
import { openTaskStore, type FileTaskStore } from './task-store';
import { temporaryFolder } from '../testing/temporary-folder';

/** Opens a store that is closed at the end of the test. */
const openIn = async (folder: string): Promise<FileTaskStore> => {
  const store = await openTaskStore(folder);
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
};
const openNew = (): Promise<FileTaskStore> => openIn(temporaryFolder());

describeTaskStore('task store in a file', openNew);
describeFilesInDoubt('task store in a file', openNew);

describe('task store in a file', () => {
  it('keeps records and marks of files in doubt when it is opened again', async () => {
    const folder = temporaryFolder();
    const before = await openIn(folder);
    await before.put(taskRecord('one'));
    await before.put(taskRecord('two', { status: 'done' }));
    await before.setFilesInDoubt('three', true);
    await before.close();

    const after = await openIn(folder);
    expect(await allTasks(after)).toEqual([taskRecord('two', { status: 'done' }), taskRecord('one')]);
    expect(await after.listFilesInDoubt()).toEqual(['three']);
  });

  it('is one file when it is closed', async () => {
    const folder = temporaryFolder();
    const store = await openIn(folder);
    await store.put(taskRecord('one'));
    await store.close();
    expect(readdirSync(folder)).toEqual(['veil.sqlite']);
  });

  it('keeps all records in its files without being closed', async () => {
    const [folder, copy] = [temporaryFolder(), temporaryFolder()];
    const store = await openIn(folder);
    for (let i = 0; i < 50; i += 1) await store.put(taskRecord(`task ${i}`));
    for (const name of readdirSync(folder)) writeFileSync(join(copy, name), readFileSync(join(folder, name)));
    expect(await allTasks(await openIn(copy))).toHaveLength(50);
  });

  it('opens with all complete records if the last one was cut off', async () => {
    const [folder, copy] = [temporaryFolder(), temporaryFolder()];
    const store = await openIn(folder);
    for (let i = 0; i < 50; i += 1) await store.put(taskRecord(`task ${i}`));
    for (const name of readdirSync(folder)) writeFileSync(join(copy, name), readFileSync(join(folder, name)));
    const log = join(copy, 'veil.sqlite-wal');
    truncateSync(log, statSync(log).size - 100);
    expect((await allTasks(await openIn(copy))).map(({ id }) => id)).toEqual(
      Array.from({ length: 49 }, (_, i) => `task ${48 - i}`),
    );
  });

  it('refuses a folder that another process uses, in one sentence', async () => {
    const folder = temporaryFolder();
    const store = await openIn(folder);
    await expect(openTaskStore(folder)).rejects.toThrow(
      `The folder ${folder} is in use by another Veil: stop that one, or choose another folder.`,
    );
    await store.put(taskRecord('one'));
    await store.close();
    expect(await allTasks(await openIn(folder))).toHaveLength(1);
  });

  it('refuses and does not change the records of version 0.1.0', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'veil.sqlite');
    const old = new Libsql(file);
    old.exec(`
      CREATE TABLE tasks (arrival INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, record TEXT NOT NULL) STRICT;
      CREATE TABLE files_in_doubt (task_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      PRAGMA application_id = 0x5645494c;
      PRAGMA user_version = 1;`);
    old.close();
    const before = readFileSync(file);
    await expect(openTaskStore(folder)).rejects.toThrow(
      `${file} was written by an earlier version of Veil and cannot be read: start that version, or choose another folder.`,
    );
    expect(readdirSync(folder)).toEqual(['veil.sqlite']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('lets other work be done before each further page', async () => {
    const store = await openNew();
    for (const id of ['one', 'two']) await store.put(taskRecord(id));
    const order: string[] = [];
    const note = (name: string) => (): void => void order.push(name);
    const first = await store.page(1, undefined);
    setImmediate(note('other work'));
    await store.page(1, first?.next).then(note('second page'));
    expect(order).toEqual(['other work', 'second page']);
  });

  describe('removes secrets from all of its files', () => {
    const SECRET = 'a-secret-of-the-client';
    /** Records of equal length, so that they fill the same pages and deletions move them between pages. */
    const withSecret = (id: string, changes: Partial<Task> = {}): Task => {
      const header = { name: 'x-key', value: `${SECRET}-${id}` };
      const target = { url: 'https://receiver.example/', header };
      return taskRecord(id, { ...changes, webhook: newWebhook(target) });
    };
    const withoutSecret = (task: Task): Task => ({ ...task, webhook: { ...task.webhook!, target: null } });
    const isInFiles = (folder: string, text: string): boolean =>
      readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
    const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `task-${1000 + i}-`);
    const openWith = async (ids: readonly string[]) => {
      const folder = temporaryFolder();
      const store = await openIn(folder);
      for (const id of ids) await store.put(withSecret(id));
      // More versions of each record, as progress writes them.
      for (const id of ids) await store.update(id, (task) => ({ ...task, progress: 0.5 }));
      return { folder, store };
    };

    it('when tasks are removed', async () => {
      const ids = names(100);
      const { folder, store } = await openWith(ids);
      expect(isInFiles(folder, SECRET)).toBe(true);
      const [kept, ...removed] = ids;
      await Promise.all(removed.map((id) => store.remove(id)));
      expect(removed.filter((id) => isInFiles(folder, `${SECRET}-${id}`))).toEqual([]);
      expect(isInFiles(folder, `${SECRET}-${kept}`)).toBe(true);
      await store.remove(kept!);
      expect(isInFiles(folder, SECRET)).toBe(false);
    });

    it('when a record is kept without its secret', async () => {
      const ids = names(100);
      const { folder, store } = await openWith(ids);
      for (const id of ids) await store.update(id, withoutSecret);
      expect(isInFiles(folder, SECRET)).toBe(false);
      expect(await allTasks(store)).toHaveLength(100);
    });
  });

  it.skipIf(process.platform === 'win32')('denies access to other users of the machine', async () => {
    const folder = temporaryFolder();
    const store = await openIn(folder);
    await store.put(taskRecord('one'));
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
    expect(existsSync(join(folder, 'veil.sqlite-wal'))).toBe(true);
  });
});
