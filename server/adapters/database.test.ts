import { chmodSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Database, type Migrations } from './database';
import { temporaryFolder } from '../testing/temporary-folder';

const FIRST = { version: 3, sql: 'CREATE TABLE notes (text TEXT)' };
const SECOND = { version: 4, sql: "ALTER TABLE notes ADD COLUMN mark TEXT NOT NULL DEFAULT 'new'" };

const newFile = (): string => join(temporaryFolder(), 'notes.sqlite');
/** Opens a database that is closed at the end of the test. */
const open = async (file: string, ...migrations: Migrations): Promise<Database> => {
  const database = await openDatabase(file, migrations);
  onTestFinished(() => database.close().catch(() => undefined));
  return database;
};
const notesIn = (database: Database): unknown[] => database.prepare('SELECT * FROM notes').raw().all();

describe('the database', () => {
  it('migrates the tables of an earlier version and keeps their rows', async () => {
    const file = newFile();
    const old = await open(file, FIRST);
    old.prepare("INSERT INTO notes VALUES ('a')").run();
    await old.close();
    expect(notesIn(await open(file, FIRST, SECOND))).toEqual([['a', 'new']]);
  });

  it('contains no deleted or replaced text after a checkpoint of its log', async () => {
    const file = newFile();
    const database = await open(file, FIRST);
    const inFiles = (text: string): boolean =>
      [file, `${file}-wal`].some((path) => existsSync(path) && readFileSync(path).includes(text));
    const checkpoint = (): unknown => database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().all();
    for (const text of ['kept', 'first-secret', 'second-secret']) {
      database.prepare('INSERT INTO notes VALUES (?)').run(text.repeat(3));
    }
    checkpoint();
    expect(inFiles('first-secret')).toBe(true);
    database.prepare("DELETE FROM notes WHERE text LIKE 'first%'").run();
    database.prepare("UPDATE notes SET text = '' WHERE text LIKE 'second%'").run();
    checkpoint();
    expect(['kept', 'first-secret', 'second-secret'].map(inFiles)).toEqual([true, false, false]);
  });

  it('contains no deleted text after it is opened, even if the last run ended before a checkpoint', async () => {
    const [file, copy] = [newFile(), newFile()];
    const database = await open(file, FIRST);
    database.prepare("INSERT INTO notes VALUES ('a-secret')").run();
    database.prepare('DELETE FROM notes').run();
    await database.flush();
    for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`);
    expect(readFileSync(`${copy}-wal`).includes('a-secret')).toBe(true);
    await open(copy, FIRST);
    for (const end of ['', '-wal']) expect(readFileSync(`${copy}${end}`).includes('a-secret')).toBe(false);
  });

  it('migrates once', async () => {
    const file = newFile();
    for (let i = 0; i < 3; i += 1) await (await open(file, FIRST, SECOND)).close();
    expect(notesIn(await open(file, FIRST, SECOND))).toEqual([]);
  });

  it('is unchanged if a migration fails in the middle', async () => {
    const file = newFile();
    await (await open(file, FIRST)).close();
    await expect(openDatabase(file, [FIRST, { ...SECOND, sql: `${SECOND.sql}; NONSENSE` }])).rejects.toThrow(
      'NONSENSE',
    );
    // A copy, because a failed start keeps its lock until its process ends.
    const copy = newFile();
    copyFileSync(file, copy);
    expect(notesIn(await open(copy, FIRST, SECOND))).toEqual([]);
  });

  it('refuses and does not change a file that a later version has written', async () => {
    const file = newFile();
    await (await open(file, FIRST, SECOND)).close();
    const before = readFileSync(file);
    await expect(openDatabase(file, [FIRST])).rejects.toThrow(
      `${file} was written by a later version of Veil: start that version, or choose another folder.`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('refuses and does not change a file of an earlier version, next to which a killed server left a log', async () => {
    const [file, copy] = [newFile(), newFile()];
    const old = await open(file, { ...FIRST, version: 2 });
    old.prepare("INSERT INTO notes VALUES ('a')").run();
    await old.flush();
    const ends = ['', '-wal'];
    for (const end of ends) copyFileSync(`${file}${end}`, `${copy}${end}`);
    await expect(openDatabase(copy, [FIRST, SECOND])).rejects.toThrow(
      `${copy} was written by an earlier version of Veil and cannot be read: start that version, or choose another folder.`,
    );
    for (const end of ends) {
      expect(readFileSync(`${copy}${end}`).equals(readFileSync(`${file}${end}`))).toBe(true);
    }
  });

  it.each([
    ['a text', (file: string) => writeFileSync(file, 'The quick brown fox. '.repeat(200))],
    ['a database of another program', (file: string) => new Libsql(file).exec('CREATE TABLE theirs (a)')],
  ])('refuses and does not change %s', async (_what, make) => {
    const file = newFile();
    make(file);
    const before = readFileSync(file);
    await expect(openDatabase(file, [FIRST])).rejects.toThrow(
      `${file} is not a file of Veil: choose another folder.`,
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('reports a damaged file', async () => {
    const file = newFile();
    await (await open(file, FIRST)).close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xff, 100));
    await expect(openDatabase(file, [FIRST, SECOND])).rejects.toThrow(`${file} is damaged`);
  });

  it.skipIf(process.getuid?.() === 0)('reports a file that is not writable', async () => {
    const file = newFile();
    await (await open(file, FIRST)).close();
    chmodSync(file, 0o400);
    await expect(openDatabase(file, [FIRST])).rejects.toThrow(`${file} cannot be written to`);
  });

  it('accepts many concurrent flushes', async () => {
    const database = await open(newFile(), FIRST);
    const insert = database.prepare('INSERT INTO notes VALUES (?)');
    await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        insert.run(String(i));
        return database.flush();
      }),
    );
    expect(notesIn(database)).toHaveLength(100);
  });
});
