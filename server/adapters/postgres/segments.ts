import { randomUUID } from 'node:crypto';
import { INTERRUPTED, MAX_ATTEMPTS } from '#shared/tasks/run/outcome';
import type { Segment } from '#shared/engine/segments/plan-segments';
import type { WorkSettings } from '#shared/tasks/base/job-store';
import type { SegmentClaim, SegmentRecord, SegmentStore } from '../../cluster/shared-task-store';
import { LAZILY, type Database, type Sql } from './connect';
import { isSilent, lockTask, recordColumns, taskOf, type StoreRole } from './locked-task';

type TaskColumns = Parameters<typeof taskOf>[0] & { readonly settings: WorkSettings | null };

/** SQL condition: the worker of a running segment has sent no heartbeat. */
const isLost = (milliseconds: string): string => `state = 'running' AND ${isSilent(milliseconds)}`;

/** Segments of silent workers count as waiting ones. */
const ALL = `SELECT number, segment, CASE WHEN ${isLost('$2')} THEN 'waiting' ELSE state END AS state,
    token, attempts, frames_done AS "framesDone", failure
  FROM segments WHERE task_id = $1 ORDER BY number`;
const CLAIMED = `task_id = $1 AND number = $2 AND token = $3`;
const OWN = `${CLAIMED} AND state = 'running'`;
const ownKey = ({ task, number, token }: SegmentClaim) => [task.id, number, token];

const insertAll = async (sql: Sql, taskId: string, segments: readonly Segment[]): Promise<void> => {
  await sql.query(
    `INSERT INTO segments (task_id, number, segment)
     SELECT $1, ordinality - 1, segment FROM unnest($2::json[]) WITH ORDINALITY AS planned (segment, ordinality)`,
    [taskId, segments.map((segment) => JSON.stringify(segment))],
  );
};

const failInterrupted = async (sql: Sql, taskId: string, silentMs: number): Promise<void> => {
  await sql.query(
    `UPDATE segments SET state = 'failed', failure = $3
     WHERE task_id = $1 AND attempts >= ${MAX_ATTEMPTS} AND ${isLost('$2')}`,
    [taskId, silentMs, JSON.stringify(INTERRUPTED)],
  );
};

/** @param silentMs time without a heartbeat after which another worker may take a segment over */
export const createSegments = (database: Database, role: StoreRole, silentMs: number): SegmentStore => ({
  planSegments: ({ task, token }, segments) =>
    database.transaction(async (sql) => {
      const locked = await lockTask(sql, role, task.id, silentMs);
      if (locked?.row.token !== token) return undefined;
      const earlier = await sql.query<SegmentRecord>(ALL, [task.id, silentMs]);
      if (earlier.length > 0) return earlier;
      await insertAll(sql, task.id, segments);
      return sql.query<SegmentRecord>(ALL, [task.id, silentMs]);
    }),
  segmentsOf: (taskId) => database.query<SegmentRecord>(ALL, [taskId, silentMs]),
  claimSegment: (taskId, worker) =>
    database.transaction(async (sql) => {
      await failInterrupted(sql, taskId, silentMs);
      const token = randomUUID();
      const [taken] = await sql.query<{ number: number; segment: Segment }>(
        `UPDATE segments SET state = 'running', token = $2, worker = $3, heartbeat_at = now(), frames_done = 0,
           attempts = attempts + 1
         WHERE task_id = $1 AND number = (
           SELECT number FROM segments WHERE task_id = $1 AND (state = 'waiting' OR ${isLost('$4')})
           ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING number, segment`,
        [taskId, token, worker, silentMs],
      );
      if (!taken) return undefined;
      const [row] = await sql.query<TaskColumns>(
        `SELECT ${recordColumns(role)}, settings FROM tasks WHERE id = $1`,
        [taskId],
      );
      if (!row?.settings) throw new Error('A task with segments has no settings.');
      return { token, task: taskOf(row), settings: row.settings, ...taken };
    }),
  heartbeatSegment: async (claim, framesDone) => {
    const confirmed = await database.query(
      `UPDATE segments SET heartbeat_at = now(), frames_done = $4 WHERE ${OWN} RETURNING ${LAZILY}`,
      [...ownKey(claim), framesDone],
    );
    return confirmed.length > 0;
  },
  completeSegment: async (claim) => {
    // Again if the answer was lost.
    const ended = await database.query(
      `UPDATE segments SET state = 'done' WHERE ${CLAIMED} AND state IN ('running', 'done') RETURNING 1`,
      ownKey(claim),
    );
    return ended.length > 0;
  },
  failSegment: async (claim, failure) => {
    await database.query(`UPDATE segments SET state = 'failed', failure = $4 WHERE ${OWN}`, [
      ...ownKey(claim),
      JSON.stringify(failure),
    ]);
  },
  requeueSegment: async (claim) => {
    await database.query(
      `UPDATE segments SET state = 'waiting', token = NULL, worker = NULL, attempts = attempts - 1 WHERE ${OWN}`,
      ownKey(claim),
    );
  },
});
