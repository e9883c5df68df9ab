import pLimit from 'p-limit';
import pg from 'pg';
import { connectionOptions, sqlOf, type Sql, type TimeLimits } from './connect';
import { asStoreError } from './store-error';

/** A connection that holds state, such as locks and subscriptions. The state ends with the connection. */
export interface Session extends Sql {
  /** Aborts when the connection has ended. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly url: string;
  readonly limits: TimeLimits;
  /** Called with the payload of each notification. */
  readonly onNotification?: (payload: string) => void;
  /** The server ends the session when its process does nothing for this time, such as a stopped one. 0: never. */
  readonly idleLimitMs?: number;
}

/** How often an idle connection is tested: a host that vanished sends no error. */
const TEST_MS = 5_000;

const connectClient = async (url: string, limits: TimeLimits): Promise<pg.Client> => {
  try {
    const client = new pg.Client(connectionOptions(url, limits));
    client.on('error', () => undefined); // reported by the statement in progress or the next one
    await client.connect();
    return client;
  } catch (error) {
    throw asStoreError(error);
  }
};

/** @throws StoreUnavailable */
export const openSession = async ({
  url,
  limits,
  onNotification,
  idleLimitMs = 0,
}: SessionOptions): Promise<Session> => {
  const client = await connectClient(url, limits);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  client.on('error', end);
  client.on('end', end);
  if (onNotification) client.on('notification', ({ payload = '' }) => onNotification(payload));

  const oneAtATime = pLimit(1);
  const sql = sqlOf(client);
  const query: Session['query'] = (text, values) => oneAtATime(() => sql.query(text, values));
  const close = async (): Promise<void> => {
    end();
    await client.end().catch(() => undefined);
  };
  const tests = setInterval(() => void query('SELECT 1').catch(close), TEST_MS);
  ending.signal.addEventListener('abort', () => clearInterval(tests));
  try {
    await query(`SELECT set_config('idle_session_timeout', $1, false)`, [String(idleLimitMs)]);
  } catch (error) {
    await close();
    throw error;
  }
  return { query, lost: ending.signal, close };
};
