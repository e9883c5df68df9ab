import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SubjectStore, TaskStore } from '#shared/ports/storage';
import type { Task, TaskStatus } from '#shared/domain/task';
import { pageOf, readCursor } from '#shared/tasks/base/task-records';
import { openDatabase, type Database, type Migrations } from './database';
import { onDisk } from './disk-file';
import type { Subject } from '#shared/domain/subject';

/** The table of subjects, in the database with the task records. */
const SUBJECTS_TABLE = `CREATE TABLE subjects (
     arrival INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     created_at_ms INTEGER NOT NULL,
     embeddings TEXT NOT NULL -- JSON; biometric data
   ) STRICT;`;

interface SubjectRow {
  readonly id: string;
  readonly created_at_ms: number;
  readonly embeddings: string;
}

const subjectOf = ({ id, created_at_ms: createdAtMs, embeddings }: SubjectRow): Subject => ({
  id,
  createdAtMs,
  embeddings: JSON.parse(embeddings) as Subject['embeddings'],
});

/** Subjects in the database of the task records. Deleted ones are also erased from its files. */
const createSubjectStore = ({
  prepare,
  flush,
  flushAndErase,
}: Pick<Database, 'prepare' | 'flush' | 'flushAndErase'>): SubjectStore => {
  const insert = prepare('INSERT INTO subjects (id, created_at_ms, embeddings) VALUES (?, ?, ?)');
  const selectOne = prepare('SELECT id, created_at_ms, embeddings FROM subjects WHERE id = ?');
  const selectAll = prepare('SELECT id, created_at_ms, embeddings FROM subjects ORDER BY arrival DESC');
  const deleteOne = prepare('DELETE FROM subjects WHERE id = ?');
  const deleteOld = prepare('DELETE FROM subjects WHERE created_at_ms < ?');
  return {
    put: ({ id, createdAtMs, embeddings }) =>
      onDisk(async () => {
        insert.run(id, createdAtMs, JSON.stringify(embeddings));
        await flush();
      }),
    get: async (id) => {
      const row = selectOne.get(id) as SubjectRow | undefined;
      return row && subjectOf(row);
    },
    list: async () => (selectAll.all() as SubjectRow[]).map(subjectOf),
    remove: (id) =>
      onDisk(async () => {
        const { changes } = deleteOne.run(id);
        if (changes > 0) await flushAndErase();
        return changes > 0;
      }),
    removeCreatedBefore: (atMs) =>
      onDisk(async () => {
        if (deleteOld.run(atMs).changes > 0) await flushAndErase();
      }),
  };
};

export interface FileTaskStore extends TaskStore {
  readonly subjects: SubjectStore;
  /** Number of tasks by state, without states that no task has. */
  countByStatus(): Promise<Partial<Record<TaskStatus, number>>>;
  /** Closes the file, so that another process can open it. The store must not be used afterwards. */
  close(): Promise<void>;
}

/** Name of the file with the records. */
export const RECORDS_FILE = 'veil.sqlite';

/** Append only after a release, because files of every released version from the first step on exist. */
const MIGRATIONS: Migrations = [
  {
    version: 4, // 1 to 3: tables of 0.1.0 and of unreleased versions
    sql: `
      CREATE TABLE tasks (
        arrival INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        record TEXT NOT NULL -- JSON of a Task
      ) STRICT;
      -- Counts tasks, and finds a video, without a look at their records
      CREATE INDEX tasks_status ON tasks (record ->> '$.status', record ->> '$.kind');
      CREATE TABLE files_in_doubt (task_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
      ${SUBJECTS_TABLE}`,
  },
];

interface Row {
  readonly record: string;
}
const taskOf = ({ record }: Row): Task => JSON.parse(record) as Task;

/** Whether a record contains a client's secret: see `WebhookTarget`. */
const holdsSecret = (task: Task | undefined): boolean => (task?.webhook?.target ?? null) !== null;

/** Reads pages of the list. */
const createPages = (prepare: Database['prepare']): TaskStore['page'] => {
  const select = prepare('SELECT arrival, record FROM tasks WHERE arrival < ? ORDER BY arrival DESC LIMIT ?');
  return async (limit, before) => {
    const start = readCursor(before);
    if (start === undefined) return undefined;
    // Who reads all pages does not occupy this thread with them.
    if (before !== undefined) await nextTurn();
    const rows = select.all(start, limit + 1) as (Row & { arrival: number })[];
    return pageOf(
      rows.map((row) => ({ arrival: row.arrival, task: taskOf(row) })),
      limit,
    );
  };
};

/**
 * Task records in an SQLite file, `veil.sqlite`.
 *
 * A record is one JSON text: tasks are found only by id, order, state and kind, and a new field of a task needs no new
 * column.
 *
 * @param folder an existing folder. No other process can open its records until this store is closed or its process
 *   ends
 * @throws StartProblem
 */
export const openTaskStore = async (folder: string): Promise<FileTaskStore> => {
  const database = await openDatabase(join(folder, RECORDS_FILE), MIGRATIONS);
  const { prepare, flush, flushAndErase, close } = database;
  const insertOrChange = prepare(
    'INSERT INTO tasks (id, record) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET record = excluded.record',
  );
  const selectOne = prepare('SELECT record FROM tasks WHERE id = ?');
  const findVideo = prepare(
    `SELECT EXISTS (
       SELECT 1 FROM tasks
       WHERE record ->> '$.status' IN ('queued', 'processing', 'done') AND record ->> '$.kind' = 'video'
     ) AS found`,
  );
  const countAll = prepare(
    "SELECT record ->> '$.status' AS status, COUNT(*) AS tasks FROM tasks GROUP BY status",
  );
  const deleteOne = prepare('DELETE FROM tasks WHERE id = ?');
  const noteInDoubt = prepare('INSERT INTO files_in_doubt (task_id) VALUES (?) ON CONFLICT DO NOTHING');
  const clearInDoubt = prepare('DELETE FROM files_in_doubt WHERE task_id = ?');
  const selectInDoubt = prepare('SELECT task_id FROM files_in_doubt');

  const get = (id: string): Task | undefined => {
    const row = selectOne.get(id) as Row | undefined;
    return row && taskOf(row);
  };
  const put = (task: Task): void => void insertOrChange.run(task.id, JSON.stringify(task));
  /** @param change returns whether it removed a secret or a record with a secret */
  const write = (change: () => boolean | void): Promise<void> =>
    onDisk(async () => {
      await (change() === true ? flushAndErase() : flush());
    });
  return {
    subjects: createSubjectStore(database),
    put: (task) => write(() => put(task)),
    update: (id, change) =>
      write(() => {
        const before = get(id);
        if (!before) return false;
        const after = change(before);
        put(after);
        return holdsSecret(before) && !holdsSecret(after);
      }),
    get: async (id) => get(id),
    holdsVideo: async () => (findVideo.get() as { found: number }).found === 1,
    page: createPages(prepare),
    remove: (id) =>
      write(() => {
        deleteOne.run(id);
        return true;
      }),
    setFilesInDoubt: (id, inDoubt) => write(() => void (inDoubt ? noteInDoubt : clearInDoubt).run(id)),
    listFilesInDoubt: async () => (selectInDoubt.all() as { task_id: string }[]).map((row) => row.task_id),
    countByStatus: async () =>
      Object.fromEntries(
        (countAll.all() as { status: TaskStatus; tasks: number }[]).map(({ status, tasks }) => [
          status,
          tasks,
        ]),
      ),
    close,
  };
};
