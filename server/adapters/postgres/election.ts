import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#shared/ports/system';
import type { SharedTaskStore } from '../../cluster/shared-task-store';
import { ADVISORY_LOCKS } from './advisory-locks';
import type { Session } from './session';

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
