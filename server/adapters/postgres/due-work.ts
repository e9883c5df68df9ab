import type { DueWork, WorkCounts } from '../../cluster/shared-task-store';
import type { TaskStore, SubjectStore } from '#shared/ports/storage';
import type { Task } from '#shared/domain/task';
import { jobOf } from '#shared/tasks/base/job-store';
import type { Database } from './connect';
import { recordColumns, taskOf, type TaskRow } from './locked-task';
import type { Subject } from '#shared/domain/subject';

interface Row {
  readonly id: string;
  readonly created_at_ms: string;
  readonly embeddings: Subject['embeddings'];
}

const COLUMNS = 'id, created_at_ms, embeddings';

const subjectOf = ({ id, created_at_ms: createdAtMs, embeddings }: Row): Subject => ({
  id,
  createdAtMs: Number(createdAtMs),
  embeddings,
});

/** Subjects of all processes. The server keeps deleted rows until its automatic vacuum, and its logs for longer. */
export const createSubjects = (database: Database): SubjectStore => ({
  put: async ({ id, createdAtMs, embeddings }) => {
    await database.query(`INSERT INTO subjects (${COLUMNS}) VALUES ($1, $2, $3)`, [
      id,
      createdAtMs,
      JSON.stringify(embeddings),
    ]);
  },
  get: async (id) => {
    const [row] = await database.query<Row>(`SELECT ${COLUMNS} FROM subjects WHERE id = $1`, [id]);
    return row && subjectOf(row);
  },
  list: async () =>
    (await database.query<Row>(`SELECT ${COLUMNS} FROM subjects ORDER BY arrival DESC`)).map(subjectOf),
  remove: async (id) =>
    (await database.query('DELETE FROM subjects WHERE id = $1 RETURNING id', [id])).length > 0,
  removeCreatedBefore: async (atMs) => {
    await database.query('DELETE FROM subjects WHERE created_at_ms < $1', [atMs]);
  },
});

type FilesInDoubt = Pick<TaskStore, 'setFilesInDoubt' | 'listFilesInDoubt'> &
  Pick<DueWork, 'filesInDoubtSince'>;

/** Marks of tasks whose files are being stored or removed. */
export const createFilesInDoubt = (database: Database): FilesInDoubt => ({
  setFilesInDoubt: async (id, inDoubt) => {
    await database.query(
      inDoubt
        ? 'INSERT INTO files_in_doubt (task_id) VALUES ($1) ON CONFLICT (task_id) DO UPDATE SET since = now()'
        : 'DELETE FROM files_in_doubt WHERE task_id = $1',
      [id],
    );
  },
  listFilesInDoubt: async () => {
    const rows = await database.query<{ task_id: string }>('SELECT task_id FROM files_in_doubt');
    return rows.map((row) => row.task_id);
  },
  filesInDoubtSince: async (olderThanMs) => {
    const rows = await database.query<{ task_id: string }>(
      `SELECT task_id FROM files_in_doubt WHERE since <= now() - $1 * interval '1 ms' ORDER BY since`,
      [olderThanMs],
    );
    return rows.map((row) => row.task_id);
  },
});

type DueTasks = Pick<
  DueWork,
  'takeDueWebhooks' | 'nowMs' | 'endedBefore' | 'countEndedBefore' | 'waitingJobs'
>;

/** Of each kind as many jobs are queued again, so that a long backlog of images does not keep videos waiting. */
const KINDS = ['image', 'video'] as const satisfies readonly Task['kind'][];

/** Webhooks, retention and jobs. Times are compared with the clock of the database. */
export const createDueTasks = (database: Database): DueTasks => ({
  takeDueWebhooks: async (limit, leaseMs) => {
    const rows = await database.query<TaskRow>(
      `UPDATE tasks SET webhook_leased_until = now() + $2 * interval '1 ms'
       WHERE id IN (
         SELECT id FROM tasks
         WHERE webhook_due_at_ms <= extract(epoch FROM now()) * 1000
           AND (webhook_leased_until IS NULL OR webhook_leased_until <= now())
         ORDER BY webhook_due_at_ms LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${recordColumns('api')}`,
      [limit, leaseMs],
    );
    return rows.map(taskOf);
  },
  nowMs: async () => {
    const [row] = await database.query<{ now: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now',
    );
    return row!.now;
  },
  countEndedBefore: async (atMs) => {
    const [counts] = await database.query<{ due: number; all: number }>(
      'SELECT count(*) FILTER (WHERE ended_at_ms < $1)::int AS due, count(*)::int AS "all" FROM tasks',
      [atMs],
    );
    return counts!;
  },
  endedBefore: async (atMs, limit) => {
    const rows = await database.query<{ id: string }>(
      'SELECT id FROM tasks WHERE ended_at_ms < $1 ORDER BY ended_at_ms LIMIT $2',
      [atMs, limit],
    );
    return rows.map(({ id }) => id);
  },
  waitingJobs: async (olderThanMs, limit) => {
    const rows = await database.query<{ id: string; kind: Task['kind']; number: number; urgent: boolean }>(
      KINDS.map(
        (kind) =>
          `(SELECT id, kind, job_number AS number, is_urgent AS urgent FROM tasks
            WHERE work IS NOT NULL AND kind = '${kind}' AND token IS NULL
              AND waiting_since <= now() - $1 * interval '1 ms'
            ORDER BY is_urgent DESC, arrival LIMIT $2)`,
      ).join(' UNION ALL '),
      [olderThanMs, limit],
    );
    return rows.map(({ id, kind, number, urgent }) => jobOf(id, kind, number, urgent));
  },
});

/** Numbers for metrics, from indexes of unfinished work and of states. */
export const countWork = async (database: Database): Promise<WorkCounts> => {
  const [counts] = await database.query<WorkCounts>(
    `SELECT count(*) FILTER (WHERE token IS NULL)::int AS waiting,
       count(*) FILTER (WHERE token IS NOT NULL)::int AS active,
       coalesce(extract(epoch FROM now() - min(waiting_since) FILTER (WHERE token IS NULL)) * 1000, 0)::float8
         AS "oldestWaitingMs",
       (SELECT value::float8 FROM counters WHERE name = 'lost-heartbeats') AS "lostHeartbeats",
       (SELECT coalesce(sum(attempts), 0)::float8 FROM tasks) AS attempts
     FROM tasks WHERE work IS NOT NULL`,
  );
  return counts!;
};
