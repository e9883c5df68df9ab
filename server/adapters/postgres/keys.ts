import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, type JobStore } from '#shared/tasks/base/job-store';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Database } from './connect';
import type { Session } from './session';
import { recordColumns, taskOf, type TaskRow } from './task-row';

const PAUSE_MS = 50;
/** A process that is stopped keeps its locks. Others answer "try again" after this time. */
const LONGEST_WAIT_MS = 60_000;

/** A key as a number of 64 bits. Keys with the same number wait for each other, which does no harm. */
const LOCK = 'hashtextextended($1, 0)';

/** Waits for the lock of a key. Not for calls of one process at the same time, which would all get it. */
const acquire = async (session: Session, key: string): Promise<void> => {
  const endMs = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const [lock] = await session.query<{ held: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS held`, [
      key,
    ]);
    if (lock!.held) return;
    if (performance.now() > endMs) throw new StoreUnavailable('Another process keeps the lock of a key.');
    await sleep(PAUSE_MS);
  }
};

/**
 * Idempotency keys of all processes.
 *
 * All locks of a process belong to one connection, because an upload may hold its lock for minutes: with a connection
 * for each, a few slow uploads would use up a pool. The server releases them when the connection ends.
 *
 * @param open opens the connection
 */
export const createSharedKeys = (
  database: Database,
  open: () => Promise<Session>,
): Pick<JobStore, 'findByKey' | 'exclusively'> & { close(): Promise<void> } => {
  const turns = new Map<string, LimitFunction>();
  let last: Promise<Session | undefined> = Promise.resolve(undefined);

  /** The open session, or a new one. */
  const session = (): Promise<Session> => {
    const next = last
      .catch(() => undefined)
      .then((current) => (current && !current.lost.aborted ? current : open()));
    last = next;
    return next;
  };
  const holding = async <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const holder = await session();
    await acquire(holder, key);
    try {
      return await run();
    } finally {
      // Without an answer the lock may still be held: only the end of the connection surely releases it.
      await holder.query(`SELECT pg_advisory_unlock(${LOCK})`, [key]).catch(holder.close);
    }
  };
  return {
    findByKey: async (key) => {
      const [row] = await database.query<TaskRow>(
        `SELECT ${recordColumns('api')} FROM tasks WHERE idempotency_key = $1 ORDER BY arrival DESC LIMIT 1`,
        [key],
      );
      return row && taskOf(row);
    },
    exclusively: async (key, run) => {
      const turn = turns.get(key) ?? pLimit(1);
      turns.set(key, turn);
      try {
        return await turn(() => holding(key, run));
      } finally {
        if (turn.activeCount + turn.pendingCount === 0) turns.delete(key);
      }
    },
    close: async () => (await last.catch(() => undefined))?.close(),
  };
};
