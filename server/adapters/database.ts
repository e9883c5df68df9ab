import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Libsql from 'libsql';
import { StartProblem } from '../cli/start-problem';
import { sharedFlush, syncFolder } from './sync-folder';

/** An SQLite file that only this process has open. */
export interface Database {
  prepare(sql: string): Libsql.Statement;
  /** Makes everything durable that was written so far. */
  flush(): Promise<void>;
  /** Like {@link flush}, and removes all copies of deleted or replaced data from the database's files. */
  flushAndErase(): Promise<void>;
  close(): Promise<void>;
}

/** "VEIL" in ASCII: marks Veil's SQLite files. */
const APPLICATION_ID = 0x5645494c;
const OWNER_ONLY_FILE = 0o600;
/** Where SQLite stores two numbers in a file, in bytes. */
const HEADER = { userVersion: 60, applicationId: 68, length: 100 } as const;

/** One step of the tables. */
export interface Migration {
  /** Of the tables after it. */
  readonly version: number;
  /** Statements that change the tables from the version before to this one. */
  readonly sql: string;
}
/** Oldest first. Tables of a version before the first one are refused. */
export type Migrations = readonly [Migration, ...Migration[]];

/** Creates the file before SQLite does, which would let all users read it. Its other files get the same permissions. */
const createOwnerOnly = async (file: string): Promise<void> => {
  const created = await open(file, 'wx', OWNER_ONLY_FILE).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await created?.close();
};

const numberOf = (database: Libsql.Database, pragma: string): number =>
  Number(database.prepare(`PRAGMA ${pragma}`).raw().get());

/**
 * Checks that the file belongs to Veil, before anything in it is changed.
 *
 * @returns the version of its tables; 0 for a new file
 */
const versionOf = (database: Libsql.Database, file: string): number => {
  const applicationId = numberOf(database, 'application_id');
  const isEmpty = applicationId === 0 && numberOf(database, 'schema_version') === 0;
  if (!isEmpty && applicationId !== APPLICATION_ID) throw new StartProblem(FOREIGN(file));
  return numberOf(database, 'user_version');
};

/**
 * The version in the header of a file of Veil; 0 for all other files.
 *
 * Read without SQLite, which would move the log of a server that was killed into a file that is to stay as it is.
 */
const versionInHeader = async (file: string): Promise<number> => {
  const header = Buffer.alloc(HEADER.length);
  const opened = await open(file);
  try {
    await opened.read(header, 0, HEADER.length, 0);
  } finally {
    await opened.close();
  }
  const isOfVeil = header.readUInt32BE(HEADER.applicationId) === APPLICATION_ID;
  return isOfVeil ? header.readUInt32BE(HEADER.userVersion) : 0;
};

const refuseOtherVersion = (version: number, file: string, migrations: Migrations): void => {
  const isEarlier = version > 0 && version < migrations[0].version;
  if (!isEarlier && version <= migrations.at(-1)!.version) return;
  const other = isEarlier ? 'an earlier version of Veil and cannot be read' : 'a later version of Veil';
  throw new StartProblem(`${file} was written by ${other}: start that version, or choose another folder.`);
};

/** Migrates the tables from `version` to the newest one, in one transaction. */
const migrate = (database: Libsql.Database, from: number, migrations: Migrations): void =>
  database.transaction(() => {
    for (const { version, sql } of migrations) if (version > from) database.exec(sql);
    database.pragma(`application_id = ${APPLICATION_ID}`);
    database.pragma(`user_version = ${migrations.at(-1)!.version}`);
  })();

const FOREIGN = (file: string): string => `${file} is not a file of Veil: choose another folder.`;
const PROBLEMS: Readonly<Record<string, (file: string) => string>> = {
  SQLITE_BUSY: (file) =>
    `The folder ${dirname(file)} is in use by another Veil: stop that one, or choose another folder.`,
  SQLITE_NOTADB: FOREIGN,
  SQLITE_READONLY: (file) => `${file} cannot be written to: choose another folder.`,
  SQLITE_FULL: (file) => `The disk of ${dirname(file)} is full: make room on it, or choose another folder.`,
  SQLITE_CORRUPT: (file) =>
    `${file} is damaged: put a copy in its place, or move it away to start without it.`,
};

const asStartProblem = (error: unknown, file: string): unknown => {
  const sentence = error instanceof Libsql.SqliteError ? PROBLEMS[error.code]?.(file) : undefined;
  return sentence === undefined ? error : new StartProblem(sentence, { cause: error });
};

/** Moves the log into the database and truncates it, because it contains earlier versions of records. */
const emptyLog = (database: Libsql.Database): void => {
  const [isBusy] = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw().get() as [number];
  if (isBusy !== 0) throw new Error('The log of the database is in use and was not truncated.');
};

const openLocked = (file: string, migrations: Migrations): Libsql.Database => {
  const database = new Libsql(file);
  try {
    // Before any other statement, so that no shared memory is used, which some mounted folders do not support.
    database.pragma('locking_mode = EXCLUSIVE');
    const version = versionOf(database, file);
    refuseOtherVersion(version, file, migrations);
    // Deleted data is overwritten and the log is truncated, so that neither keeps secrets.
    database.pragma('secure_delete = ON');
    database.pragma('journal_size_limit = 0');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    migrate(database, version, migrations);
    emptyLog(database); // an earlier run may have ended between a deletion and its checkpoint
    return database;
  } catch (error) {
    database.close();
    throw asStartProblem(error, file);
  }
};

/**
 * Opens a database, or creates it, and keeps every other process out of it.
 *
 * The operating system releases the lock when the process ends, also after a crash. Statements run on the calling
 * thread, take about 0.1 ms and do not wait for the disk. {@link Database.flush} waits for it on a thread of Node's
 * pool and once for many writes; SQLite's `synchronous = FULL` would wait in each statement.
 * {@link Database.flushAndErase} blocks the calling thread for some milliseconds.
 *
 * @param file path in an existing folder
 * @throws StartProblem
 */
export const openDatabase = async (file: string, migrations: Migrations): Promise<Database> => {
  await createOwnerOnly(file);
  refuseOtherVersion(await versionInHeader(file), file, migrations);
  const database = openLocked(file, migrations);
  // The migration always writes, so the log exists. The database file itself must not be opened here: closing it would
  // release all locks that the process has on it (POSIX).
  const log = await open(`${file}-wal`, 'r+');
  const flush = sharedFlush(() => log.datasync());
  await flush();
  await syncFolder(dirname(file));
  const flushAndErase = sharedFlush(async () => {
    await nextTurn(); // one checkpoint for all deletions of this turn
    emptyLog(database);
  });
  return {
    prepare: (sql) => database.prepare(sql),
    flush,
    flushAndErase,
    close: async () => {
      await flush();
      await log.close();
      // Leaves one file and releases the lock: SQLite closes only after all statements were garbage-collected.
      database.pragma('journal_mode = DELETE');
      database.pragma('locking_mode = NORMAL');
      database.pragma('user_version');
      database.close();
    },
  };
};
