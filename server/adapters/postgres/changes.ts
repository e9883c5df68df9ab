import { setTimeout as sleep } from 'node:timers/promises';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import type { Database, Session } from './connect';
import { CHANNEL } from './locked-task';

/** Resolves when a signal aborts. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** How often changes are read while there is no subscription. */
const POLL_MS = 1_000;
const RECONNECT_MS = 250;
/** A broken subscription is noticed late, and transactions commit later than they begin. */
const OVERLAP_MS = 30_000;

type Changes = Pick<SharedTaskStore, 'onChange'> & { close(): Promise<void> };

/**
 * Changes of tasks, by a subscription to notifications (LISTEN).
 *
 * While the subscription is interrupted, and once after each interruption, changed tasks are read from the table.
 * Removed tasks are missing there: their removal is reported by notifications only.
 *
 * @param open opens the connection of the subscription
 */
export const createChanges = (
  database: Database,
  open: (onNotification: (id: string) => void) => Promise<Session>,
): Changes => {
  const reports = new Set<(id: string) => void>();
  const ending = new AbortController();
  const notify = (id: string): void => reports.forEach((report) => report(id));
  const pause = (ms: number): Promise<void> =>
    sleep(ms, undefined, { signal: ending.signal }).catch(() => undefined);

  let lastHeardMs = performance.now();
  let isListening = false;
  const poll = async (): Promise<void> => {
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM tasks WHERE changed_at >= now() - $1 * interval '1 ms'`,
      [performance.now() - lastHeardMs + OVERLAP_MS],
    );
    rows.forEach(({ id }) => notify(id));
  };
  const listen = async (): Promise<void> => {
    const session = await open(notify);
    try {
      await session.query(`LISTEN ${CHANNEL}`);
      isListening = true;
      await poll();
      await whenAborted(AbortSignal.any([session.lost, ending.signal]));
      lastHeardMs = performance.now();
    } finally {
      isListening = false;
      await session.close();
    }
  };
  const keepListening = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await listen().catch(() => undefined); // the database is unavailable: tried again
      await pause(RECONNECT_MS);
    }
  };
  const keepPolling = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await pause(POLL_MS);
      if (!isListening && !ending.signal.aborted) await poll().catch(() => undefined);
    }
  };
  let running: Promise<unknown> | undefined;
  return {
    onChange: (report) => {
      const own = (id: string): void => report(id);
      reports.add(own);
      running ??= Promise.all([keepListening(), keepPolling()]);
      return () => void reports.delete(own);
    },
    close: async () => {
      ending.abort();
      await running;
    },
  };
};
