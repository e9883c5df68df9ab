import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable, type JobStore } from '#shared/tasks/base/job-store';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Database, type Session, ADVISORY_LOCKS } from './connect';
import { recordColumns, taskOf, type TaskRow } from './locked-task';
import type { Log } from '#shared/ports/system';
import type { SharedTaskStore } from '../../cluster/shared-task-store';

/** How often a process that is not elected tries to be. */
const RETRY_MS = 1_000;

type Elections = Pick<SharedTaskStore, 'whenElected'> & { close(): Promise<void> };

/**
 * Elects one process by an advisory lock on a connection of its own: whoever loses the connection loses the office.
 *
 * @param open opens the connection, with a limit of idle time: a stopped process must not stay elected
 */
export const createElections = (open: () => Promise<Session>, log: Log): Elections => {
  const resignations = new Set<() => Promise<void>>();

  const isElected = async (session: Session): Promise<boolean> => {
    const [lock] = await session.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
      ...ADVISORY_LOCKS.election,
    ]);
    return lock!.held;
  };
  /** Waits for the election and serves once. */
  const serve = async (run: (signal: AbortSignal) => Promise<void>, resigned: AbortSignal): Promise<void> => {
    const session = await open();
    try {
      const over = AbortSignal.any([resigned, session.lost]);
      while (!over.aborted && !(await isElected(session))) await pause(over);
      if (!over.aborted) await run(over);
    } finally {
      await session.close();
    }
  };
  const pause = (signal: AbortSignal): Promise<void> =>
    sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);

  return {
    whenElected: (run) => {
      const resigning = new AbortController();
      const serving = (async () => {
        while (!resigning.signal.aborted) {
          await serve(run, resigning.signal).catch((error: unknown) =>
            log.error('Work of the elected process was interrupted; it is tried again.', error),
          );
          await pause(resigning.signal);
        }
      })();
      const resign = async (): Promise<void> => {
        resignations.delete(resign);
        resigning.abort();
        await serving;
      };
      resignations.add(resign);
      return resign;
    },
    close: async () => void (await Promise.all([...resignations].map((resign) => resign()))),
  };
};

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
