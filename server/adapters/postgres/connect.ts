import pg from 'pg';
import { asStoreError } from './store-error';
import pLimit from 'p-limit';

/** "VEIL" in ASCII: the first of the two numbers of each lock. */
const CLASS = 0x5645494c;

/**
 * Advisory locks, each as two numbers. They are the database's: two installations need two databases.
 *
 * Locks of idempotency keys have one number of 64 bits, and are separate from these.
 */
export const ADVISORY_LOCKS = {
  migration: [CLASS, 1],
  admission: [CLASS, 2],
  election: [CLASS, 3],
} as const;

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

/** Runs parameterised statements. */
export interface Sql {
  /** @returns the rows @throws StoreUnavailable */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Statements of one transaction. */
export interface Transaction extends Sql {
  /** Reports a change of a task after the commit. The report is lost if the process or the connection dies then. */
  report(taskId: string): void;
}

/** Connections of one process to PostgreSQL. */
export interface Database extends Sql {
  /** Runs statements in one transaction, which is rolled back if `run` rejects. */
  transaction<T>(run: (sql: Transaction) => Promise<T>, durability?: Durability): Promise<T>;
  close(): Promise<void>;
}

/** `lazy`: a crash of the server may lose the transaction, which therefore does not wait for the disk. */
export type Durability = 'full' | 'lazy';

/** Time limits, so that a database that does not answer causes an error and never a hang. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly statementMs: number;
}

export const TIME_LIMITS: TimeLimits = { connectMs: 5_000, statementMs: 10_000 };

/** The server cancels a slow statement first; this is for a server that does not answer at all. */
const ANSWER_MARGIN_MS = 1_000;
/** A stopped process must not keep rows locked for longer. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Options of a connection. TLS is configured by the URL: `sslmode=verify-full&sslrootcert=FILE`. */
export const connectionOptions = (url: string, { connectMs, statementMs }: TimeLimits): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: connectMs,
  statement_timeout: statementMs,
  query_timeout: statementMs + ANSWER_MARGIN_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  keepAlive: true,
  application_name: 'veil',
});

/** Channel of notifications; their payload is the id of a changed task. */
export const CHANNEL = 'veil_tasks';

/** SQL expression: lets the commit of its statement not wait for the disk. A crash of the server may lose it. */
export const LAZILY = `set_config('synchronous_commit', 'off', true)`;

/**
 * Apart from the change, because transactions with notifications commit one after the other: each of them would wait for
 * the disk alone, and the database would commit 250 changes in a second at 4 ms, whatever the number of workers.
 */
const REPORT = `SELECT ${LAZILY}, pg_notify('${CHANNEL}', id) FROM unnest($1::text[]) AS id`;

/** PostgreSQL's texts cannot contain NUL, which ids in requests may contain. No stored id matches the replacement. */
const storable = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}') : value;

/** Statements on one connection. */
export const sqlOf = (client: pg.ClientBase): Sql => ({
  query: async <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
    try {
      return (await client.query<Row>(text, values.map(storable))).rows;
    } catch (error) {
      throw asStoreError(error);
    }
  },
});

const BEGIN = { full: 'BEGIN', lazy: 'BEGIN; SET LOCAL synchronous_commit = off' } as const;

/** @param poolSize largest number of connections */
export const connect = (url: string, poolSize: number, limits: TimeLimits): Database => {
  const pool = new pg.Pool({ ...connectionOptions(url, limits), max: poolSize });
  const ignore = (): void => undefined; // the statement in progress, or the next one, reports the same error
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));

  const onClient = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw asStoreError(error);
    });
    let isUsable = false;
    try {
      const result = await run(sqlOf(client));
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
  };
  const query: Sql['query'] = (text, values) => onClient((sql) => sql.query(text, values));
  return {
    query,
    // A failed transaction is rolled back by closing its connection: the connection may be the reason.
    transaction: async (run, durability = 'full') => {
      const changed: string[] = [];
      const result = await onClient(async (sql) => {
        await sql.query(BEGIN[durability]);
        const done = await run({ ...sql, report: (id) => void changed.push(id) });
        await sql.query('COMMIT');
        return done;
      });
      // Not awaited, and no failure: the change is made, and who waits for it also looks from time to time.
      if (changed.length > 0) void query(REPORT, [changed]).catch(() => undefined);
      return result;
    },
    close: () => pool.end(),
  };
};
